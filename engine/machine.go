package engine

import (
	"fmt"
	"math"
	"net/netip"
	"runtime"

	"linkpace/engine/model"
	"linkpace/engine/units"
	"linkpace/platform"
	"linkpace/platform/link"
	"linkpace/platform/load"
)

// Machine tells about the computer that the engine runs on.
type Machine interface {
	// Describe gives the facts about this computer and the adapter that owns a
	// local address.
	Describe(local netip.Addr) model.Endpoint
	// Gauge starts measuring its load, with the counters of that adapter.
	Gauge(local netip.Addr) Gauge
}

// Gauge reads the load since its previous reading.
type Gauge interface {
	Read() (model.Host, error)
	// Close gives back what reading takes.
	Close() error
}

// ThisMachine is the computer itself.
func ThisMachine() Machine {
	name, cores := load.CPU()
	if cores == 0 {
		cores = runtime.NumCPU()
	}
	return &machine{facts: model.Endpoint{OS: platform.OSName(), CPU: name, Cores: cores}, counters: load.Open()}
}

type machine struct {
	facts    model.Endpoint
	counters *load.Counters
}

func (m *machine) Describe(local netip.Addr) model.Endpoint {
	facts := m.facts
	if adapter, err := link.ByAddress(local); err == nil {
		facts.Adapter = AdapterFacts(adapter)
	}
	return facts
}

// AdapterFacts gives an adapter of this computer as it is told to others.
func AdapterFacts(a link.Adapter) model.Adapter {
	return model.Adapter{Name: a.Name, Kind: model.AdapterKind(a.Kind), Link: units.BitRate(a.LinkBPS), Duplex: a.Duplex, MTU: a.MTU}
}

func (m *machine) Gauge(local netip.Addr) Gauge {
	g := &gauge{load: m.counters.Meter()}
	if adapter, err := link.ByAddress(local); err == nil {
		g.adapter = link.WatchCounters(adapter.Name)
	}
	return g
}

type gauge struct {
	load    *load.Meter
	adapter *link.Watch // nil where no adapter has the address
}

// Read gives what is to be had: counters without load, or load without counters.
func (g *gauge) Read() (model.Host, error) {
	var h model.Host
	reading, err := g.load.Read()
	if err == nil {
		h.Own = rounded(reading.Own)
		h.Cores, h.Interrupts = roundAll(reading.Cores), roundAll(reading.Interrupts)
	}
	if g.adapter != nil {
		counters, failed := g.adapter.Read()
		if failed != nil && err == nil {
			err = fmt.Errorf("read adapter counters: %w", failed)
		}
		h.AdapterRx, h.AdapterTx = units.Bytes(counters.Rx), units.Bytes(counters.Tx)
	}
	return h, err
}

// Close implements Gauge.
func (g *gauge) Close() error {
	if g.adapter == nil {
		return nil
	}
	return g.adapter.Close()
}

func roundAll(shares []float64) []float64 {
	for i, v := range shares {
		shares[i] = rounded(v)
	}
	return shares
}

// rounded keeps a share to a hundredth of a percent; more is noise, and samples
// travel as text.
func rounded(v float64) float64 { return math.Round(v*1e4) / 1e4 }
