// Package link describes the network adapters of this computer: what they are,
// how fast their link runs, which of them leads to another computer, and how
// much they have carried.
package link

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
)

// The kinds of Adapter.
const (
	Ethernet = "ethernet"
	WiFi     = "wifi"
	// Tunnel wraps its packets and sends them through another adapter (VPN).
	Tunnel = "tunnel"
	// Bridge joins other adapters into one network.
	Bridge = "bridge"
	// Virtual ends in software: between containers, or in a virtual machine.
	Virtual = "virtual"
	// Loopback never leaves this computer.
	Loopback = "loopback"
	Unknown  = "unknown"
)

// Adapter is a network adapter as the system describes it. Zero fields are
// unknown.
type Adapter struct {
	Name string
	// Kind is one of the constants above.
	Kind string
	// LinkBPS is the negotiated rate of the link in bits per second. Adapters
	// that end in software negotiate nothing; what their drivers name is made up
	// and left out, as is the duplex.
	LinkBPS int64
	// Duplex is "full", "half" or empty.
	Duplex string
	MTU    int
	Index  int
	// Addrs are its addresses; link-local IPv6 ones carry their zone.
	Addrs []netip.Addr
}

// negotiates reports whether adapters of a kind agree on a rate with what is at
// the other end.
func negotiates(kind string) bool {
	return kind != Virtual && kind != Tunnel && kind != Loopback
}

// Adapters lists the adapters that are up, in the system's order.
func Adapters() ([]Adapter, error) {
	interfaces, err := net.Interfaces()
	if err != nil {
		return nil, fmt.Errorf("listing network adapters: %w", err)
	}
	var adapters []Adapter
	for _, ifi := range interfaces {
		if ifi.Flags&net.FlagUp == 0 {
			continue
		}
		addrs, err := ifi.Addrs()
		if err != nil {
			// It went away after it was listed.
			continue
		}
		adapter := describe(ifi)
		adapter.Addrs = hostAddrs(addrs, ifi.Name)
		adapters = append(adapters, adapter)
	}
	return adapters, nil
}

// ByAddress gives the adapter that owns the address local of this computer.
func ByAddress(local netip.Addr) (Adapter, error) {
	adapters, err := Adapters()
	if err != nil {
		return Adapter{}, err
	}
	if i := slices.IndexFunc(adapters, func(a Adapter) bool { return a.owns(local) }); i >= 0 {
		return adapters[i], nil
	}
	return Adapter{}, fmt.Errorf("no network adapter of this computer has the address %s", local)
}

// ForRoute gives the local address and the adapter that the system would use
// to reach the address to. It sends nothing. An address of this computer itself
// is reached through loopback, whichever adapter carries it. It fails when
// nothing leads there, and where the system has no working UDP sockets.
func ForRoute(to netip.Addr) (netip.Addr, Adapter, error) {
	local, err := sourceFor(to)
	if err != nil {
		return netip.Addr{}, Adapter{}, fmt.Errorf("finding the way to %s: %w", to, err)
	}
	adapters, err := Adapters()
	if err != nil {
		return netip.Addr{}, Adapter{}, err
	}
	uses := func(a Adapter) bool { return a.owns(local) }
	if same(local, to) {
		uses = func(a Adapter) bool { return a.Kind == Loopback }
	}
	if i := slices.IndexFunc(adapters, uses); i >= 0 {
		return local, adapters[i], nil
	}
	return netip.Addr{}, Adapter{}, fmt.Errorf("finding the way to %s: no network adapter of this computer has the address %s", to, local)
}

// sourceFor has the system choose a source address by connecting a UDP socket,
// which sends nothing.
func sourceFor(to netip.Addr) (netip.Addr, error) {
	if !to.IsValid() || to.IsUnspecified() {
		return netip.Addr{}, fmt.Errorf("it is not the address of a computer")
	}
	const discard = 9
	conn, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(netip.AddrPortFrom(to.Unmap(), discard)))
	if err != nil {
		return netip.Addr{}, err
	}
	defer conn.Close()
	return conn.LocalAddr().(*net.UDPAddr).AddrPort().Addr().Unmap(), nil
}

func (a Adapter) owns(addr netip.Addr) bool {
	return slices.ContainsFunc(a.Addrs, func(own netip.Addr) bool { return same(own, addr) })
}

// same compares addresses; a zone counts only where both have one.
func same(a, b netip.Addr) bool {
	a, b = a.Unmap(), b.Unmap()
	if a.Zone() == "" || b.Zone() == "" {
		a, b = a.WithZone(""), b.WithZone("")
	}
	return a == b
}

// hostAddrs takes the addresses out of what package net lists.
func hostAddrs(addrs []net.Addr, zone string) []netip.Addr {
	var out []netip.Addr
	for _, addr := range addrs {
		ipnet, ok := addr.(*net.IPNet)
		if !ok {
			continue
		}
		if ip, ok := netip.AddrFromSlice(ipnet.IP); ok {
			if ip = ip.Unmap(); ip.IsLinkLocalUnicast() && ip.Is6() {
				ip = ip.WithZone(zone)
			}
			out = append(out, ip)
		}
	}
	return out
}
