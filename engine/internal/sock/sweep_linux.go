package sock

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"linkpace/engine/units"
)

const (
	// sweepFrom is the rate of one loop at which the processor is the limit; below
	// half of it no longer.
	sweepFrom = units.BitRate(20e9)
	// sweepBytes is what may come over one connection between two sweeps.
	sweepBytes = 512 << 10
	// The system adds some 50 us to each nap (PR_SET_TIMERSLACK, prctl(2)).
	leastNap = 20 * time.Microsecond
	mostNap  = time.Millisecond
)

// pacemeter tells how much a loop received lately.
type pacemeter struct {
	since time.Time
	bytes int
	rate  units.BitRate
}

// got accounts for n bytes.
func (p *pacemeter) got(n int, now time.Time) {
	p.bytes += n
	if span := now.Sub(p.since); span >= lowatStep {
		p.rate = units.RateOf(units.Bytes(p.bytes), span)
		p.bytes, p.since = 0, now
	}
}

// busy reports whether to receive by sweeps: all connections of the loop are
// receivers, the kernel drops what they get, and it is more than fits the time
// that waking up takes. What has to be copied is better copied while it is in the
// processor's cache.
func (l *loop) busy() bool {
	if l.pace.rate < l.crew.fast || !l.recv.discard {
		return false
	}
	for _, t := range l.tasks {
		if t != nil && t.out != nil {
			return false
		}
	}
	return l.active > 0
}

// sweep reads all connections in turn and naps in between, as long as that much
// comes. Being told of each packet, waking up for a few and acknowledging them
// one by one costs both sides more than the packets themselves.
func (l *loop) sweep() {
	l.swept = true
	for _, t := range l.tasks {
		if t != nil {
			l.unwatch(t)
		}
	}
	for l.active > 0 && l.pace.rate > l.crew.fast/2 && !l.rung.Load() {
		now := time.Now()
		for _, t := range l.tasks {
			if t != nil {
				l.turn(t, now)
			}
		}
		l.pace.got(0, now)
		if !now.Before(l.due) {
			l.look(now)
		}
		l.nap(napFor(l.pace.rate, l.active))
	}
	l.swept = false
	for _, t := range l.tasks {
		if t != nil && l.shared() {
			l.watch(t)
		}
	}
}

// napFor gives the time in which sweepBytes come over each of n connections.
func napFor(rate units.BitRate, n int) time.Duration {
	if rate <= 0 {
		return mostNap
	}
	perByte := float64(8*time.Second) / float64(rate)
	return min(max(time.Duration(float64(n)*sweepBytes*perByte), leastNap), mostNap)
}

// nap sleeps. A signal ends it, so that a raw call is safe.
func (l *loop) nap(d time.Duration) {
	l.slept = unix.NsecToTimespec(d.Nanoseconds())
	_, _ = l.call.call(unix.SYS_NANOSLEEP, uintptr(unsafe.Pointer(&l.slept)), 0, 0, 0, 0, 0)
}

// unwatch has nobody told of a connection any more.
func (l *loop) unwatch(t *task) {
	if t.watched {
		_ = unix.EpollCtl(l.ep, unix.EPOLL_CTL_DEL, t.fd, nil)
		t.watched = false
	}
	t.lowat.ask(t.fd, 1)
}
