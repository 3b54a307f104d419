package sock

import (
	"time"

	"golang.org/x/sys/unix"

	"linkpace/engine/units"
)

// lowat thins out the wake-ups of a receiver: the system says that there is
// something to read only once there is that much of it (SO_RCVLOWAT,
// socket(7)). The amount follows the rate, so that a slow link still wakes the
// receiver often. It delays no figure: what waits unread is counted by Unread.
type lowat struct {
	since time.Time
	bytes int
	set   int // what the socket has
	most  int
}

const (
	// lowatTime is how much time's worth of data may wait, and lowatMost how many
	// bytes; the kernel makes the receive buffer at least twice as large.
	lowatTime = 5 * time.Millisecond
	lowatMost = 2 << 20
	// lowatLeast is the most for one of many connections whose payload is copied:
	// what waits for all of them should still be in the processor's cache.
	lowatLeast = 64 << 10
	// lowatStep is how often the amount is looked at.
	lowatStep = 50 * time.Millisecond
)

// got accounts for n bytes and adapts the amount.
func (l *lowat) got(fd, n int, now time.Time) {
	l.bytes += n
	span := now.Sub(l.since)
	if span < lowatStep {
		return
	}
	want := lowatFor(l.bytes, span, l.most)
	l.bytes, l.since = 0, now
	if want > l.set/2 && want < l.set*2 && l.set > 1 {
		return // near enough
	}
	l.ask(fd, want)
}

// ask sets the amount.
func (l *lowat) ask(fd, want int) {
	if unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVLOWAT, want) == nil {
		l.set = want
	}
}

// lowatFor gives the amount for so many bytes in a span.
func lowatFor(bytes int, span time.Duration, most int) int {
	return int(min(max(units.RateOf(units.Bytes(bytes), span).In(lowatTime), 1), units.Bytes(most)))
}
