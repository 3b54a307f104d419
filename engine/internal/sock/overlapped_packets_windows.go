package sock

import (
	"errors"
	"fmt"
	"net/netip"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Packets implements Network, as Portable does. Package net refuses UDP where
// Winsock lacks one of its later requests; then it is a socket of our own.
func (n *Overlapped) Packets(at netip.AddrPort) (PacketConn, error) {
	conn, err := n.Portable.Packets(at)
	if !errors.Is(err, windows.WSAEOPNOTSUPP) {
		return conn, err
	}
	own, err := openPackets(at)
	if err != nil {
		return nil, fmt.Errorf("open UDP port %d: %w", at.Port(), err)
	}
	return own, nil
}

type overlappedPackets struct{ *winsock }

func openPackets(at netip.AddrPort) (*overlappedPackets, error) {
	all := !at.Addr().IsValid()
	if all {
		at = netip.AddrPortFrom(netip.IPv6Unspecified(), at.Port())
	}
	sa, family, err := sockaddr(at)
	if err != nil {
		return nil, err
	}
	s, err := newSocket(family, true)
	if err != nil {
		return nil, err
	}
	s.ignoreResets()
	_ = windows.SetsockoptInt(s.fd, windows.SOL_SOCKET, windows.SO_BROADCAST, 1) // as package net does
	if all {
		_ = windows.SetsockoptInt(s.fd, windows.IPPROTO_IPV6, windows.IPV6_V6ONLY, 0)
	}
	if err := windows.Bind(s.fd, sa); err != nil {
		_ = s.shut(false)
		return nil, err
	}
	return &overlappedPackets{s}, nil
}

// ReadFromUDPAddrPort implements PacketConn.
func (p *overlappedPackets) ReadFromUDPAddrPort(b []byte) (int, netip.AddrPort, error) {
	from := &sender{size: int32(unsafe.Sizeof(windows.RawSockaddrAny{}))}
	n, err := p.move(&p.in, b, func(l *lane, o *windows.Overlapped) error {
		return windows.WSARecvFrom(p.fd, &l.buffer, 1, &l.count, &l.flags, &from.raw, &from.size, o, nil)
	})
	if err != nil {
		return n, netip.AddrPort{}, p.opError("read", err)
	}
	sa, err := from.raw.Sockaddr()
	return n, addrPort(sa), err
}

// sender is where the system leaves the address that a datagram came from.
type sender struct {
	raw  windows.RawSockaddrAny
	size int32
}

// WriteToUDPAddrPort implements PacketConn.
func (p *overlappedPackets) WriteToUDPAddrPort(b []byte, to netip.AddrPort) (int, error) {
	target, family, err := sockaddr(to)
	if err != nil {
		return 0, err
	}
	if family == windows.AF_INET && p.family == windows.AF_INET6 {
		target = &windows.SockaddrInet6{Port: int(to.Port()), Addr: to.Addr().As16()}
	}
	n, err := p.move(&p.out, b, func(l *lane, o *windows.Overlapped) error {
		return windows.WSASendto(p.fd, &l.buffer, 1, &l.count, 0, target, o, nil)
	})
	if err != nil {
		return n, p.opError("write", err)
	}
	return n, nil
}
