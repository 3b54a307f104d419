package sock_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/netip"
	"os"
	"runtime"
	"testing"
	"time"

	"linkpace/engine/internal/sock"
)

// networks are what every test of this file runs on: one argument switches a
// test from the fake to the real thing.
func networks() map[string]sock.Network {
	return map[string]sock.Network{"memory": &sock.Mem{}, "portable": sock.Portable{}}
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
	a, err = n.Dial(ctx, l.Addr(), netip.Addr{})
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
			go func() {
				err := a.SendBulk(&source{data: want})
				a.CloseWrite()
				sent <- err
			}()
			got := &sink{}
			if err := b.ReceiveBulk(got); err != nil {
				t.Fatal(err)
			}
			if err := <-sent; err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.data, want) {
				t.Errorf("got %d bytes, want %d, or other content", len(got.data), len(want))
			}
		})
	}
}

func TestDeadlinesEndBulk(t *testing.T) {
	for name, n := range networks() {
		t.Run(name, func(t *testing.T) {
			a, b := pair(t, n)
			src := &source{data: make([]byte, 64<<20), begun: make(chan struct{})}
			ended := make(chan error, 1)
			go func() { ended <- a.SendBulk(src) }()
			<-src.begun
			a.SetWriteDeadline(time.Now().Add(-time.Second))
			if err := <-ended; err != nil {
				t.Errorf("a passed write deadline gave %v", err)
			}
			if src.sent == 0 || src.sent == len(src.data) {
				t.Errorf("sent %d bytes, want a part", src.sent)
			}
			b.SetReadDeadline(time.Now().Add(-time.Second))
			if err := b.ReceiveBulk(&sink{}); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("a passed read deadline gave %v", err)
			}
		})
	}
}

func TestSinkEndsReceiving(t *testing.T) {
	for name, n := range networks() {
		t.Run(name, func(t *testing.T) {
			a, b := pair(t, n)
			go a.Write(make([]byte, 5000))
			if err := b.ReceiveBulk(&sink{stop: 10}); !errors.Is(err, errEnough) {
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
			if s, err := n.Dial(ctx, l.Addr(), netip.Addr{}); err == nil {
				s.Close()
				t.Error("a closed port was dialled")
			}
		})
	}
}

func TestPortableReportsBuffers(t *testing.T) {
	a, _ := pair(t, sock.Portable{})
	if send, receive := a.Buffers(); send <= 0 || receive <= 0 {
		t.Errorf("buffers %d and %d, want both known", send, receive)
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
