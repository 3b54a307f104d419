package sock

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"linkpace/engine/units"
)

// tallied is a Counter that a test may look at meanwhile.
type tallied struct{ atomic.Int64 }

func (c *tallied) Add(n int) { c.Int64.Add(int64(n)) }

func loopbackPairs(t *testing.T, count int) (a, b []Stream) {
	t.Helper()
	l, err := Epoll{}.Listen(netip.MustParseAddrPort("127.0.0.1:0"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for range count {
		x, err := Epoll{}.Dial(t.Context(), l.Addr(), netip.Addr{}, Tuning{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { x.Close() })
		y, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { y.Close() })
		a, b = append(a, x), append(b, y)
	}
	return a, b
}

// Whatever rate this computer reaches: from some rate on every loop sweeps, and
// below another one none does, and each byte is counted once either way.
func TestSweepsCountEveryByte(t *testing.T) {
	for _, streams := range []int{1, 2, 9} {
		for _, pause := range []time.Duration{0, 300 * time.Millisecond} {
			t.Run(fmt.Sprintf("%d streams, pause of %v", streams, pause), func(t *testing.T) {
				a, b := loopbackPairs(t, streams)
				sending := Epoll{}.Hire(Terms{Streams: streams, Link: true})
				receiving := Epoll{}.Hire(Terms{Streams: streams, Link: true, Threads: 2}).(*epollWorkers)
				receiving.fast = 1e6
				defer sending.Close()
				defer receiving.Close()
				out, in := make([]tallied, streams), make([]tallied, streams)
				ended := make(chan error, 2*streams)
				for i := range a {
					go func() {
						err := sending.Send(t.Context(), a[i], Outgoing{Count: &out[i], Until: time.Now().Add(200 * time.Millisecond)})
						time.Sleep(pause) // long enough for the loop to find that nothing comes
						if pause > 0 && err == nil {
							err = sending.Send(t.Context(), a[i], Outgoing{Count: &out[i], Until: time.Now().Add(time.Hour), Limit: 1_000_000})
						}
						ended <- errors.Join(err, a[i].CloseWrite())
					}()
					go func() {
						ended <- receiving.Receive(t.Context(), b[i], Incoming{Count: &in[i], Until: time.Now().Add(time.Hour)})
					}()
				}
				for range 2 * streams {
					if err := <-ended; err != nil {
						t.Error(err)
					}
				}
				for i := range out {
					if out[i].Load() != in[i].Load() || in[i].Load() == 0 {
						t.Errorf("connection %d: sent %d bytes, received %d", i, out[i].Load(), in[i].Load())
					}
				}
			})
		}
	}
}

func TestCancelEndsASweep(t *testing.T) {
	a, b := loopbackPairs(t, 3)
	w := Epoll{}.Hire(Terms{Streams: 3, Link: true, Threads: 1}).(*epollWorkers)
	w.fast = 1
	sending := Epoll{}.Hire(Terms{Streams: 3, Link: true})
	defer w.Close()
	defer sending.Close()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 6)
	var in tallied
	for i := range a {
		go func() {
			ended <- sending.Send(ctx, a[i], Outgoing{Count: new(tallied), Until: time.Now().Add(time.Hour)})
		}()
		go func() { ended <- w.Receive(ctx, b[i], Incoming{Count: &in, Until: time.Now().Add(time.Hour)}) }()
	}
	for in.Load() < 100<<20 { // by then the loop sweeps
		time.Sleep(time.Millisecond)
	}
	cancel()
	for range 6 {
		if err := <-ended; err == nil {
			t.Error("a cancelled connection ended as if it were whole")
		}
	}
}

func TestNapsFollowTheRate(t *testing.T) {
	for _, c := range []struct {
		rate int
		n    int
		want time.Duration
	}{
		{0, 1, mostNap}, {1e6, 1, mostNap}, {100e9, 1, 41943 * time.Nanosecond}, {100e9, 4, 167772 * time.Nanosecond}, {1e15, 1, leastNap},
	} {
		if got := napFor(units.BitRate(c.rate), c.n); got != c.want {
			t.Errorf("%d bits a second over %d: %v, want %v", c.rate, c.n, got, c.want)
		}
	}
}
