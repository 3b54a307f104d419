package native_test

import (
	"context"
	"errors"
	"net/netip"
	"os"
	"testing"
	"time"

	"linkpace/engine/internal/meter"
	"linkpace/engine/internal/sock"
	"linkpace/engine/protocol/native"
)

// join connects two streams over a network, the fake one or the real one.
func join(t *testing.T, n sock.Network) (a, b sock.Stream) {
	t.Helper()
	l, err := n.Listen(netip.MustParseAddrPort("127.0.0.1:0"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if a, err = n.Dial(context.Background(), l.Addr(), netip.Addr{}, sock.Tuning{}); err != nil {
		t.Fatal(err)
	}
	if b, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close(); b.Close() })
	return a, b
}

func networks() map[string]sock.Network {
	return map[string]sock.Network{"memory": &sock.Mem{}, "portable": sock.Portable{}, "best": sock.Best()}
}

func TestReceiverCountsWhatSenderSent(t *testing.T) {
	for name, n := range networks() {
		for variant, c := range map[string]native.Content{
			"plain":    {Block: 10000},
			"verified": {Block: 10000, Verify: true, Seed: 99},
			"paced":    {Block: 10000, Rate: 8e6},
		} {
			t.Run(name+" "+variant, func(t *testing.T) {
				a, b := join(t, n)
				w := n.Hire(sock.Terms{Streams: 1})
				defer w.Close()
				var sent, received meter.Counter
				end := time.Now().Add(100 * time.Millisecond)
				failed := make(chan error, 1)
				go func() { failed <- native.Send(t.Context(), w, a, c, &sent, end) }()
				if err := native.Receive(t.Context(), w, b, c, &received, end.Add(20*time.Second)); err != nil {
					t.Fatal(err)
				}
				if err := <-failed; err != nil {
					t.Fatal(err)
				}
				if sent.Bytes() != received.Bytes() || sent.Bytes() == 0 {
					t.Errorf("sent %d bytes, received %d", sent.Bytes(), received.Bytes())
				}
				if c.Rate > 0 && sent.Bytes() > c.Rate.In(200*time.Millisecond) {
					t.Errorf("sent %d bytes in 100 ms at %v", sent.Bytes(), c.Rate)
				}
			})
		}
	}
}

func TestCancelEndsBothSides(t *testing.T) {
	for name, n := range networks() {
		t.Run(name, func(t *testing.T) {
			a, b := join(t, n)
			ctx, cancel := context.WithCancel(t.Context())
			far := time.Now().Add(time.Hour)
			w := n.Hire(sock.Terms{Streams: 1})
			defer w.Close()
			c := native.Content{}
			ended := make(chan error, 2)
			var sent, received meter.Counter
			go func() { ended <- native.Send(ctx, w, a, c, &sent, far) }()
			go func() { ended <- native.Receive(ctx, w, b, c, &received, far) }()
			cancel()
			for range 2 {
				if err := <-ended; err == nil {
					t.Error("a broken flow ended as if it were whole")
				}
			}
		})
	}
}

func TestReceiverGivesUpOnASilentSender(t *testing.T) {
	for name, n := range networks() {
		t.Run(name, func(t *testing.T) {
			_, b := join(t, n)
			var received meter.Counter
			err := native.Receive(t.Context(), n.Hire(sock.Terms{}), b, native.Content{}, &received, time.Now().Add(20*time.Millisecond))
			if !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("got %v, want a passed deadline", err)
			}
		})
	}
}

func TestVerifyCatchesAnotherSeed(t *testing.T) {
	n := &sock.Mem{}
	a, b := join(t, n)
	var sent, received meter.Counter
	end := time.Now().Add(50 * time.Millisecond)
	go native.Send(t.Context(), n.Hire(sock.Terms{}), a, native.Content{Block: 1000, Verify: true, Seed: 1}, &sent, end)
	err := native.Receive(t.Context(), n.Hire(sock.Terms{}), b, native.Content{Block: 1000, Verify: true, Seed: 2}, &received, end.Add(10*time.Second))
	var corrupt *native.CorruptError
	if !errors.As(err, &corrupt) || corrupt.Offset != 0 {
		t.Errorf("got %v, want the place of the first wrong byte", err)
	}
}
