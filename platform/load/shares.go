package load

import "time"

// core is the time that one core spent since the system started, in whatever
// unit the system counts.
type core struct {
	id         int
	busy, idle float64
	// interrupts is part of busy.
	interrupts float64
}

// snapshot is one reading of all counters.
type snapshot struct {
	// at is on a clock that only goes forward.
	at    time.Duration
	own   time.Duration
	cores []core
}

// shares turns two readings of the counters into what happened in between. A
// counter that went backwards (a virtual machine that moved, a core that was
// taken out and came back) counts as one that stood still.
func shares(before, now snapshot) Reading {
	reading := Reading{Cores: make([]float64, len(now.cores))}
	if countsInterrupts(now.cores) {
		reading.Interrupts = make([]float64, len(now.cores))
	}
	for i, to := range now.cores {
		from, ok := find(before.cores, i, to.id)
		if !ok {
			continue
		}
		busy, interrupts := split(from, to)
		reading.Cores[i] = busy
		if reading.Interrupts != nil {
			reading.Interrupts[i] = interrupts
		}
	}
	if wall := now.at - before.at; wall > 0 {
		reading.Own = max(0, (now.own-before.own).Seconds()/wall.Seconds())
	}
	return reading
}

// countsInterrupts says whether the system counts interrupts at all: where none
// took any time since the system started (wine, some sandboxes), it does not.
func countsInterrupts(cores []core) bool {
	for _, c := range cores {
		if c.interrupts > 0 {
			return true
		}
	}
	return false
}

// find looks for a core, first where it is unless cores came or went.
func find(cores []core, likely, id int) (core, bool) {
	if likely < len(cores) && cores[likely].id == id {
		return cores[likely], true
	}
	for _, c := range cores {
		if c.id == id {
			return c, true
		}
	}
	return core{}, false
}

// split measures busy against busy and idle together rather than against a
// clock: both tick in the same coarse steps, so the shares stay within 0 to 1.
func split(from, to core) (busy, interrupts float64) {
	spent, rest := max(0, to.busy-from.busy), max(0, to.idle-from.idle)
	if spent+rest == 0 {
		return 0, 0
	}
	inInterrupts := min(spent, max(0, to.interrupts-from.interrupts))
	return spent / (spent + rest), inInterrupts / (spent + rest)
}
