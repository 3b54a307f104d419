package discovery

import (
	"net/netip"
	"time"
)

// Answers that one sender, and all together, get in a second. A peer asks less
// than once a second; nobody can make this program spend more than this.
const (
	answersEach = 20
	answersAll  = 500
)

// limiter counts answers in whole seconds.
type limiter struct {
	second int64
	all    int
	each   map[netip.Addr]int
}

func newLimiter() *limiter { return &limiter{each: map[netip.Addr]int{}} }

// allow reports whether one more answer may go to addr.
func (l *limiter) allow(now time.Time, addr netip.Addr) bool {
	if second := now.Unix(); second != l.second {
		l.second, l.all = second, 0
		clear(l.each)
	}
	if l.all >= answersAll || l.each[addr] >= answersEach {
		return false
	}
	l.all++
	l.each[addr]++
	return true
}
