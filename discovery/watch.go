package discovery

import "time"

const (
	watchEvery  = 2 * time.Second
	watchSettle = time.Second // a Wi-Fi handover comes as several changes
	factsEvery  = 15 * time.Second
	// sleptFor is the gap in the wall clock between two looks that only a
	// computer that slept has. The monotonic clock stops in sleep.
	sleptFor = 10 * time.Second
)

// watch follows changes of the adapters, because neither zeroconf nor a joined
// multicast group survives them, until the service ends.
func (s *Service) watch(current *network) {
	facts, last := time.Now(), s.opts.wall()
	for sleep(s.life, watchEvery) == nil {
		now := s.opts.wall()
		slept := now.Sub(last) > sleptFor
		last = now
		changed := s.differs(current)
		if changed && sleep(s.life, watchSettle) != nil {
			return
		}
		if !changed && !slept && time.Since(facts) < factsEvery {
			continue
		}
		current, facts = s.look(current), time.Now()
		if changed || slept {
			s.log.Info("network changed", "slept", slept, "interfaces", current.names())
			s.moveTo(current)
		} else {
			s.refresh(current)
		}
	}
}

// differs reports whether the adapters are no longer those of n.
func (s *Service) differs(n *network) bool {
	links, err := s.opts.links()
	return err == nil && fingerprint(links) != n.print
}

// moveTo starts everything again on a changed network.
func (s *Service) moveTo(n *network) {
	s.board.setNetwork(n)
	s.do(func(o *owner) {
		o.table.change(time.Now(), n)
		for _, r := range s.runners {
			r.again(n)
		}
		o.broadcasted = time.Time{}
		o.search(time.Now())
		o.retryNames()
	})
}

// refresh takes over new facts of the same adapters, as a link rate.
func (s *Service) refresh(n *network) {
	s.do(func(o *owner) { o.table.net = n })
}
