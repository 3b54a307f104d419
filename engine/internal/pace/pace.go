// Package pace keeps a sender at a rate.
package pace

import (
	"time"

	"linkpace/engine/units"
)

// Bucket tells a sender when it may go on. It is for one goroutine.
//
// Time that the sender lost is made up for, up to burst, so that the average
// holds on a busy computer without long bursts.
type Bucket struct {
	rate units.BitRate
	next time.Duration // when the next bytes may go, on the caller's clock
}

// burst is the most lost time that is made up for.
const burst = 20 * time.Millisecond

// New makes a bucket for a rate above 0, from time now on.
func New(rate units.BitRate, now time.Duration) *Bucket { return &Bucket{rate: rate, next: now} }

// Take accounts for n bytes sent at time now and returns how long to wait
// before the next write.
func (b *Bucket) Take(n int, now time.Duration) time.Duration {
	if b.next < now-burst {
		b.next = now - burst
	}
	b.next += time.Duration(float64(n) * 8 / float64(b.rate) * float64(time.Second))
	return max(b.next-now, 0)
}

// Chunk is the largest write that keeps a rate smooth: what passes in 5 ms,
// at least one packet's payload and at most block.
func Chunk(rate units.BitRate, block int) int {
	return min(max(int(rate.In(5*time.Millisecond)), 1400), block)
}
