package sock

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"syscall"

	"linkpace/engine/model"
)

// Portable is the backend on package net. It works everywhere and copies every
// byte.
type Portable struct{}

// Name implements Network.
func (Portable) Name() string { return "portable" }

// Dial implements Network.
func (Portable) Dial(ctx context.Context, to netip.AddrPort, from netip.Addr, t Tuning) (Stream, error) {
	dialer := net.Dialer{}
	var refused error
	if t != (Tuning{}) {
		dialer.Control = func(_, _ string, c syscall.RawConn) error {
			return c.Control(func(fd uintptr) { refused = tuneEarly(fd, t) })
		}
	}
	if from.IsValid() {
		dialer.LocalAddr = net.TCPAddrFromAddrPort(netip.AddrPortFrom(from, 0))
	}
	conn, err := dialer.DialContext(ctx, "tcp", to.String())
	if err != nil {
		return nil, fmt.Errorf("dial %v: %w", to, err)
	}
	return &portableStream{TCPConn: conn.(*net.TCPConn), refused: refused}, nil
}

// Hire implements Network.
func (Portable) Hire(t Terms) Workers { return hirePlain(t) }

// Listen implements Network.
func (Portable) Listen(at netip.AddrPort) (Listener, error) {
	l, err := net.Listen("tcp", listenAddress(at))
	if err != nil {
		return nil, fmt.Errorf("listen on TCP port %d: %w", at.Port(), err)
	}
	return portableListener{l.(*net.TCPListener)}, nil
}

// Packets implements Network.
func (Portable) Packets(at netip.AddrPort) (PacketConn, error) {
	addr, err := net.ResolveUDPAddr("udp", listenAddress(at))
	if err != nil {
		return nil, fmt.Errorf("open UDP port %d: %w", at.Port(), err)
	}
	conn, err := net.ListenUDP("udp", addr)
	if err != nil {
		return nil, fmt.Errorf("open UDP port %d: %w", at.Port(), err)
	}
	share(conn)
	return conn, nil
}

// listenAddress leaves the host empty for the zero Addr, so that both IPv4 and
// IPv6 are listened on where the system has both.
func listenAddress(at netip.AddrPort) string {
	if !at.Addr().IsValid() {
		return fmt.Sprintf(":%d", at.Port())
	}
	return at.String()
}

type portableListener struct{ *net.TCPListener }

func (l portableListener) Accept() (Stream, error) {
	conn, err := l.AcceptTCP()
	if err != nil {
		return nil, err
	}
	return &portableStream{TCPConn: conn}, nil
}

func (l portableListener) Addr() netip.AddrPort {
	return l.TCPListener.Addr().(*net.TCPAddr).AddrPort()
}

type portableStream struct {
	*net.TCPConn
	asker   tcpInfoAsker
	refused error // what Dial could not have, for Tune to tell
}

func (s *portableStream) Abort() {
	_ = s.SetLinger(0) // without it Close would go on sending what is queued
	_ = s.Close()
}

func (s *portableStream) Tune(t Tuning) (err error) {
	s.control(func(fd uintptr) { err = tune(fd, t) })
	return errors.Join(s.refused, err)
}

func (s *portableStream) Granted() (g Granted) {
	s.control(func(fd uintptr) { g = granted(fd) })
	return g
}

func (s *portableStream) TCPInfo() (info model.TCPInfo, known bool) {
	s.control(func(fd uintptr) { info, known = s.asker.ask(fd) })
	return info, known
}

func (s *portableStream) Unread() (n int) {
	s.control(func(fd uintptr) { n = unreadBytes(fd) })
	return n
}

// control calls f with the descriptor, unless the connection is closed.
func (s *portableStream) control(f func(fd uintptr)) {
	if raw, err := s.SyscallConn(); err == nil {
		_ = raw.Control(f)
	}
}
