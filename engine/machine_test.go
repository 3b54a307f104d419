package engine

import (
	"net/netip"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"linkpace/engine/internal/sock"
)

// This computer is asked once for real, about its load and the adapter of its
// loopback address.
func TestThisMachine(t *testing.T) {
	m := ThisMachine()
	loopback := netip.MustParseAddr("127.0.0.1")
	facts := m.Describe(loopback)
	if facts.OS == "" || facts.CPU == "" || facts.Cores < 1 {
		t.Errorf("it describes itself as %+v", facts)
	}
	g := m.Gauge(loopback)
	defer g.Close()
	h, err := g.Read()
	if err != nil {
		t.Fatal(err)
	}
	if len(h.Cores) == 0 || len(h.Cores) > facts.Cores {
		t.Errorf("%d cores, and shares of %d", facts.Cores, len(h.Cores))
	}
	if h.Interrupts != nil && len(h.Interrupts) != len(h.Cores) {
		t.Errorf("%d cores, and interrupts of %d", len(h.Cores), len(h.Interrupts))
	}
	if h.Own < 0 {
		t.Errorf("own is %v cores", h.Own)
	}
}

func TestSharesAreRounded(t *testing.T) {
	if got, want := roundAll([]float64{0, 1. / 3, 0.99996}), []float64{0, 0.3333, 1}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if roundAll(nil) != nil {
		t.Error("unknown became known")
	}
}

// counted is a machine that counts its gauges.
type counted struct {
	still
	opened, closed *atomic.Int32
}

func (c counted) Gauge(netip.Addr) Gauge { c.opened.Add(1); return c }
func (c counted) Close() error           { c.closed.Add(1); return nil }

func TestRunsCloseTheirGauges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var opened, closed atomic.Int32
		p := newPair(t, &sock.Mem{}, func(a, b *Config) {
			a.Machine = counted{opened: &opened, closed: &closed}
			b.Machine = a.Machine
		})
		for range 3 {
			p.run(t, short())
		}
		p.a.Wait()
		p.b.Wait()
		if opened.Load() != 6 || closed.Load() != 6 {
			t.Errorf("%d gauges were made, %d closed; want 6", opened.Load(), closed.Load())
		}
	})
}
