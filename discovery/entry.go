package discovery

import (
	"cmp"
	"net/netip"
	"slices"
	"time"

	"linkpace/engine/model"
)

// Times of a peer's life. Multicast DNS alone cannot tell within seconds that
// somebody is gone, so the hello does.
const (
	helloEvery   = 1500 * time.Millisecond // to a peer that answers
	silentAfter  = 2250 * time.Millisecond // then all its addresses are asked
	deadAfter    = 3800 * time.Millisecond // then it is gone
	askAgain     = 500 * time.Millisecond  // while it is silent
	recheckEvery = 30 * time.Second        // addresses that are not in use
	firstRetry   = 200 * time.Millisecond  // of somebody who never answered
	slowestRetry = 30 * time.Second
	eagerRetry   = 5 * time.Second   // slowest for typed and lost peers
	hiddenFor    = time.Second       // before somebody unverified is shown
	staleAfter   = 130 * time.Second // two of the longest browse cycles
	lostFor      = 2 * time.Minute   // a lost peer is still asked
	freshFor     = 2*recheckEvery + 10*time.Second
)

// endpoint is one address of a peer.
type endpoint struct {
	hello    netip.AddrPort // where its hello messages go
	control  uint16         // 0 is unknown
	source   bool
	rank     int
	sighted  time.Time
	answered time.Time
}

func (e *endpoint) fresh(now time.Time) bool {
	return !e.answered.IsZero() && now.Sub(e.answered) < freshFor
}

// entry is a peer, or somebody who may be one.
type entry struct {
	card
	key   string
	typed string // the address that a person typed, "" for others
	via   string
	ends  []*endpoint // best rank first
	best  *endpoint   // where it answers; nil when it does not
	born  time.Time
	// heard is its latest answer, shownBy the latest multicast DNS sighting.
	heard, shownBy time.Time
	lost           time.Time // when it stopped answering
	rtt            time.Duration
	tries          int
	due, recheck   time.Time
	// asked is the nonce of its latest request to us, for the goodbye.
	asked uint64
}

// find gives the endpoint for hello messages to addr.
func (e *entry) find(addr netip.AddrPort) *endpoint {
	for _, end := range e.ends {
		if end.hello == addr {
			return end
		}
	}
	return nil
}

// helloAddrs are the addresses of all endpoints.
func (e *entry) helloAddrs() []netip.AddrPort {
	list := make([]netip.AddrPort, 0, len(e.ends))
	for _, end := range e.ends {
		list = append(list, end.hello)
	}
	return list
}

// drop forgets an endpoint.
func (e *entry) drop(end *endpoint) {
	e.ends = slices.DeleteFunc(e.ends, func(other *endpoint) bool { return other == end })
	if e.best == end {
		e.best = nil
	}
}

// sort orders the endpoints and keeps the first maxEndpoints and the best.
func (e *entry) sort() {
	slices.SortStableFunc(e.ends, func(a, b *endpoint) int { return cmp.Compare(a.rank, b.rank) })
	for i := len(e.ends) - 1; i >= 0 && len(e.ends) > maxEndpoints; i-- {
		if e.ends[i] != e.best {
			e.ends = slices.Delete(e.ends, i, i+1)
		}
	}
}

// expire drops endpoints that nobody named or answered at for long.
func (e *entry) expire(now time.Time) {
	if e.typed != "" {
		return
	}
	e.ends = slices.DeleteFunc(e.ends, func(end *endpoint) bool {
		return end != e.best && now.Sub(end.sighted) > staleAfter && now.Sub(end.answered) > staleAfter
	})
}

// retry is the pause before asking somebody silent again.
func (e *entry) retry() time.Duration {
	slowest := slowestRetry
	if e.typed != "" || !e.lost.IsZero() {
		slowest = eagerRetry
	}
	return min(firstRetry<<min(e.tries, 10), slowest)
}

// over reports whether nothing more is expected of the entry.
func (e *entry) over(now time.Time) bool {
	switch {
	case e.typed != "" || e.best != nil:
		return false
	case len(e.ends) == 0:
		return true
	}
	return now.Sub(e.sightedLast()) > staleAfter && now.Sub(e.lost) > lostFor
}

func (e *entry) sightedLast() time.Time {
	var last time.Time
	for _, end := range e.ends {
		if end.sighted.After(last) {
			last = end.sighted
		}
	}
	return last
}

// listed reports whether people see the entry. hello is false when there is no
// way to verify anybody.
func (e *entry) listed(now time.Time, hello bool) bool {
	switch {
	case e.best != nil || e.typed != "":
		return true
	case e.shownBy.IsZero() || !e.shownBy.After(e.lost) || e.Port == 0:
		return false
	case hello && now.Sub(e.born) < hiddenFor:
		return false
	}
	return now.Sub(e.shownBy) < staleAfter
}

// peer gives the entry as others see it.
func (e *entry) peer(now time.Time, n *network) model.Peer {
	p := model.Peer{
		ID: e.ID, Instance: e.Instance, Name: e.Name, OS: e.OS, Version: e.Version, Adapter: e.Adapter,
		Verified: e.best != nil, Via: e.via, Seen: latest(e.heard, e.shownBy), RTT: e.rtt,
	}
	if e.typed != "" {
		p.Via = viaTyped
		if p.ID == "" {
			p.Instance = e.typed // so that the keys of several differ
		}
	}
	p.Addrs = e.addrs(now)
	if p.Name == "" && len(p.Addrs) > 0 {
		p.Name = p.Addrs[0].Addr().String()
	}
	p.SameMachine = e.best != nil && n.owns(e.best.hello.Addr())
	return p
}

// addrs are the control addresses: where it answers, where it answered, and
// what was only announced.
func (e *entry) addrs(now time.Time) []netip.AddrPort {
	ends := slices.Clone(e.ends)
	order := func(end *endpoint) int {
		switch {
		case end == e.best:
			return 0
		case end.fresh(now):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(ends, func(a, b *endpoint) int { return order(a) - order(b) })
	list := make([]netip.AddrPort, 0, len(ends))
	for _, end := range ends {
		addr := netip.AddrPortFrom(end.hello.Addr(), cmp.Or(end.control, e.Port))
		if addr.Port() != 0 && !slices.Contains(list, addr) {
			list = append(list, addr)
		}
	}
	return list
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
