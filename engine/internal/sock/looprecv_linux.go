package sock

import (
	"syscall"
	"time"
)

// receiver is what a loop receives with: one buffer for all connections.
type receiver struct {
	block   int
	streams int
	discard bool // the kernel may drop payload
	buffer  *pages
}

func (r *receiver) init(t Terms) {
	r.block, r.streams, r.discard = loopBlock, max(t.Streams, 1), t.Link
	if t.Block > 0 {
		r.block = t.Block
	}
}

// mayWait is how many bytes of a connection may wait before it is read.
func (r *receiver) mayWait(t *task) int {
	if r.discard && t.in.Sink == nil {
		return lowatMost
	}
	return max(lowatMost/r.streams, lowatLeast)
}

func (r *receiver) free() { r.buffer.free() }

func (r *receiver) method(t *task) string {
	if r.discard && t.in.Sink == nil {
		return MethodDiscard
	}
	return MethodRead
}

// turn receives until nothing is left or the turn is over.
func (r *receiver) turn(l *loop, t *task, now time.Time) {
	for left, calls := turn, turnCalls; left > 0 && calls > 0; calls-- {
		n, whole, err := r.pull(l.call, t)
		switch {
		case err == syscall.EAGAIN || err == syscall.EINTR:
			// The runtime interrupts a thread that keeps a processor for more than
			// 10 ms: a read that waits would never see that its time is up.
			return
		case err != 0:
			l.finish(t, err)
			return
		case n == 0:
			l.finish(t, nil) // the other side has ended it
			return
		}
		left -= n
		t.count.Add(n)
		l.pace.got(n, now)
		if !l.swept {
			t.lowat.got(t.fd, n, now)
		}
		if t.in.Sink != nil {
			if bad := t.in.Sink.Got(n); bad != nil {
				l.finish(t, bad)
				return
			}
		}
		if !whole {
			return // there was no more
		}
	}
}

// pull makes one read; whole says that the buffer was filled.
func (r *receiver) pull(c caller, t *task) (n int, whole bool, err syscall.Errno) {
	if t.in.Sink != nil {
		b := t.in.Sink.Buffer()
		n, err = c.read(t.fd, b, false)
		return n, n == len(b), err
	}
	if r.buffer == nil {
		p, failed := newPages(r.block)
		if failed != nil {
			return 0, false, syscall.ENOMEM
		}
		r.buffer = p
	}
	n, err = c.read(t.fd, r.buffer.b[:r.block], r.discard)
	if r.discard && unsupported(err) {
		r.discard = false
		n, err = c.read(t.fd, r.buffer.b[:r.block], false)
	}
	return n, n == r.block, err
}
