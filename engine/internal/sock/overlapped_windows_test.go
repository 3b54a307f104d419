package sock_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"sync"
	"testing"
	"time"

	"linkpace/engine/internal/sock"
)

func overlapped(t testing.TB) *sock.Overlapped {
	t.Helper()
	n, err := sock.NewOverlapped()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// pairs are count connections, all accepted by one listener.
func pairs(t *testing.T, n sock.Network, count int) (dialled, accepted []sock.Stream) {
	t.Helper()
	for range count {
		a, b := pair(t, n)
		dialled, accepted = append(dialled, a), append(accepted, b)
	}
	return dialled, accepted
}

// content is different for each seed.
func content(seed, size int) []byte {
	b := make([]byte, size)
	rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8)}).Read(b)
	return b
}

// large is a source and a sink that move blocks as large as they come.
type large struct {
	data []byte
	buf  [70_001]byte
}

func (l *large) Next() []byte   { return l.data[:min(len(l.data), 100_003)] }
func (l *large) Sent(n int)     { l.data = l.data[n:] }
func (l *large) Buffer() []byte { return l.buf[:] }
func (l *large) Got(n int) error {
	l.data = append(l.data, l.buf[:n]...)
	return nil
}

// within fails the test, with all stacks, when f does not return in time.
func within(t *testing.T, limit time.Duration, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(limit):
		panic(what + " has not ended after " + limit.String())
	}
}

// Each stream carries one way, as in a test of the program: wine loses writes of
// a connection whose other direction is closed meanwhile.
func TestManyStreamsCarryTheirContentBothWays(t *testing.T) {
	n := overlapped(t)
	for _, streams := range []int{1, 8, 64} {
		for _, link := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d streams link=%v", streams, link), func(t *testing.T) {
				a, b := pairs(t, n, 2*streams)
				terms := sock.Terms{Streams: 2 * streams, Link: link}
				here, there := n.Hire(terms), n.Hire(terms)
				var all sync.WaitGroup
				one := func(w sock.Workers, from sock.Stream, v sock.Workers, to sock.Stream, seed int) {
					want := content(seed, 200_000+977*seed)
					all.Go(func() {
						if err := w.Send(t.Context(), from, sock.Outgoing{Source: &large{data: want}, Count: new(tally), Until: far()}); err != nil {
							t.Error(err)
						}
						if err := from.CloseWrite(); err != nil {
							t.Error(err)
						}
					})
					all.Go(func() {
						got, in := &large{}, new(tally)
						if err := v.Receive(t.Context(), to, sock.Incoming{Sink: got, Count: in, Until: far()}); err != nil {
							t.Error(err)
						}
						if !bytes.Equal(got.data, want) || in.Load() != int64(len(want)) {
							t.Errorf("seed %d: got %d bytes, counted %d, want %d, or other content", seed, len(got.data), in.Load(), len(want))
						}
					})
				}
				for i := range streams {
					one(here, a[i], there, b[i], i)
					one(there, b[streams+i], here, a[streams+i], streams+i)
				}
				within(t, time.Minute, "moving content", all.Wait)
				here.Close()
				there.Close()
			})
		}
	}
}

func TestManyStreamsMoveWhatTheyCount(t *testing.T) {
	n := overlapped(t)
	for _, streams := range []int{1, 8, 64} {
		for _, link := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d streams link=%v", streams, link), func(t *testing.T) {
				a, b := pairs(t, n, streams)
				terms := sock.Terms{Streams: streams, Link: link}
				here, there := n.Hire(terms), n.Hire(terms)
				until := time.Now().Add(300 * time.Millisecond)
				out, in := make([]tally, streams), make([]tally, streams)
				var all sync.WaitGroup
				for i := range streams {
					all.Go(func() {
						if err := here.Send(t.Context(), a[i], sock.Outgoing{Count: &out[i], Until: until}); err != nil {
							t.Error(err)
						}
						if err := a[i].CloseWrite(); err != nil {
							t.Error(err)
						}
					})
					all.Go(func() {
						if err := there.Receive(t.Context(), b[i], sock.Incoming{Count: &in[i], Until: far()}); err != nil {
							t.Error(err)
						}
					})
				}
				within(t, time.Minute, "moving payload", all.Wait)
				here.Close()
				there.Close()
				moved := int64(0)
				for i := range streams { // on a busy computer one may begin when its time is up
					if out[i].Load() != in[i].Load() {
						t.Errorf("stream %d: sent %d, received %d", i, out[i].Load(), in[i].Load())
					}
					moved += in[i].Load()
				}
				if moved == 0 {
					t.Error("nothing was moved")
				}
			})
		}
	}
}

func TestMethodsSayWhatWasDone(t *testing.T) {
	n := overlapped(t)
	for _, c := range []struct {
		link bool
		sink sock.Sink
		want string
	}{{true, nil, "overlapped-hot"}, {true, &sink{}, "overlapped"}, {false, nil, "overlapped"}} {
		a, b := pair(t, n)
		w := n.Hire(sock.Terms{Streams: 1, Link: c.link})
		a.CloseWrite()
		if err := w.Receive(t.Context(), b, sock.Incoming{Sink: c.sink, Count: new(tally), Until: far()}); err != nil {
			t.Error(err)
		}
		if m := w.Methods(); m.Send != "overlapped" || m.Receive != c.want || m.Syscalls != sock.SyscallsPlain {
			t.Errorf("link %v: %+v", c.link, m)
		}
		w.Close()
	}
}

func TestOutstandingAndBlockAreKept(t *testing.T) {
	n := overlapped(t)
	for _, terms := range []sock.Terms{
		{Streams: 1, Outstanding: 1}, {Streams: 1, Outstanding: 64, Block: 1000}, {Streams: 1, Link: true, Outstanding: 2, Block: 1 << 20, Threads: 3, CPUs: []int{0}},
	} {
		const limit = 400_001
		a, b := pair(t, n)
		w := n.Hire(terms)
		out, in := new(tally), new(tally)
		sent := make(chan error, 1)
		go func() {
			err := w.Send(t.Context(), a, sock.Outgoing{Count: out, Until: far(), Limit: limit})
			sent <- errors.Join(err, a.CloseWrite())
		}()
		err := w.Receive(t.Context(), b, sock.Incoming{Count: in, Until: far()})
		if err := errors.Join(err, <-sent); err != nil || out.Load() != limit || in.Load() != limit {
			t.Errorf("%+v: sent %d and received %d bytes: %v", terms, out.Load(), in.Load(), err)
		}
		w.Close()
	}
}

func TestRateIsNotExceeded(t *testing.T) {
	n := overlapped(t)
	a, b := pair(t, n)
	w := n.Hire(sock.Terms{Streams: 2, Link: true})
	defer w.Close()
	const rate = 16e6 // 2 MB/s
	began := time.Now()
	out, in := new(tally), new(tally)
	received := make(chan error, 1)
	go func() { received <- w.Receive(t.Context(), b, sock.Incoming{Count: in, Until: far()}) }()
	if err := w.Send(t.Context(), a, sock.Outgoing{Count: out, Until: began.Add(400 * time.Millisecond), Rate: rate}); err != nil {
		t.Error(err)
	}
	most := rate / 8 * (time.Since(began) + 30*time.Millisecond).Seconds()
	if err := errors.Join(a.CloseWrite(), <-received); err != nil {
		t.Error(err)
	}
	if n := out.Load(); n == 0 || float64(n) > most || n != in.Load() {
		t.Errorf("sent %d, received %d bytes, want at most %.0f", n, in.Load(), most)
	}
}

func TestPacedStreamsOfOneThreadAllEnd(t *testing.T) {
	n := overlapped(t)
	const streams, limit = 6, 300_000
	a, b := pairs(t, n, streams)
	w := n.Hire(sock.Terms{Streams: streams, Threads: 1})
	defer w.Close()
	var all sync.WaitGroup
	in := make([]tally, streams)
	for i := range streams {
		all.Go(func() {
			err := w.Send(t.Context(), a[i], sock.Outgoing{Count: new(tally), Until: far(), Rate: 20e6, Limit: limit})
			if err := errors.Join(err, a[i].CloseWrite()); err != nil {
				t.Error(err)
			}
		})
		all.Go(func() {
			if err := w.Receive(t.Context(), b[i], sock.Incoming{Count: &in[i], Until: far()}); err != nil || in[i].Load() != limit {
				t.Errorf("received %d bytes: %v", in[i].Load(), err)
			}
		})
	}
	within(t, time.Minute, "paced sending", all.Wait)
}

func TestStreamOfOtherWorkersIsServedToo(t *testing.T) {
	n := overlapped(t)
	a, b := pair(t, n)
	for range 2 {
		out, in := new(tally), new(tally)
		if err := errors.Join(send(t.Context(), n, a, &large{data: content(1, 5000)}, out)); err != nil {
			t.Fatal(err)
		}
		if err := receive(t.Context(), n, b, &sinkUpTo{left: 5000}, in, far()); !errors.Is(err, errEnough) {
			t.Fatal(err)
		}
	}
}

// sinkUpTo has enough after a number of bytes, and never asks for more.
type sinkUpTo struct {
	left int
	buf  [1000]byte
}

func (s *sinkUpTo) Buffer() []byte { return s.buf[:min(len(s.buf), s.left)] }
func (s *sinkUpTo) Got(n int) error {
	if s.left -= n; s.left == 0 {
		return errEnough
	}
	return nil
}

func TestWhatNobodyReadsIsDropped(t *testing.T) {
	n := overlapped(t)
	a, _ := pair(t, n)
	w := n.Hire(sock.Terms{Streams: 1, Link: true})
	if err := w.Send(t.Context(), a, sock.Outgoing{Count: new(tally), Until: time.Now().Add(200 * time.Millisecond)}); err != nil {
		t.Error(err)
	}
	within(t, 20*time.Second, "closing the direction", func() {
		if err := a.CloseWrite(); err != nil {
			t.Error(err)
		}
	})
	within(t, 20*time.Second, "the workers", w.Close)
}

func TestCancelAtAnyMoment(t *testing.T) {
	n := overlapped(t)
	errStop := errors.New("stop")
	for i := range 60 {
		a, b := pair(t, n)
		ctx, cancel := context.WithCancelCause(t.Context())
		terms := sock.Terms{Streams: 2, Link: i%2 == 0}
		w := n.Hire(terms)
		ended := make(chan error, 2)
		go func() { ended <- w.Send(ctx, a, sock.Outgoing{Count: new(tally), Until: far()}) }()
		go func() { ended <- w.Receive(ctx, b, sock.Incoming{Count: new(tally), Until: far()}) }()
		time.Sleep(time.Duration(rand.IntN(8000)) * time.Microsecond)
		cancel(errStop)
		within(t, 30*time.Second, "a cancelled transfer", func() {
			for range 2 {
				// The sender's end may come to the receiver before it is cancelled,
				// and wine ends in place of aborting.
				if err := <-ended; err != nil && !errors.Is(err, errStop) {
					t.Errorf("round %d: %v, want the cause", i, err)
				}
			}
			w.Close()
		})
		a.Close()
		b.Close()
	}
}

func TestCloseDuringEverything(t *testing.T) {
	n := overlapped(t)
	read := func(s sock.Stream) error { _, err := io.Copy(io.Discard, s); return err }
	write := func(s sock.Stream) error {
		for {
			if _, err := s.Write(make([]byte, 3<<20)); err != nil {
				return err
			}
		}
	}
	bulk := func(move func(sock.Workers, sock.Stream) error) func(sock.Stream) error {
		return func(s sock.Stream) error {
			w := n.Hire(sock.Terms{Streams: 1, Link: true})
			defer w.Close()
			return move(w, s)
		}
	}
	for name, use := range map[string]func(sock.Stream) error{
		"read": read, "write": write,
		"send": bulk(func(w sock.Workers, s sock.Stream) error {
			return w.Send(context.Background(), s, sock.Outgoing{Count: new(tally), Until: far()})
		}),
		"receive": bulk(func(w sock.Workers, s sock.Stream) error {
			return w.Receive(context.Background(), s, sock.Incoming{Count: new(tally), Until: far()})
		}),
	} {
		for end, by := range map[string]func(sock.Stream){"close": func(s sock.Stream) { s.Close() }, "abort": sock.Stream.Abort} {
			t.Run(name+" "+end, func(t *testing.T) {
				for range 15 {
					a, _ := pair(t, n)
					var using sync.WaitGroup
					using.Go(func() {
						if err := use(a); !errors.Is(err, net.ErrClosed) {
							t.Errorf("got %v, want that it is closed", err)
						}
					})
					for range 2 { // two at once
						using.Go(func() {
							time.Sleep(time.Duration(rand.IntN(4000)) * time.Microsecond)
							by(a)
						})
					}
					within(t, 30*time.Second, "a closed connection", using.Wait)
				}
			})
		}
	}
}

func TestClosedStreamIsNotWaitedFor(t *testing.T) {
	n := overlapped(t)
	a, b := pair(t, n)
	w := n.Hire(sock.Terms{Streams: 2})
	ended := make(chan error, 1)
	go func() { ended <- w.Receive(t.Context(), b, sock.Incoming{Count: new(tally), Until: far()}) }()
	a.Close()
	within(t, 30*time.Second, "a closed connection", func() {
		if err := w.Send(t.Context(), a, sock.Outgoing{Count: new(tally), Until: far()}); !errors.Is(err, net.ErrClosed) {
			t.Errorf("sending: %v", err)
		}
		if err := a.CloseWrite(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("closing the direction: %v", err)
		}
		if err := <-ended; err != nil {
			t.Errorf("the other side: %v", err)
		}
		w.Close()
	})
}

func TestDeadlineCanBeMoved(t *testing.T) {
	n := overlapped(t)
	a, b := pair(t, n)
	if err := a.SetReadDeadline(far()); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := a.Read(make([]byte, 10))
		ended <- err
	}()
	time.Sleep(20 * time.Millisecond)
	a.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
	err := <-ended
	var timeout net.Error
	if !errors.Is(err, os.ErrDeadlineExceeded) || !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Errorf("got %v, want a timeout", err)
	}
	if _, err := a.Read(make([]byte, 10)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("after the deadline: %v", err)
	}
	a.SetReadDeadline(time.Time{})
	b.Write([]byte("later"))
	got := make([]byte, 5)
	if _, err := io.ReadFull(a, got); err != nil || string(got) != "later" {
		t.Errorf("without the deadline: %q, %v", got, err)
	}
	a.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
	for err = nil; err == nil; {
		_, err = a.Write(make([]byte, 1<<20))
	}
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("writing to who does not read: %v", err)
	}
}

func TestEndOfStreamIsEOF(t *testing.T) {
	a, b := pair(t, overlapped(t))
	b.Write([]byte("x"))
	if err := b.CloseWrite(); err != nil {
		t.Error(err)
	}
	if got, err := io.ReadAll(a); err != nil || string(got) != "x" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := a.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("after the end: %v", err)
	}
	a.Close()
	if err := a.Close(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("closed twice: %v", err)
	}
	if err := a.SetDeadline(far()); !errors.Is(err, net.ErrClosed) {
		t.Errorf("a deadline on a closed connection: %v", err)
	}
}

func TestErrorsAreUnderstood(t *testing.T) {
	for name, n := range map[string]sock.Network{"overlapped": overlapped(t), "portable": sock.Portable{}} {
		t.Run(name, func(t *testing.T) {
			l, err := n.Listen(netip.MustParseAddrPort("127.0.0.1:0"))
			if err != nil {
				t.Fatal(err)
			}
			if second, err := n.Listen(l.Addr()); !sock.InUse(err) {
				t.Errorf("a port twice: %v, %v", second, err)
			}
			l.Close()
			if _, err := n.Dial(t.Context(), l.Addr(), netip.Addr{}, sock.Tuning{}); !sock.Refused(err) || sock.InUse(err) {
				t.Errorf("a closed port: %v", err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := n.Dial(ctx, l.Addr(), netip.Addr{}, sock.Tuning{}); err == nil {
				t.Error("dialled after the end")
			}
		})
	}
}

func TestClosedListenerEndsAccept(t *testing.T) {
	n := overlapped(t)
	l, err := n.Listen(netip.AddrPort{})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := l.Accept()
		ended <- err
	}()
	time.Sleep(10 * time.Millisecond)
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, net.ErrClosed) {
		t.Errorf("accept on a closed listener: %v", err)
	}
	again, err := n.Listen(netip.AddrPortFrom(netip.Addr{}, l.Addr().Port()))
	if err != nil {
		t.Fatalf("the port is not free at once: %v", err)
	}
	again.Close()
}

func TestOneListenerForBothFamilies(t *testing.T) {
	n := overlapped(t)
	l, err := n.Listen(netip.AddrPort{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, host := range []string{"127.0.0.1", "::1"} {
		addr := netip.MustParseAddr(host)
		a, err := n.Dial(t.Context(), netip.AddrPortFrom(addr, l.Addr().Port()), addr, sock.Tuning{NoDelay: true})
		if err != nil {
			if addr.Is6() && l.Addr().Addr().Is4() {
				t.Skip("this computer has no IPv6")
			}
			t.Fatal(err)
		}
		b, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if got := b.RemoteAddr().String(); got != a.LocalAddr().String() || b.LocalAddr().String() != a.RemoteAddr().String() {
			t.Errorf("%s: the ends name one another %s and %s", host, got, a.LocalAddr())
		}
		if from := a.LocalAddr().(*net.TCPAddr).AddrPort().Addr(); from != addr {
			t.Errorf("%s: dialled from %v", host, from)
		}
		a.Close()
		b.Close()
	}
}
