// Package clock puts the readings of two computers on one time axis.
package clock

import (
	"sync/atomic"
	"time"
)

// Run is the time since the start of a run on the initiator's monotonic clock,
// as this computer reads it. On the initiator the offset stays 0.
type Run struct {
	now    func() time.Time
	base   time.Time
	offset atomic.Int64
}

// New starts a clock that counts as now does, which is what Finest gives or, in
// tests, a clock of theirs.
func New(now func() time.Time) *Run { return &Run{now: now, base: now()} }

// Now is the time of the run.
func (r *Run) Now() time.Duration { return r.Raw() - time.Duration(r.offset.Load()) }

// Raw is this computer's own reading, which the other side needs to find the offset.
func (r *Run) Raw() time.Duration { return r.now().Sub(r.base) }

// Adjust sets how far this computer's reading is ahead of the initiator's.
func (r *Run) Adjust(offset time.Duration) { r.offset.Store(int64(offset)) }

// Local gives the moment of package time's clock at which the run's time is at,
// for timers and deadlines.
func (r *Run) Local(at time.Duration) time.Time { return time.Now().Add(at - r.Now()) }

// Ping is one exchange: sent and returned on our clock, remote on the other's.
type Ping struct {
	Sent, Returned, Remote time.Duration
}

// Estimate gives how far the other clock is ahead of ours and the round trip,
// from the exchange with the shortest round trip: what delays an exchange makes
// its answer later but never earlier, so the fastest is the least wrong, by at
// most half its round trip. ok is false without a usable exchange.
func Estimate(pings []Ping) (offset, rtt time.Duration, ok bool) {
	for _, p := range pings {
		trip := p.Returned - p.Sent
		if trip < 0 || ok && trip >= rtt {
			continue
		}
		offset, rtt, ok = p.Remote-(p.Sent+trip/2), trip, true
	}
	return offset, rtt, ok
}
