package discovery

import (
	"net/netip"
	"slices"
)

// Classes of addresses, best first. The order only decides what is tried and
// shown first; whether an address belongs to the peer is settled by its answer.
const (
	classLoopback = iota
	classOwn
	classSource    // a message came from it
	classOnLink    // in a network of a real adapter
	classVirtual   // in a network of a virtual adapter
	classLinkLocal // fe80, works without any configuration but is ugly to read
	classGlobal6
	classRest
)

// rank orders the addresses of a peer, lower is better. source means that a
// message of the peer came from addr.
func (n *network) rank(addr netip.Addr, source bool) int {
	l, _ := n.towards(addr)
	class, worth := n.class(addr, l, source), 3
	if l != nil {
		worth = l.worth()
	}
	six := 0
	if addr.Is6() {
		six = 1
	}
	return class*8 + worth*2 + six
}

func (n *network) class(addr netip.Addr, l *link, source bool) int {
	switch {
	case addr.IsLoopback():
		return classLoopback
	case n.owns(addr):
		return classOwn
	case addr.Is6() && addr.IsLinkLocalUnicast():
		return classLinkLocal
	case source:
		return classSource
	case l != nil && !l.virtual:
		return classOnLink
	case l != nil:
		return classVirtual
	case addr.Is6():
		return classGlobal6
	}
	return classRest
}

// ordered gives each address once, best first.
func (n *network) ordered(addrs []netip.Addr) []netip.Addr {
	var list []netip.Addr
	for _, addr := range addrs {
		if addr = n.normal(addr); !slices.Contains(list, addr) {
			list = append(list, addr)
		}
	}
	slices.SortStableFunc(list, func(a, b netip.Addr) int { return n.rank(a, false) - n.rank(b, false) })
	return list
}
