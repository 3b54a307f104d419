package sock

import (
	"errors"
	"net"
	"net/netip"
	"unsafe"

	"golang.org/x/sys/windows"
)

type overlappedListener struct {
	*winsock
	network *Overlapped
	family  int32
	at      netip.AddrPort
	// addresses is where AcceptEx leaves those of a connection: each in the
	// largest form, and 16 bytes for the system.
	addresses [2 * acceptAddress]byte
}

const acceptAddress = uint32(unsafe.Sizeof(windows.RawSockaddrAny{})) + 16

// listen listens at one address. The zero Addr is all of IPv6 and IPv4, or of
// IPv4 where there is no IPv6.
func (n *Overlapped) listen(at netip.AddrPort) (Listener, error) {
	if at.Addr().IsValid() {
		return n.listenOn(at, false)
	}
	l, err := n.listenOn(netip.AddrPortFrom(netip.IPv6Unspecified(), at.Port()), true)
	if err != nil && !InUse(err) {
		return n.listenOn(netip.AddrPortFrom(netip.IPv4Unspecified(), at.Port()), false)
	}
	return l, err
}

func (n *Overlapped) listenOn(at netip.AddrPort, both bool) (Listener, error) {
	sa, family, err := sockaddr(at)
	if err != nil {
		return nil, err
	}
	l := &overlappedListener{network: n, family: family}
	// A port that is ours alone cannot be taken away by another program, but it
	// is refused while connections of an earlier listener come to their end.
	for _, alone := range []bool{true, false} {
		if l.winsock, err = newSocket(family, false); err != nil {
			return nil, err
		}
		if err = l.bind(sa, both, alone); err == nil {
			return l, nil
		}
		_ = l.shut(false)
		if !InUse(err) {
			break
		}
	}
	return nil, err
}

// exclusiveAddrUse is SO_EXCLUSIVEADDRUSE of winsock2.h.
const exclusiveAddrUse = ^windows.SO_REUSEADDR

func (l *overlappedListener) bind(sa windows.Sockaddr, both, alone bool) error {
	if both {
		if err := windows.SetsockoptInt(l.fd, windows.IPPROTO_IPV6, windows.IPV6_V6ONLY, 0); err != nil {
			return err
		}
	}
	if alone {
		_ = windows.SetsockoptInt(l.fd, windows.SOL_SOCKET, exclusiveAddrUse, 1)
	}
	if err := windows.Bind(l.fd, sa); err != nil {
		return err
	}
	if err := windows.Listen(l.fd, windows.SOMAXCONN); err != nil {
		return err
	}
	own, err := windows.Getsockname(l.fd)
	if err != nil {
		return err
	}
	l.at = addrPort(own)
	return nil
}

// Accept implements Listener.
func (l *overlappedListener) Accept() (Stream, error) {
	for {
		s, err := l.accept()
		// A connection that was broken before it was accepted is no failure.
		if Broken(err) && !errors.Is(err, net.ErrClosed) {
			continue
		}
		if err != nil {
			return nil, err
		}
		return l.network.stream(s), nil
	}
}

func (l *overlappedListener) accept() (*winsock, error) {
	s, err := newSocket(l.family, false)
	if err != nil {
		return nil, err
	}
	_, err = l.do(&l.in, func(o *windows.Overlapped) error {
		return windows.AcceptEx(l.fd, s.fd, &l.addresses[0], 0, acceptAddress, acceptAddress, &l.in.count, o)
	}, nil)
	if err == nil {
		err = updateContext(s.fd, windows.SO_UPDATE_ACCEPT_CONTEXT, &l.fd)
	}
	if err != nil {
		_ = s.shut(true)
		return nil, err
	}
	_ = setNoDelay(uintptr(s.fd), true) // as package net does
	return s, nil
}

// Addr implements Listener.
func (l *overlappedListener) Addr() netip.AddrPort { return l.at }

// Close implements Listener. The port is free when it returns.
func (l *overlappedListener) Close() error {
	err := l.shut(false)
	<-l.gone
	return err
}
