package sock

import "time"

const (
	// maxNap is the longest that a receiver sleeps while much is coming.
	maxNap = 200 * time.Microsecond
	// minNap is the shortest that is worth it: a sleep is prolonged by up to 50
	// microseconds (PR_SET_TIMERSLACK(2const)).
	minNap = 50 * time.Microsecond
	// flood is what a full buffer has to stand while nobody looks, in bytes a
	// second: 40 Gbit/s, and the kernel's own bookkeeping as much again.
	flood = 10e9
	// much is how many bytes a second have to come for naps.
	much = 50e6
)

// naps say how long a receiver may leave its socket alone.
type naps struct {
	room  int64 // the socket's buffer
	bytes int   // that came since
	since time.Time
}

// next is how long to sleep now; 0 is to wait for whatever comes first.
func (n *naps) next(now time.Time) time.Duration {
	span, bytes := now.Sub(n.since), n.bytes
	n.since, n.bytes = now, 0
	nap := min(time.Duration(float64(n.room)/2/flood*float64(time.Second)), maxNap)
	if nap < minNap || float64(bytes) < much*span.Seconds() {
		return 0
	}
	return nap
}
