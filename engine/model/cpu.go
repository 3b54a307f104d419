package model

import (
	"time"

	"linkpace/engine/units"
)

// CPU is what the processors of both computers did in the measured window.
// Zero fields are unknown or nothing.
type CPU struct {
	// LocalMean is the average over all cores, 0 to 1.
	LocalMean float64 `json:"local_mean,omitempty"`
	// LocalCoreMax is the average of the core that was busiest on average.
	LocalCoreMax  float64 `json:"local_core_max,omitempty"`
	RemoteMean    float64 `json:"remote_mean,omitempty"`
	RemoteCoreMax float64 `json:"remote_core_max,omitempty"`
	// LocalPerByte is the processor time that this program spent for each byte
	// of payload, both directions together, in nanoseconds.
	LocalPerByte  float64 `json:"local_ns_per_byte,omitempty"`
	RemotePerByte float64 `json:"remote_ns_per_byte,omitempty"`
	// LocalInterrupts is the part of LocalMean that went to interrupts and the
	// network's work after them.
	LocalInterrupts  float64 `json:"local_interrupts,omitempty"`
	RemoteInterrupts float64 `json:"remote_interrupts,omitempty"`
	// LocalOwn is this program's processor time as a number of cores.
	LocalOwn  float64 `json:"local_own_cores,omitempty"`
	RemoteOwn float64 `json:"remote_own_cores,omitempty"`
}

// maxOwn bounds what a damaged reading can claim, in cores.
const maxOwn = 4096

// load adds up readings of one computer, weighted by time.
type load struct {
	time  float64
	own   float64 // core nanoseconds of this program
	cores []float64
	spans []float64 // how long each core was watched

	interrupts float64 // core nanoseconds of all cores
	watched    float64 // core nanoseconds in which interrupts were told apart
}

// cpuOf averages the readings between from and to, and is nil without any.
func cpuOf(hosts map[Side][]Sample, from, to time.Duration, carried units.Bytes) *CPU {
	local, remote := loadWithin(hosts[Local], from, to), loadWithin(hosts[Remote], from, to)
	if local.time == 0 && remote.time == 0 {
		return nil
	}
	var c CPU
	c.LocalMean, c.LocalCoreMax = local.cpu()
	c.RemoteMean, c.RemoteCoreMax = remote.cpu()
	c.LocalInterrupts, c.RemoteInterrupts = quotient(local.interrupts, local.watched), quotient(remote.interrupts, remote.watched)
	c.LocalOwn, c.RemoteOwn = quotient(local.own, local.time), quotient(remote.own, remote.time)
	if carried > 0 {
		c.LocalPerByte, c.RemotePerByte = local.own/float64(carried), remote.own/float64(carried)
	}
	return &c
}

// loadWithin counts each reading for the part of its stretch (since the
// previous reading) that lies between from and to.
func loadWithin(readings []Sample, from, to time.Duration) load {
	var l load
	var before time.Duration
	for _, s := range readings {
		if overlap := min(s.At, to) - max(before, from); overlap > 0 {
			l.add(s.Host, float64(overlap))
		}
		before = s.At
	}
	return l
}

func (l *load) add(h *Host, span float64) {
	l.time += span
	l.own += span * min(max(h.Own, 0), maxOwn)
	for i, share := range h.Cores {
		if i == len(l.cores) {
			l.cores, l.spans = append(l.cores, 0), append(l.spans, 0)
		}
		l.cores[i] += span * min(max(share, 0), 1)
		l.spans[i] += span
	}
	for _, share := range h.Interrupts {
		l.interrupts += span * min(max(share, 0), 1)
		l.watched += span
	}
}

func quotient(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

// cpu gives the average over all cores and that of the busiest one.
func (l *load) cpu() (mean, busiest float64) {
	var busy, watched float64
	for i, b := range l.cores {
		busy, watched = busy+b, watched+l.spans[i]
		busiest = max(busiest, b/l.spans[i])
	}
	return quotient(busy, watched), busiest
}
