package sock

import (
	"context"
	"time"

	"linkpace/engine/internal/pace"
	"linkpace/engine/units"
)

// datagramQuota says how many datagrams may be sent and when.
type datagramQuota struct {
	until  time.Time
	size   int
	left   int // datagrams of the limit; negative is no limit
	run    int // most that leave together
	began  time.Time
	bucket *pace.Bucket // nil is as fast as possible
	ready  time.Time    // when the next may leave
}

// runTime is the longest that datagrams which leave together take at their rate.
const runTime = time.Millisecond

func newDatagramQuota(o OutgoingDatagrams, most int, now time.Time) *datagramQuota {
	q := &datagramQuota{until: o.Until, size: o.Size, left: -1, run: most, began: now, ready: now}
	if o.Limit > 0 {
		q.left = int((o.Limit + units.Bytes(o.Size) - 1) / units.Bytes(o.Size))
	}
	if o.Rate > 0 {
		q.bucket = pace.New(o.Rate, 0)
		q.run = max(min(int(o.Rate.In(runTime))/o.Size, most), 1)
	}
	return q
}

// may is how many datagrams may leave now: none before ready, and none any more
// when the time or the limit is up.
func (q *datagramQuota) may(now time.Time) int {
	switch {
	case !now.Before(q.until), now.Before(q.ready):
		return 0
	case q.left >= 0:
		return min(q.run, q.left)
	}
	return q.run
}

// over reports whether nothing may leave any more.
func (q *datagramQuota) over(now time.Time) bool { return q.left == 0 || !now.Before(q.until) }

// sent accounts for n datagrams.
func (q *datagramQuota) sent(n int, now time.Time) {
	if q.left >= 0 {
		q.left -= n
	}
	if q.bucket != nil {
		q.ready = now.Add(q.bucket.Take(n*q.size, now.Sub(q.began)))
	}
}

// wait waits until datagrams may leave and returns how many; none when it is over
// or ctx has ended.
func (q *datagramQuota) wait(ctx context.Context) int {
	now := time.Now()
	if pause := min(q.ready.Sub(now), q.until.Sub(now)); pause > 0 && q.left != 0 && q.bucket != nil {
		rest(ctx, pause)
		now = time.Now()
	}
	if ctx.Err() != nil {
		return 0
	}
	return q.may(now)
}
