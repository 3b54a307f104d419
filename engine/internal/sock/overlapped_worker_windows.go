package sock

import (
	"runtime"
	"slices"
	"sync"
	"time"
	"unsafe"

	"linkpace/engine/internal/thread"
)

// overlappedWorker is a thread with a completion port. Everything that its
// transfers do, they do on it.
type overlappedWorker struct {
	port *completionPort
	// Shared by all transfers of link mode: what is sent, and where what arrives
	// overwrites what arrived before.
	filler, drain pages

	mu     sync.Mutex
	fresh  []*transfer // that are to begin
	inbox  []*transfer // that want to be looked at
	quit   bool
	closed bool // the port is
	// refused is what the system said against the processors that were asked for.
	refused error

	active   []*transfer  // those under way
	called   []*transfer  // the inbox while it is worked on
	atOnce   []*operation // ended during the call that handed them over
	ended    []*operation // atOnce while it is worked on
	quitting bool
	gone     chan struct{}
}

// begin has the worker carry a transfer out.
func (w *overlappedWorker) begin(t *transfer) { w.leaveWord(&w.fresh, t) }

// call has the worker look at a transfer.
func (w *overlappedWorker) call(t *transfer) { w.leaveWord(&w.inbox, t) }

func (w *overlappedWorker) leaveWord(where *[]*transfer, t *transfer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	first := len(w.fresh)+len(w.inbox) == 0
	*where = append(*where, t)
	if first && !w.closed {
		w.port.ring()
	}
}

// stop ends the thread when the system has nothing of its transfers any more,
// and waits for that.
func (w *overlappedWorker) stop() {
	w.mu.Lock()
	w.quit = true
	w.mu.Unlock()
	w.port.ring()
	<-w.gone
	w.mu.Lock()
	w.closed = true // an alarm may come late
	w.port.close()
	w.mu.Unlock()
	w.filler.free()
	w.drain.free()
}

// idle is after how many milliseconds a worker looks around without having
// been rung for, should the system ever lose the ringing.
const idle = 1000

func (w *overlappedWorker) run(cpus []int) {
	defer close(w.gone)
	runtime.LockOSThread() // for the thread to end with what Pin sets of it
	err := thread.Pin(cpus)
	w.mu.Lock()
	w.refused = err
	w.mu.Unlock()
	for !w.round() {
	}
}

func (w *overlappedWorker) refusal() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.refused
}

// round works on what has ended and on who called, and reports whether the
// thread may end.
func (w *overlappedWorker) round() bool {
	wait := uint32(idle)
	if len(w.atOnce) > 0 {
		wait = 0
	}
	entries := w.port.wait(wait)
	now := time.Now()
	for i := range entries {
		if o := entries[i].overlapped; o != nil {
			entries[i].overlapped = nil
			op := (*operation)(unsafe.Pointer(o))
			op.of.ended(op, now)
		}
	}
	w.ended, w.atOnce = w.atOnce, w.ended[:0]
	for _, op := range w.ended {
		op.of.ended(op, now)
	}
	quit := w.takeCalls()
	now = time.Now() // not before an alarm that has called
	if quit && !w.quitting {
		w.quitting = true
		for _, t := range w.active {
			t.job.hurry(now)
		}
		w.called = append(w.called, w.active...)
	}
	for _, t := range w.called {
		t.rings = time.Time{}
		t.look(now)
	}
	clear(w.called)
	return quit && len(w.active) == 0
}

func (w *overlappedWorker) takeCalls() (quit bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.called, w.inbox = w.inbox, w.called[:0]
	for _, t := range w.fresh {
		if !t.over { // shut before it began
			w.active = append(w.active, t)
		}
	}
	w.called = append(w.called, w.fresh...)
	clear(w.fresh)
	w.fresh = w.fresh[:0]
	return w.quit
}

// forget ends the care for a transfer.
func (w *overlappedWorker) forget(t *transfer) {
	w.active = slices.DeleteFunc(w.active, func(one *transfer) bool { return one == t })
}
