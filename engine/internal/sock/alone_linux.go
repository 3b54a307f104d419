package sock

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// lonely reports whether the loop serves one connection that nobody watches.
func (l *loop) lonely() bool {
	if l.active != 1 {
		return false
	}
	t := l.only()
	return t != nil && !t.watched
}

func (l *loop) only() *task {
	for _, t := range l.tasks {
		if t != nil {
			return t
		}
	}
	return nil
}

// alone receives from a single connection with calls that block. That is cheaper
// than epoll, which the kernel tells of every packet that comes while the loop
// is busy. A sender has no such cost, and would block for long on a slow link.
// It returns when the connection is done with or something else is wanted.
func (l *loop) alone() {
	t := l.only()
	if err := setBlocking(t.fd, patience); err != nil {
		l.watch(t)
		return
	}
	call := l.call
	l.call.block = true
	for l.tasks[t.slot] == t && !l.rung.Load() && !t.cancelled.Load() && !l.busy() {
		if now := time.Now(); now.Before(t.until) {
			l.call.raw = call.raw && l.wakes.many()
			l.wakes.add()
			l.turn(t, now)
		} else {
			l.finish(t, t.late())
		}
	}
	l.call = call
	if l.tasks[t.slot] != t {
		return
	}
	if t.cancelled.Load() {
		l.finish(t, context.Canceled)
		return
	}
	if !l.more() {
		return
	}
	// Others came: from now on epoll says whose turn it is.
	if err := unix.SetNonblock(t.fd, true); err != nil {
		l.finish(t, fmt.Errorf("share a thread: %w", err))
		return
	}
	l.watch(t)
}

// more reports whether there are tasks that the loop has not taken in yet.
func (l *loop) more() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.arrived) > 0
}

// setBlocking makes reads wait, but never longer than most.
func setBlocking(fd int, most time.Duration) error {
	limit := unix.NsecToTimeval(most.Nanoseconds())
	if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &limit); err != nil {
		return fmt.Errorf("limit how long reads wait: %w", err)
	}
	if err := unix.SetNonblock(fd, false); err != nil {
		return fmt.Errorf("let calls wait: %w", err)
	}
	return nil
}
