package discovery

import (
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"linkpace/engine/model"
)

// maxLinks bounds the adapters that are looked at; a host of containers has
// hundreds.
const maxLinks = 32

// network is a snapshot of this computer's adapters. It is never changed, so
// goroutines share it.
type network struct {
	links    []link
	loopback []link
	adapters map[netip.Addr]model.Adapter
	// print changes when something changed that looking depends on.
	print string
}

// newNetwork sorts adapters into those that lead out and the loopback, and asks
// for the facts of each own address.
func newNetwork(links []link, facts func(netip.Addr) model.Adapter) *network {
	n := &network{adapters: map[netip.Addr]model.Adapter{}, print: fingerprint(links)}
	for _, l := range links {
		for _, p := range l.prefixes {
			if facts == nil || len(n.adapters) >= 4*maxLinks {
				break
			}
			a := cleanAdapter(facts(p.Addr()))
			n.adapters[p.Addr()] = a
			l.learn(a.Kind)
		}
		if l.iface.Flags&net.FlagLoopback != 0 {
			n.loopback = append(n.loopback, l)
		} else {
			n.links = append(n.links, l)
		}
	}
	slices.SortStableFunc(n.links, func(a, b link) int { return a.worth() - b.worth() })
	n.links = n.links[:min(len(n.links), maxLinks)]
	return n
}

// fingerprint changes when something changed that looking depends on. Of an
// IPv6 address only the network counts, or the system's daily new private
// address would start everything again.
func fingerprint(links []link) string {
	var lines []string
	for _, l := range links {
		for _, p := range l.prefixes {
			own := p.String()
			if p.Addr().Is6() {
				own = p.Masked().String()
			}
			lines = append(lines, strconv.Itoa(l.iface.Index)+" "+l.iface.Name+" "+own)
		}
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "\n")
}

// searched are the adapters that multicast goes out of: all that lead out, or
// the loopback when there is no other.
func (n *network) searched() []net.Interface {
	var ifaces []net.Interface
	for _, l := range n.links {
		if l.iface.Flags&net.FlagMulticast != 0 {
			ifaces = append(ifaces, l.iface)
		}
	}
	if len(n.links) == 0 {
		for _, l := range n.loopback {
			ifaces = append(ifaces, l.iface)
		}
	}
	return ifaces
}

// owns reports whether addr is an address of this computer.
func (n *network) owns(addr netip.Addr) bool {
	if addr.IsLoopback() {
		return true
	}
	addr = addr.WithZone("")
	for _, l := range n.links {
		for _, p := range l.prefixes {
			if p.Addr() == addr {
				return true
			}
		}
	}
	return false
}

// towards finds the adapter whose network contains addr, and the own address
// there. The longest network wins, as in routing.
func (n *network) towards(addr netip.Addr) (found *link, own netip.Addr) {
	bits := -1
	bare := addr.WithZone("")
	for i := range n.links {
		l := &n.links[i]
		if addr.Zone() != "" && addr.Zone() != l.zone() {
			continue
		}
		for _, p := range l.prefixes {
			if p.Bits() > bits && p.Contains(bare) {
				found, own, bits = l, p.Addr(), p.Bits()
			}
		}
	}
	return found, own
}

// near reports whether hello messages go to and from addr: only networks that a
// person's own computers are on, so that a false announcement or sender cannot
// make this program send to strangers.
func (n *network) near(addr netip.Addr) bool {
	switch {
	case !addr.IsValid(), addr.IsUnspecified(), addr.IsMulticast():
		return false
	case addr.IsPrivate(), addr.IsLinkLocalUnicast(), addr.IsLoopback(), sharedSpace().Contains(addr):
		return true
	}
	found, _ := n.towards(addr)
	return found != nil
}

// sharedSpace is 100.64.0.0/10 (RFC 6598), which private overlay networks use.
func sharedSpace() netip.Prefix {
	return netip.PrefixFrom(netip.AddrFrom4([4]byte{100, 64}), 10)
}

// normal gives addr the one form that addresses are compared in.
func (n *network) normal(addr netip.Addr) netip.Addr {
	addr = addr.Unmap()
	zone := addr.Zone()
	if zone == "" {
		return addr
	}
	if !addr.IsLinkLocalUnicast() {
		return addr.WithZone("")
	}
	for i := range n.links {
		if l := &n.links[i]; zone == l.iface.Name || zone == strconv.Itoa(l.iface.Index) {
			return addr.WithZone(l.zone())
		}
	}
	return addr
}

// expand gives the addresses to try for addr: a link-local address without zone
// may be on any adapter.
func (n *network) expand(addr netip.Addr) []netip.Addr {
	addr = n.normal(addr)
	if !addr.Is6() || !addr.IsLinkLocalUnicast() || addr.Zone() != "" {
		return []netip.Addr{addr}
	}
	var list []netip.Addr
	for i := range n.links {
		l := &n.links[i]
		if slices.ContainsFunc(l.prefixes, func(p netip.Prefix) bool { return p.Contains(addr) }) {
			list = append(list, addr.WithZone(l.zone()))
		}
	}
	return list
}

// broadcasts are the directed broadcast addresses. 255.255.255.255 has no route
// without a default gateway, as on a cable between two computers.
func (n *network) broadcasts() []netip.Addr {
	var list []netip.Addr
	for _, l := range n.links {
		if l.iface.Flags&net.FlagBroadcast == 0 {
			continue
		}
		for _, p := range l.prefixes {
			if p.Addr().Is4() && p.Bits() < 31 {
				list = append(list, lastOf(p))
			}
		}
	}
	return list
}

// lastOf is the highest address of an IPv4 network.
func lastOf(p netip.Prefix) netip.Addr {
	b := p.Masked().Addr().As4()
	for bit := p.Bits(); bit < 32; bit++ {
		b[bit/8] |= 0x80 >> (bit % 8)
	}
	return netip.AddrFrom4(b)
}

// adapterTo gives the facts of the adapter that is used towards addr.
func (n *network) adapterTo(addr netip.Addr) model.Adapter {
	if n.owns(addr) {
		return model.Adapter{Kind: model.Loopback}
	}
	_, own := n.towards(addr)
	if !own.IsValid() {
		own = routedFrom(addr)
	}
	return n.adapters[own]
}

// routedFrom asks the system which own address it would use towards addr. A
// connected datagram socket sends nothing.
func routedFrom(addr netip.Addr) netip.Addr {
	conn, err := net.Dial("udp", netip.AddrPortFrom(addr, DefaultPort).String())
	if err != nil {
		return netip.Addr{}
	}
	defer conn.Close()
	own, _ := netip.ParseAddrPort(conn.LocalAddr().String())
	return own.Addr().Unmap()
}

// addresses are the own addresses that somebody can type elsewhere, best first.
func (n *network) addresses() []netip.Addr {
	var v4, v6 []netip.Addr
	for _, l := range n.links {
		for _, p := range l.prefixes {
			switch {
			case p.Addr().Is4():
				v4 = append(v4, p.Addr())
			case !p.Addr().IsLinkLocalUnicast():
				v6 = append(v6, p.Addr())
			}
		}
	}
	return append(v4, v6...)
}

func (n *network) names() []string {
	var names []string
	for _, iface := range n.searched() {
		names = append(names, iface.Name)
	}
	return names
}
