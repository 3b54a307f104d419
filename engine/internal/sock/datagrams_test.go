package sock

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"sync"
	"testing"
	"time"

	"linkpace/engine/units"
)

// numbered is a Stamper that numbers datagrams.
type numbered struct {
	next  uint64
	calls int
	most  int // datagrams that were stamped at once
}

func (s *numbered) Stamp(b []byte, size int) {
	s.calls++
	s.most = max(s.most, len(b)/size)
	for i := 0; (i+1)*size <= len(b); i++ {
		binary.BigEndian.PutUint64(b[i*size:], s.next+uint64(i))
	}
}

func (s *numbered) Sent(n int) { s.next += uint64(n) }

// collected is a sink that has enough at a number of datagrams.
type collected struct {
	enough   int
	size     int
	seen     map[uint64]int
	odd      int // datagrams of another size
	together int
	arrivals []Arrival
}

// endless is more datagrams than ever come.
const endless = 1 << 30

func newCollected(size, enough int) *collected {
	return &collected{enough: enough, size: size, seen: map[uint64]int{}}
}

func (c *collected) Got(b []byte, size int, a Arrival) (bool, error) {
	c.arrivals = append(c.arrivals, a)
	n := 0
	for ; len(b) > 0; n++ {
		one := b[:min(size, len(b))]
		if b = b[len(one):]; len(one) != c.size {
			c.odd++
			continue
		}
		c.seen[binary.BigEndian.Uint64(one)]++
	}
	c.together = max(c.together, n)
	return len(c.seen) >= c.enough, nil
}

// way is one way of moving datagrams.
type way struct {
	net   Network
	terms Terms
}

// ways are all of them on this system.
func ways() map[string]way {
	return map[string]way{
		"memory":                 {&Mem{}, Terms{Streams: 1}},
		"portable":               {Portable{}, Terms{Streams: 1}},
		"best":                   {Best(), Terms{Streams: 1}},
		"best plain":             {Best(), Terms{Streams: 1, PlainDatagrams: true}},
		"best without raw calls": {Best(), Terms{Streams: 1, Plain: true}},
	}
}

// joinedPair joins two sockets to each other.
func joinedPair(t testing.TB, n Network, address string) (a, b Datagrams) {
	t.Helper()
	at := netip.MustParseAddr(address)
	free := func(port uint16) netip.AddrPort { return netip.AddrPortFrom(at, port) }
	probe, err := n.Join(free(0), free(9), Tuning{})
	if err != nil {
		t.Skipf("no UDP at %v: %v", at, err)
	}
	port := netip.MustParseAddrPort(probe.LocalAddr().String()).Port()
	if a, err = n.Join(free(0), free(port), Tuning{}); err != nil {
		t.Fatal(err)
	}
	probe.Close()
	if b, err = n.Join(free(port), netip.MustParseAddrPort(a.LocalAddr().String()), Tuning{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close(); b.Close() })
	return a, b
}

func TestDatagramsArrive(t *testing.T) {
	for name, w := range ways() {
		for _, address := range []string{"127.0.0.1", "::1"} {
			for _, size := range []int{32, 1000, 1472, 8000} {
				if w.net.Name() == "memory" && address == "::1" {
					continue
				}
				t.Run(fmt.Sprint(name, " ", address, " ", size), func(t *testing.T) {
					a, b := joinedPair(t, w.net, address)
					arrive(t, w, a, b, size)
				})
			}
		}
	}
}

// arrive sends datagrams from a to b, checks each, and says how they were moved.
func arrive(t *testing.T, w way, a, b Datagrams, size int) Methods {
	t.Helper()
	const n = 301
	c := w.net.HireCarriers(w.terms)
	out, in := &numbered{}, newCollected(size, n)
	far := time.Now().Add(20 * time.Second)
	var sending sync.WaitGroup
	sending.Go(func() {
		// At a rate, so that no buffer overflows on a busy computer.
		o := OutgoingDatagrams{Size: size, Stamper: out, Until: far, Rate: units.BitRate(size) * 8 * 5000, Limit: units.Bytes(n*size - 1)}
		if err := c.Send(t.Context(), a, o); err != nil {
			t.Error(err)
		}
	})
	err := c.Receive(t.Context(), b, IncomingDatagrams{Sink: in, Until: far})
	sending.Wait()
	if err != nil || len(in.seen) != n || in.odd != 0 || out.next != n {
		t.Errorf("%v; %d sent, %d came, %d of another size", err, out.next, len(in.seen), in.odd)
	}
	for number, copies := range in.seen {
		if number >= n || copies != 1 {
			t.Errorf("number %d came %d times", number, copies)
		}
	}
	m := c.Methods()
	if m.Send == "" || m.Receive == "" || m.Syscalls == "" {
		t.Errorf("moved by %+v", m)
	}
	t.Logf("%+v, at most %d together", m, in.together)
	return m
}

func TestDatagramsAsFastAsPossible(t *testing.T) {
	for name, w := range ways() {
		if w.net.Name() == "memory" {
			continue // no time passes there
		}
		t.Run(name, func(t *testing.T) {
			a, b := joinedPair(t, w.net, "127.0.0.1")
			c := w.net.HireCarriers(w.terms)
			out, in := &numbered{}, newCollected(1472, endless)
			until := time.Now().Add(300 * time.Millisecond)
			var sending sync.WaitGroup
			sending.Go(func() {
				if err := c.Send(t.Context(), a, OutgoingDatagrams{Size: 1472, Stamper: out, Until: until}); err != nil {
					t.Error(err)
				}
			})
			err := c.Receive(t.Context(), b, IncomingDatagrams{Sink: in, Until: until.Add(300 * time.Millisecond)})
			sending.Wait()
			if !errors.Is(err, os.ErrDeadlineExceeded) || len(in.seen) == 0 || len(in.seen) > int(out.next) {
				t.Errorf("%v; %d sent, %d came", err, out.next, len(in.seen))
			}
			dropped, known := b.Dropped()
			if lost := out.next - uint64(len(in.seen)); lost > 0 && known && dropped == 0 {
				t.Errorf("%d lost on loopback, and the socket says it dropped none", lost)
			}
		})
	}
}

func TestRateOfDatagrams(t *testing.T) {
	for name, w := range ways() {
		if w.net.Name() == "memory" {
			continue
		}
		for _, rate := range []units.BitRate{200_000, 50e6} {
			t.Run(fmt.Sprint(name, " ", rate), func(t *testing.T) {
				a, _ := joinedPair(t, w.net, "127.0.0.1")
				out := &numbered{}
				const span = 200 * time.Millisecond
				o := OutgoingDatagrams{Size: 1000, Stamper: out, Until: time.Now().Add(span), Rate: rate}
				if err := w.net.HireCarriers(w.terms).Send(t.Context(), a, o); err != nil {
					t.Fatal(err)
				}
				// A busy computer may send less; more must never be.
				most := uint64(rate.In(span+20*time.Millisecond))/1000 + 2
				if out.next == 0 || out.next > most {
					t.Errorf("%d datagrams, want at most %d", out.next, most)
				}
				if together := max(int(rate.In(runTime)/1000), 1); out.most > together {
					t.Errorf("%d left together, at %v %d should", out.most, rate, together)
				}
			})
		}
	}
}

func TestCarriersEndWithTheContext(t *testing.T) {
	for name, w := range ways() {
		t.Run(name, func(t *testing.T) {
			a, b := joinedPair(t, w.net, "127.0.0.1")
			c := w.net.HireCarriers(w.terms)
			why := errors.New("enough of it")
			ctx, cancel := context.WithCancelCause(t.Context())
			far := time.Now().Add(time.Hour)
			ended := make(chan error, 2)
			go func() {
				ended <- c.Send(ctx, a, OutgoingDatagrams{Size: 100, Stamper: &numbered{}, Until: far, Rate: 1e6})
			}()
			go func() { ended <- c.Receive(ctx, b, IncomingDatagrams{Sink: newCollected(100, endless), Until: far}) }()
			cancel(why)
			for range 2 {
				if err := <-ended; !errors.Is(err, why) {
					t.Errorf("ended with %v", err)
				}
			}
		})
	}
}

func TestNobodyListens(t *testing.T) {
	for name, w := range ways() {
		t.Run(name, func(t *testing.T) {
			a, b := joinedPair(t, w.net, "127.0.0.1")
			b.Close()
			o := OutgoingDatagrams{Size: 100, Stamper: &numbered{}, Until: time.Now().Add(50 * time.Millisecond), Rate: 1e6}
			if err := w.net.HireCarriers(w.terms).Send(t.Context(), a, o); err != nil {
				t.Errorf("the other system's answer ended sending: %v", err)
			}
		})
	}
}

func TestFreePortsDiffer(t *testing.T) {
	at := netip.MustParseAddrPort("127.0.0.1:0")
	to := netip.MustParseAddrPort("127.0.0.1:9")
	ports := map[string]bool{}
	for range 500 {
		d, err := Best().Join(at, to, Tuning{})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		if at := d.LocalAddr().String(); ports[at] {
			t.Fatalf("two sockets at %s", at)
		} else {
			ports[at] = true
		}
	}
}

func TestReceiveBufferIsRoomy(t *testing.T) {
	a, _ := joinedPair(t, Best(), "127.0.0.1")
	if g := a.Granted(); g.ReceiveBuffer == 0 {
		t.Skip("this system does not tell")
	} else {
		t.Logf("granted %d bytes", g.ReceiveBuffer)
	}
	if got := a.MaxPayload(); got != maxPathMTU-headers4 && got != usualMTU-headers4 {
		t.Errorf("over loopback %d bytes fit", got)
	}
}

func TestPayloadFor(t *testing.T) {
	for _, c := range []struct {
		mtu  int
		ipv6 bool
		want int
	}{
		{0, false, 1472}, {0, true, 1452}, {1500, false, 1472}, {9000, false, 8972}, {65536, false, 8972}, {65536, true, 8952}, {1280, true, 1232}, {3, false, 32}, {-1, true, 32},
	} {
		if got := PayloadFor(c.mtu, c.ipv6); got != c.want {
			t.Errorf("MTU %d, IPv6 %v: %d, want %d", c.mtu, c.ipv6, got, c.want)
		}
	}
}
