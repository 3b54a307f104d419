package load

import "time"

// core is the time that one core spent since the system started, in seconds.
type core struct {
	name       string
	busy, idle float64
}

// snapshot is one reading of all counters.
type snapshot struct {
	at    time.Time
	own   time.Duration
	cores []core
}

// shares turns two readings of the counters into what happened in between. A
// counter that went backwards (a virtual machine that moved, a core that was
// taken out and came back) counts as one that stood still.
func shares(before, now snapshot) Reading {
	reading := Reading{Cores: make([]float64, len(now.cores))}
	earlier := make(map[string]core, len(before.cores))
	for _, c := range before.cores {
		earlier[c.name] = c
	}
	for i, c := range now.cores {
		if from, ok := earlier[c.name]; ok {
			reading.Cores[i] = busyShare(from, c)
		}
	}
	if wall := now.at.Sub(before.at); wall > 0 {
		reading.Own = max(0, (now.own-before.own).Seconds()/wall.Seconds())
	}
	return reading
}

// busyShare measures busy against busy and idle together rather than against a
// clock: both tick in the same coarse steps, so the share stays within 0 to 1.
func busyShare(from, to core) float64 {
	busy, idle := max(0, to.busy-from.busy), max(0, to.idle-from.idle)
	if busy+idle == 0 {
		return 0
	}
	return busy / (busy + idle)
}
