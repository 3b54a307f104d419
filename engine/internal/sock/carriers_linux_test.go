package sock

import (
	"context"
	"errors"
	"net"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestCollectionGoesOnBesideRawCalls forces garbage collection all the time while
// two sockets are worked on by calls that Go's scheduler knows nothing of.
func TestCollectionGoesOnBesideRawCalls(t *testing.T) {
	a, b := joinedPair(t, Epoll{}, "127.0.0.1")
	c := Epoll{}.HireCarriers(Terms{Streams: 2})
	out, in := &numbered{}, newCollected(1472, endless)
	far := time.Now().Add(time.Minute)
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() {
		if err := c.Send(ctx, a, OutgoingDatagrams{Size: 1472, Stamper: out, Until: far}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	all.Go(func() {
		if err := c.Receive(ctx, b, IncomingDatagrams{Sink: in, Until: far}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	for range 50 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	stop()
	all.Wait()
	if c.Methods().Syscalls != SyscallsRaw {
		t.Fatalf("worked by %+v", c.Methods())
	}
	if len(in.seen) == 0 || in.odd > 0 {
		t.Errorf("%d of %d came, %d of another size", len(in.seen), out.next, in.odd)
	}
}

func TestCloseEndsTheWork(t *testing.T) {
	a, b := joinedPair(t, Epoll{}, "127.0.0.1")
	c := Epoll{}.HireCarriers(Terms{Streams: 2})
	far := time.Now().Add(time.Hour)
	ended := make(chan error, 2)
	begun := &signal{begun: make(chan struct{})}
	go func() {
		ended <- c.Send(t.Context(), a, OutgoingDatagrams{Size: 100, Stamper: begun, Until: far, Rate: 1e6})
	}()
	go func() {
		ended <- c.Receive(t.Context(), b, IncomingDatagrams{Sink: newCollected(100, endless), Until: far})
	}()
	<-begun.begun
	for _, d := range []Datagrams{a, b} {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
	for range 2 {
		if err := <-ended; !errors.Is(err, net.ErrClosed) {
			t.Errorf("ended with %v", err)
		}
	}
	if _, err := a.Write([]byte("x")); !errors.Is(err, net.ErrClosed) {
		t.Errorf("writing afterwards: %v", err)
	}
}

// signal tells when the first datagram is sent.
type signal struct {
	numbered
	once  sync.Once
	begun chan struct{}
}

func (s *signal) Sent(n int) {
	s.numbered.Sent(n)
	s.once.Do(func() { close(s.begun) })
}

func TestRefusedSegmentsFallBack(t *testing.T) {
	a, b := joinedPair(t, Epoll{}, "127.0.0.1")
	// Without a checksum of its own a socket may not have messages cut up
	// (EIO, udp_send_skb).
	a.(*runSocket).control(func(fd uintptr) {
		if err := unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_NO_CHECK, 1); err != nil {
			t.Skip(err)
		}
	})
	if m := arrive(t, way{Epoll{}, Terms{Streams: 1}}, a, b, 1000); m.Send != MethodSendBatch {
		t.Errorf("sent by %q all the same", m.Send)
	}
}

func TestLargeDatagramsAreSentOneByOne(t *testing.T) {
	a, b := joinedPair(t, Epoll{}, "127.0.0.1")
	if m := arrive(t, way{Epoll{}, Terms{Streams: 1}}, a, b, 60000); m.Send != MethodSendBatch {
		t.Errorf("sent by %q", m.Send)
	}
}

func TestDescriptorsAreGivenBack(t *testing.T) {
	count := func() int {
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip(err)
		}
		return len(list)
	}
	a, b := joinedPair(t, Epoll{}, "127.0.0.1")
	before := count()
	for range 20 {
		x, y := joinedPair(t, Epoll{}, "127.0.0.1")
		arrive(t, way{Epoll{}, Terms{Streams: 1}}, x, y, 1000)
		x.Close()
		y.Close()
	}
	a.Close()
	b.Close()
	if after := count(); after > before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}
