package sock

import (
	"context"
	"fmt"
	"net"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"linkpace/engine/internal/thread"
)

const (
	// turn is how many bytes one connection moves, and turnCalls in how many steps
	// at most, before the next has its turn.
	turn      = 2 << 20
	turnCalls = 64
	// loopBlock is the most that one call moves where nobody asked for less.
	loopBlock = 1 << 20
	// patience is the longest that a loop waits without looking at its tasks.
	patience = 100 * time.Millisecond
	// wakeSlot is the slot of the descriptor that wakes a loop.
	wakeSlot = -1
)

// loop is one thread that serves a share of the connections.
type loop struct {
	crew   *epollWorkers
	call   caller
	ep     int
	bell   int // eventfd that wakes the loop
	events []unix.EpollEvent
	tasks  []*task // by slot; nil is a free slot
	active int
	due    time.Time // when to look at all tasks the next time
	send   sender
	recv   receiver
	wakes  wakeCount
	pace   pacemeter
	swept  bool          // connections are read in turn, nobody is told of packets
	slept  unix.Timespec // of a nap; not on the stack, which may move
	refuse error         // of a wish about the thread

	mu      sync.Mutex
	arrived []*task
	closing bool

	cancelled atomic.Bool // some task was
	rung      atomic.Bool // the bell was, since accept looked
}

// task is the payload of one connection.
type task struct {
	out *Outgoing
	in  *Incoming

	fd        int
	mss       int // of a sender; 0 is unknown
	slot      int
	until     time.Time
	count     Counter
	quota     *quota
	watched   bool // epoll tells when it is ready
	resting   bool // nothing is to be sent until quota.ready
	lowat     lowat
	cancelled atomic.Bool
	done      chan error
}

func newLoop(crew *epollWorkers) (*loop, error) {
	l := &loop{crew: crew, ep: -1, bell: -1, events: make([]unix.EpollEvent, 128)}
	var err error
	if l.ep, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return nil, fmt.Errorf("create epoll: %w", err)
	}
	if l.bell, err = unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK); err != nil {
		l.free()
		return nil, fmt.Errorf("create eventfd: %w", err)
	}
	if err = unix.EpollCtl(l.ep, unix.EPOLL_CTL_ADD, l.bell, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: wakeSlot}); err != nil {
		l.free()
		return nil, fmt.Errorf("watch eventfd: %w", err)
	}
	l.send.init(crew.terms)
	l.recv.init(crew.terms)
	return l, nil
}

// free gives everything back to the system.
func (l *loop) free() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.send.free()
	l.recv.free()
	for _, fd := range []int{l.ep, l.bell} {
		if fd >= 0 {
			_ = unix.Close(fd)
		}
	}
	l.ep, l.bell = -1, -1
}

// do has the loop carry out a task over a connection.
func (l *loop) do(ctx context.Context, s *epollStream, t *task) error {
	fd, err := s.take(func() { l.cancel(t) })
	if err != nil {
		return errOr(ctx, err)
	}
	defer s.giveBack()
	t.fd, t.done = fd, make(chan error, 1)
	if !l.give(t) {
		return net.ErrClosed
	}
	defer context.AfterFunc(ctx, func() { l.cancel(t) })()
	err = <-t.done
	if ctx.Err() != nil {
		_ = s.end(true)
	}
	if s.ended() {
		err = net.ErrClosed
	}
	return errOr(ctx, err)
}

// cancel has the loop end a task.
func (l *loop) cancel(t *task) {
	t.cancelled.Store(true)
	l.cancelled.Store(true)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ring()
}

// give hands a task to the loop, unless that has ended.
func (l *loop) give(t *task) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closing {
		return false
	}
	l.arrived = append(l.arrived, t)
	l.ring()
	return true
}

// ring wakes the loop. The caller holds mu: the bell of a loop that has ended
// may be somebody else's descriptor by now.
func (l *loop) ring() {
	l.rung.Store(true)
	if l.bell >= 0 {
		_, _ = unix.Write(l.bell, []byte{1, 0, 0, 0, 0, 0, 0, 0})
	}
}

func (l *loop) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closing = true
	l.ring()
}

// run serves until the loop is stopped.
func (l *loop) run() {
	defer l.free()
	l.call.raw = !l.crew.terms.Plain
	if len(l.crew.terms.CPUs) > 0 {
		runtime.LockOSThread() // never unlocked: the thread ends with its wish
		l.refuse = thread.Pin(l.crew.terms.CPUs)
	}
	for l.accept() {
		switch {
		case l.busy():
			l.sweep()
		case l.lonely():
			l.alone()
		default:
			l.serve()
		}
	}
	for _, t := range l.tasks {
		if t != nil {
			l.finish(t, net.ErrClosed)
		}
	}
}

// serve waits for whoever is ready, and moves some of their payload.
func (l *loop) serve() {
	n := l.wait()
	now := time.Now()
	for _, e := range l.events[:n] {
		if e.Fd == wakeSlot {
			var rung [8]byte
			_, _ = unix.Read(l.bell, rung[:])
		} else if t := l.tasks[e.Fd]; t != nil {
			l.turn(t, now)
		}
	}
	if !now.Before(l.due) || l.cancelled.Swap(false) {
		l.look(now)
	}
}

// wait waits until something is to be done.
func (l *loop) wait() int {
	ms := int((min(time.Until(l.due), patience) + time.Millisecond - 1) / time.Millisecond)
	call := l.call
	call.raw = call.raw && l.wakes.many()
	n, err := call.wait(l.ep, l.events, max(ms, 0))
	if err != 0 {
		return 0 // EINTR: the runtime wants something, or a signal came
	}
	if n > 0 {
		l.wakes.add()
	}
	return n
}

// accept takes tasks in, and reports false when the loop is to end.
func (l *loop) accept() bool {
	l.rung.Store(false)
	l.mu.Lock()
	arrived, closing := l.arrived, l.closing
	l.arrived = nil
	l.mu.Unlock()
	for _, t := range arrived {
		l.begin(t)
	}
	return !closing
}

func (l *loop) begin(t *task) {
	now := time.Now()
	if t.out != nil {
		t.until, t.count, t.quota = t.out.Until, t.out.Count, newQuota(*t.out, l.send.block, now)
		l.send.prepare(t)
	} else {
		t.until, t.count, t.lowat.since, t.lowat.most = t.in.Until, t.in.Count, now, l.recv.mayWait(t)
	}
	for t.slot = 0; t.slot < len(l.tasks) && l.tasks[t.slot] != nil; {
		t.slot++
	}
	if t.slot == len(l.tasks) {
		l.tasks = append(l.tasks, nil)
	}
	l.tasks[t.slot] = t
	l.active++
	l.due = now
	if t.out != nil || l.shared() {
		l.watch(t)
	}
}

// shared reports whether a loop serves, or is to serve, several connections.
func (l *loop) shared() bool { return l.active > 1 || l.crew.terms.Streams > l.crew.most }

// watch has the loop told when a connection is ready.
func (l *loop) watch(t *task) {
	event := unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(t.slot)}
	if t.out != nil {
		event.Events = unix.EPOLLOUT
	}
	if err := unix.EpollCtl(l.ep, unix.EPOLL_CTL_ADD, t.fd, &event); err != nil {
		l.finish(t, fmt.Errorf("watch connection: %w", err))
		return
	}
	t.watched = true
}

// look finds tasks whose time is up, that were cancelled, or that may send again.
func (l *loop) look(now time.Time) {
	l.due = now.Add(patience)
	for _, t := range l.tasks {
		switch {
		case t == nil:
		case t.cancelled.Load():
			l.finish(t, context.Canceled)
		case !now.Before(t.until):
			l.finish(t, t.late())
		case t.resting && !now.Before(t.quota.ready):
			l.rest(t, false)
			l.turn(t, now)
		}
		if t != nil && l.tasks[t.slot] == t {
			l.due = earlier(l.due, t.until)
			if t.resting {
				l.due = earlier(l.due, t.quota.ready)
			}
		}
	}
}

// late is what a task ends with when its time is up.
func (t *task) late() error {
	if t.out != nil {
		return nil
	}
	return os.ErrDeadlineExceeded
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// turn moves some payload of a task.
func (l *loop) turn(t *task, now time.Time) {
	switch {
	case t.out == nil:
		l.recv.turn(l, t, now)
	case t.quota.over(now):
		l.finish(t, nil)
	default:
		l.send.turn(l, t, now)
	}
}

// rest stops listening to a connection until its quota is ready, or goes on.
func (l *loop) rest(t *task, on bool) {
	t.resting = on
	if on {
		l.due = earlier(l.due, t.quota.ready)
	}
	event := unix.EpollEvent{Fd: int32(t.slot)}
	if !on {
		event.Events = unix.EPOLLOUT
	}
	if err := unix.EpollCtl(l.ep, unix.EPOLL_CTL_MOD, t.fd, &event); err != nil {
		l.finish(t, fmt.Errorf("watch connection: %w", err))
	}
}

// finish ends a task.
func (l *loop) finish(t *task, err error) {
	if t.watched {
		_ = unix.EpollCtl(l.ep, unix.EPOLL_CTL_DEL, t.fd, nil)
	}
	l.tasks[t.slot] = nil
	l.active--
	l.crew.used(l.methods(t))
	t.done <- err
}

// methods says how a task was carried out.
func (l *loop) methods(t *task) Methods {
	m := Methods{Syscalls: SyscallsRaw, Refused: l.refuse}
	if l.crew.terms.Plain {
		m.Syscalls = SyscallsPlain
	}
	if t.out != nil {
		m.Send = l.send.method(t)
	} else {
		m.Receive = l.recv.method(t)
	}
	return m
}

// wakeCount tells whether a loop wakes up often. A raw wait holds a processor of
// Go's scheduler, which asks for it back a hundred times a second; below that a
// plain call is cheaper.
type wakeCount struct {
	since time.Time
	n     int
	often bool
}

const (
	wakeSpan = 200 * time.Millisecond
	wakeMany = 20 // in wakeSpan
)

func (w *wakeCount) add() {
	w.n++
	if now := time.Now(); now.Sub(w.since) >= wakeSpan {
		w.often = w.n >= wakeMany
		w.since, w.n = now, 0
	}
}

// many begins with yes: payload is about to flow.
func (w *wakeCount) many() bool { return w.often || w.since.IsZero() }
