package thread

import (
	"errors"

	"golang.org/x/sys/unix"
)

// urgentNice is the niceness of a thread that may not be a real-time one.
const urgentNice = -10

// urgent takes the lowest real-time priority (sched(7)), which goes before every
// ordinary thread, and otherwise a better niceness. Threads that the runtime
// makes meanwhile do not inherit it.
func urgent() (undo func(), err error) {
	before, err := unix.SchedGetAttr(0, 0)
	if err != nil {
		return nil, err
	}
	// Timers of ordinary threads may be 50 us late to save wake-ups; 1 ns is the
	// least, 0 goes back to the default.
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	undo = func() {
		_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 0, 0, 0, 0)
		if unix.SchedSetAttr(0, before, 0) != nil {
			// Only root may take the flag back; it does no harm.
			before.Flags |= unix.SCHED_FLAG_RESET_ON_FORK
			_ = unix.SchedSetAttr(0, before, 0)
		}
	}
	realTime := unix.SchedAttr{Policy: unix.SCHED_FIFO, Priority: 1, Flags: unix.SCHED_FLAG_RESET_ON_FORK}
	errFIFO := unix.SchedSetAttr(0, &realTime, 0)
	if errFIFO == nil {
		return undo, nil
	}
	nicer := unix.SchedAttr{Policy: unix.SCHED_NORMAL, Nice: urgentNice, Flags: unix.SCHED_FLAG_RESET_ON_FORK}
	if errNice := unix.SchedSetAttr(0, &nicer, 0); errNice != nil {
		return undo, errors.Join(errFIFO, errNice)
	}
	return undo, nil
}
