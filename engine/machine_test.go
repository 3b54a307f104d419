package engine

import (
	"net/netip"
	"slices"
	"testing"
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
	h, err := m.Gauge(loopback).Read()
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
