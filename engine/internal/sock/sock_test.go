package sock_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/netip"
	"os"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"linkpace/engine/internal/sock"
)

// networks are what every test of this file runs on: one argument switches a
// test from the fake to the real thing.
func networks() map[string]sock.Network {
	return map[string]sock.Network{"memory": &sock.Mem{}, "portable": sock.Portable{}, "best": sock.Best()}
}

func pair(t *testing.T, n sock.Network) (a, b sock.Stream) {
	t.Helper()
	l, err := n.Listen(netip.MustParseAddrPort("127.0.0.1:0"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	accepted := make(chan sock.Stream, 1)
	go func() {
		s, err := l.Accept()
		if err != nil {
			t.Error(err)
		}
		accepted <- s
	}()
	a, err = n.Dial(ctx, l.Addr(), netip.Addr{}, sock.Tuning{})
	if err != nil {
		t.Fatal(err)
	}
	b = <-accepted
	t.Cleanup(func() { a.Close(); b.Close() })
	return a, b
}

type source struct {
	data  []byte
	sent  int
	begun chan struct{} // closed at the first Sent, if there is one
}

// tally counts payload; the workers' goroutine and the test look at it.
type tally struct{ atomic.Int64 }

func (c *tally) Add(n int) { c.Int64.Add(int64(n)) }

// send has workers of a network move what src gives, until a far moment.
func send(ctx context.Context, n sock.Network, s sock.Stream, src sock.Source, count *tally) error {
	w := n.Hire(sock.Terms{Streams: 1})
	defer w.Close()
	return w.Send(ctx, s, sock.Outgoing{Source: src, Count: count, Until: time.Now().Add(time.Hour)})
}

func receive(ctx context.Context, n sock.Network, s sock.Stream, dst sock.Sink, count *tally, until time.Time) error {
	w := n.Hire(sock.Terms{Streams: 1})
	defer w.Close()
	return w.Receive(ctx, s, sock.Incoming{Sink: dst, Count: count, Until: until})
}

func far() time.Time { return time.Now().Add(time.Hour) }

func (s *source) Next() []byte { return s.data[s.sent:][:min(1000, len(s.data)-s.sent)] }

func (s *source) Sent(n int) {
	if s.begun != nil && s.sent == 0 {
		close(s.begun)
	}
	s.sent += n
}

type sink struct {
	buf  [1000]byte
	data []byte
	stop int
}

var errEnough = errors.New("enough")

func (s *sink) Buffer() []byte { return s.buf[:] }
func (s *sink) Got(n int) error {
	s.data = append(s.data, s.buf[:n]...)
	if s.stop > 0 && len(s.data) >= s.stop {
		return errEnough
	}
	return nil
}

func TestBulkArrivesWholeAndInOrder(t *testing.T) {
	want := make([]byte, 300_000)
	rand.NewChaCha8([32]byte{1}).Read(want)
	for name, n := range networks() {
		t.Run(name, func(t *testing.T) {
			a, b := pair(t, n)
			sent := make(chan error, 1)
			var out, in tally
			go func() {
				err := send(t.Context(), n, a, &source{data: want}, &out)
				a.CloseWrite()
				sent <- err
			}()
			got := &sink{}
			if err := receive(t.Context(), n, b, got, &in, far()); err != nil {
				t.Fatal(err)
			}
			if err := <-sent; err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.data, want) {
				t.Errorf("got %d bytes, want %d, or other content", len(got.data), len(want))
			}
			if out.Load() != int64(len(want)) || in.Load() != int64(len(want)) {
				t.Errorf("counted %d and %d bytes, want %d", out.Load(), in.Load(), len(want))
			}
		})
	}
}

func TestTimeEndsBulk(t *testing.T) {
	for name, n := range networks() {
		t.Run(name, func(t *testing.T) {
			a, b := pair(t, n)
			w := n.Hire(sock.Terms{Streams: 1})
			defer w.Close()
			var out tally
			if err := w.Send(t.Context(), a, sock.Outgoing{Count: &out, Until: time.Now().Add(50 * time.Millisecond)}); err != nil {
				t.Errorf("time that is up gave %v", err)
			}
			if out.Load() == 0 {
				t.Error("nothing was sent")
			}
			if err := receive(t.Context(), n, b, nil, new(tally), time.Now().Add(50*time.Millisecond)); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("time that is up gave %v", err)
			}
		})
	}
}

func TestLimitIsSentExactly(t *testing.T) {
	const limit = 5_000_003
	for name, n := range networks() {
		for _, link := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s link=%v", name, link), func(t *testing.T) {
				a, b := pair(t, n)
				w := n.Hire(sock.Terms{Streams: 2, Link: link})
				defer w.Close()
				var out, in tally
				sent := make(chan error, 1)
				go func() {
					err := w.Send(t.Context(), a, sock.Outgoing{Count: &out, Until: far(), Limit: limit})
					a.CloseWrite()
					sent <- err
				}()
				if err := w.Receive(t.Context(), b, sock.Incoming{Count: &in, Until: far()}); err != nil {
					t.Fatal(err)
				}
				if err := <-sent; err != nil {
					t.Fatal(err)
				}
				if out.Load() != limit || in.Load() != limit {
					t.Errorf("sent %d and received %d bytes, want %d", out.Load(), in.Load(), limit)
				}
			})
		}
	}
}

func TestCancelEndsBulk(t *testing.T) {
	errStop := errors.New("stop")
	for name, n := range networks() {
		t.Run(name, func(t *testing.T) {
			a, b := pair(t, n)
			ctx, cancel := context.WithCancelCause(t.Context())
			ended := make(chan error, 2)
			src := &source{data: make([]byte, 64<<20), begun: make(chan struct{})}
			go func() { ended <- send(ctx, n, a, src, new(tally)) }()
			go func() { ended <- receive(ctx, n, b, &sink{}, new(tally), far()) }()
			<-src.begun
			cancel(errStop)
			for range 2 {
				if err := <-ended; !errors.Is(err, errStop) {
					t.Errorf("got %v, want the cause", err)
				}
			}
		})
	}
}

func TestSinkEndsReceiving(t *testing.T) {
	for name, n := range networks() {
		t.Run(name, func(t *testing.T) {
			a, b := pair(t, n)
			go a.Write(make([]byte, 5000))
			if err := receive(t.Context(), n, b, &sink{stop: 10}, new(tally), far()); !errors.Is(err, errEnough) {
				t.Errorf("got %v, want the sink's error", err)
			}
		})
	}
}

func TestAbortIsAnError(t *testing.T) {
	for name, n := range networks() {
		t.Run(name, func(t *testing.T) {
			a, b := pair(t, n)
			if _, err := a.Write([]byte("x")); err != nil {
				t.Fatal(err)
			}
			a.Abort()
			if _, err := io.Copy(io.Discard, b); err == nil {
				t.Error("the other side saw a clean end")
			}
		})
	}
}

func TestNobodyListens(t *testing.T) {
	for name, n := range networks() {
		t.Run(name, func(t *testing.T) {
			l, err := n.Listen(netip.MustParseAddrPort("127.0.0.1:0"))
			if err != nil {
				t.Fatal(err)
			}
			l.Close()
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			defer cancel()
			if s, err := n.Dial(ctx, l.Addr(), netip.Addr{}, sock.Tuning{}); err == nil {
				s.Close()
				t.Error("a closed port was dialled")
			}
		})
	}
}

func TestPortableReportsBuffers(t *testing.T) {
	a, _ := pair(t, sock.Portable{})
	if g := a.Granted(); g.SendBuffer <= 0 || g.ReceiveBuffer <= 0 {
		t.Errorf("buffers %d and %d, want both known", g.SendBuffer, g.ReceiveBuffer)
	}
}

func TestUnreadCountsWhatWaits(t *testing.T) {
	for name, n := range networks() {
		t.Run(name, func(t *testing.T) {
			if name == "portable" && runtime.GOOS != "linux" && runtime.GOOS != "windows" {
				t.Skip("this system does not tell")
			}
			a, b := pair(t, n)
			a.Write(make([]byte, 1234))
			for deadline := time.Now().Add(10 * time.Second); b.Unread() < 1234 && time.Now().Before(deadline); {
				runtime.Gosched()
			}
			if got := b.Unread(); got != 1234 {
				t.Errorf("%d bytes wait, want 1234", got)
			}
			io.ReadFull(b, make([]byte, 1000))
			if got := b.Unread(); got != 234 {
				t.Errorf("%d bytes wait, want 234", got)
			}
			b.Close()
			if got := b.Unread(); got != 0 {
				t.Errorf("%d bytes wait on a closed connection", got)
			}
		})
	}
}
