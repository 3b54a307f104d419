// Package load tells how busy the processor of this computer is, and how much
// of that is this program.
package load

import (
	"fmt"
	"sync"
)

// Reading is the load between two readings of a Meter.
type Reading struct {
	// Cores is each core's busy share, 0 to 1. Time that a hypervisor took away
	// (steal) counts as busy: the program could not have it.
	Cores []float64
	// Interrupts is the part of each core's time that went to interrupts and to
	// what they leave to be done, as the network does: hard and soft interrupts
	// on Linux, interrupts and DPCs on Windows. Cores includes it; neither system
	// charges all of it to a program. It is nil where the system does not tell.
	Interrupts []float64
	// Own is this process's processor time, all threads together, as a number of
	// cores: 1 is one core kept busy, 2 is two.
	Own float64
}

// Counters are what the system counts of its processors. They keep a file open
// on Linux, for as long as anybody refers to them.
type Counters struct {
	mu     sync.Mutex
	source source
}

// Open makes the counters ready. What fails shows when they are read.
func Open() *Counters { return &Counters{source: openSource()} }

// Meter returns a Meter whose first reading is the average since now.
func (c *Counters) Meter() *Meter { return newMeter(c.take) }

// take reads all counters. Time and own time are read last and together,
// because they are set against each other.
func (c *Counters) take() (snapshot, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	cores, err := c.source.cores()
	if err != nil {
		return snapshot{}, fmt.Errorf("reading processor times: %w", err)
	}
	own, err := c.source.own()
	if err != nil {
		return snapshot{}, fmt.Errorf("reading this program's processor time: %w", err)
	}
	return snapshot{at: c.source.now(), own: own, cores: cores}, nil
}

// Meter reads the load since it was last read. It may be used from several
// goroutines, but each reading ends the stretch of all of them.
type Meter struct {
	mu    sync.Mutex
	last  snapshot
	begun bool
	take  func() (snapshot, error)
}

func newMeter(take func() (snapshot, error)) *Meter {
	m := &Meter{take: take}
	// A failure shows again, and is returned, at the first Read.
	first, err := take()
	m.last, m.begun = first, err == nil
	return m
}

// Read gives the load since the previous Read. After an error the next reading
// covers the time since the last good one.
func (m *Meter) Read() (Reading, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now, err := m.take()
	if err != nil {
		return Reading{}, err
	}
	before := m.last
	if !m.begun {
		before = now
	}
	m.last, m.begun = now, true
	return shares(before, now), nil
}
