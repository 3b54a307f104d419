// Package load tells how busy the processor of this computer is, and how much
// of that is this program.
package load

import (
	"fmt"
	"sync"
	"time"

	"github.com/shirou/gopsutil/v3/cpu"
)

// Reading is the load between two readings of a Meter.
type Reading struct {
	// Cores is each core's busy share, 0 to 1.
	Cores []float64
	// Own is this process's processor time as a number of cores: 1 is one core
	// kept busy, 2 is two.
	Own float64
}

// Meter reads the load since it was last read. It may be used from several
// goroutines, but each reading ends the stretch of all of them.
type Meter struct {
	mu   sync.Mutex
	last snapshot
	take func() (snapshot, error)
}

// New returns a Meter whose first reading is the average since now.
func New() *Meter { return newMeter(take) }

func newMeter(take func() (snapshot, error)) *Meter {
	m := &Meter{take: take}
	// A failure shows again, and is returned, at the first Read.
	m.last, _ = take()
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
	m.last = now
	if before.at.IsZero() {
		before = now
	}
	return shares(before, now), nil
}

// take reads the counters of the system and of this process.
func take() (snapshot, error) {
	times, err := cpu.Times(true)
	if err != nil {
		return snapshot{}, fmt.Errorf("reading processor times: %w", err)
	}
	own, err := ownTime()
	if err != nil {
		return snapshot{}, fmt.Errorf("reading this program's processor time: %w", err)
	}
	s := snapshot{at: time.Now(), own: own, cores: make([]core, len(times))}
	for i, t := range times {
		s.cores[i] = coreOf(t)
	}
	return s, nil
}

// coreOf adds up what keeps a core from doing more: time stolen by a
// hypervisor is as lost as time used. Guest time is part of User already.
func coreOf(t cpu.TimesStat) core {
	return core{
		name: t.CPU,
		busy: t.User + t.Nice + t.System + t.Irq + t.Softirq + t.Steal,
		idle: t.Idle + t.Iowait,
	}
}
