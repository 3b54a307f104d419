package discovery

import (
	"context"
	"net/netip"
	"time"

	"linkpace/engine/model"
)

const (
	// sweepPace keeps the addresses that the system is looking for on the
	// network at a time far below the 1024 that Linux allows in all.
	sweepPace   = time.Second / 64
	sweepPause  = time.Minute // between two sweeps
	maxSweep    = 1022        // addresses
	sweepPrefix = 24          // of a larger network only this part around known addresses
)

// Sweep asks every address of this computer's own private networks, at most the
// 256 around each own address and around peers found earlier. Intrusion alarms
// may take it for an attack, so it must only run when a person asks for it. It
// takes about four seconds for each network; step, which may be nil, is told
// how far it is. Who answers appears in the list. The error is that of ctx or a
// *model.Problem with the code unsupported, busy or not_found.
func (s *Service) Sweep(ctx context.Context, step func(done, total int)) error {
	plan := make(chan sweepPlan, 1)
	s.do(func(o *owner) { plan <- o.planSweep(time.Now()) })
	var p sweepPlan
	select {
	case p = <-plan:
	case <-s.life.Done():
		return sweepProblem(model.CodeCancelled, "The search for computers has ended.")
	}
	if p.problem != nil {
		return p.problem
	}
	for i, addr := range p.addrs {
		if step != nil {
			step(i, len(p.addrs))
		}
		s.do(func(o *owner) {
			now := time.Now()
			o.ask(now, ping{target: target{to: netip.AddrPortFrom(addr, DefaultPort)}, via: viaBroadcast})
		})
		if err := sleep(ctx, sweepPace); err != nil {
			return err
		}
	}
	if step != nil {
		step(len(p.addrs), len(p.addrs))
	}
	return nil
}

// sweepPlan says whom a sweep asks, or why there is none.
type sweepPlan struct {
	addrs   []netip.Addr
	problem error
}

func (o *owner) planSweep(now time.Time) sweepPlan {
	switch {
	case o.opts.Datagrams == nil:
		return sweepPlan{problem: sweepProblem(model.CodeUnsupported, "Addresses cannot be searched, because UDP is not available. Type the other computer's address.")}
	case o.opts.Quiet():
		return sweepPlan{problem: sweepProblem(model.CodeBusy, "A test is running. Search again when it is over.")}
	case now.Sub(o.swept) < sweepPause:
		return sweepPlan{problem: sweepProblem(model.CodeBusy, "The addresses were just searched. Search again in a minute.")}
	}
	var known []netip.Addr
	for _, r := range o.book.Peers {
		for _, addr := range r.Addrs {
			known = append(known, addr.Addr())
		}
	}
	addrs := o.table.net.sweepable(known)
	if len(addrs) == 0 {
		return sweepPlan{problem: sweepProblem(model.CodeNotFound, "There is no private network to search. Type the other computer's address.")}
	}
	o.swept = now
	return sweepPlan{addrs: addrs}
}

func sweepProblem(code model.Code, text string) error {
	return &model.Problem{Side: model.Local, Op: "search addresses", Code: code, Text: text}
}

// sweepable are the addresses around the own ones and the known ones, in
// private networks of real adapters.
func (n *network) sweepable(known []netip.Addr) []netip.Addr {
	var list []netip.Addr
	done := map[netip.Prefix]bool{}
	for _, l := range n.links {
		if l.virtual {
			continue
		}
		for _, p := range l.prefixes {
			for _, around := range append([]netip.Addr{p.Addr()}, known...) {
				part := netip.PrefixFrom(around, max(p.Bits(), sweepPrefix)).Masked()
				if !p.Contains(around) || done[part] || !private4(around) {
					continue
				}
				done[part] = true
				list = n.appendHosts(list, part)
			}
		}
	}
	return list
}

// appendHosts adds the addresses of a network that a computer can have.
func (n *network) appendHosts(list []netip.Addr, p netip.Prefix) []netip.Addr {
	for addr := p.Addr().Next(); p.Contains(addr) && addr != lastOf(p) && len(list) < maxSweep; addr = addr.Next() {
		if !n.owns(addr) {
			list = append(list, addr)
		}
	}
	return list
}

func private4(addr netip.Addr) bool {
	return addr.Is4() && (addr.IsPrivate() || addr.IsLinkLocalUnicast() || sharedSpace().Contains(addr))
}
