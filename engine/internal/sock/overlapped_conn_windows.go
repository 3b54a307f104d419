package sock

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// maxCall is the most that one call of Read or Write moves.
const maxCall = 1 << 20

// move moves some of b, which stays where it is until the call has ended.
func (s *winsock) move(l *lane, b []byte, call func(*lane, *windows.Overlapped) error) (int, error) {
	var pin runtime.Pinner
	pin.Pin(unsafe.SliceData(b))
	defer pin.Unpin()
	return s.do(l, func(o *windows.Overlapped) error {
		l.buffer = windows.WSABuf{Len: uint32(min(len(b), maxCall)), Buf: unsafe.SliceData(b)}
		l.flags = 0
		return call(l, o)
	}, nil)
}

// opError says of which connection an error is, as package net does.
func (s *winsock) opError(op string, err error) error {
	var number syscall.Errno
	if errors.As(err, &number) {
		err = os.NewSyscallError(op, err)
	}
	return &net.OpError{Op: op, Net: s.LocalAddr().Network(), Source: s.LocalAddr(), Addr: s.RemoteAddr(), Err: err}
}

// learnAddresses asks the system for the addresses of both ends.
func (s *winsock) learnAddresses() {
	if own, err := windows.Getsockname(s.fd); err == nil {
		s.local = addrPort(own)
	}
	if peer, err := windows.Getpeername(s.fd); err == nil {
		s.remote = addrPort(peer)
	}
}

// LocalAddr implements net.Conn.
func (s *winsock) LocalAddr() net.Addr { return s.addr(s.local) }

// RemoteAddr implements net.Conn.
func (s *winsock) RemoteAddr() net.Addr { return s.addr(s.remote) }

func (s *winsock) addr(at netip.AddrPort) net.Addr {
	if s.udp {
		return net.UDPAddrFromAddrPort(at)
	}
	return net.TCPAddrFromAddrPort(at)
}

// SetReadDeadline implements net.Conn.
func (s *winsock) SetReadDeadline(t time.Time) error { return s.in.until(t) }

// SetWriteDeadline implements net.Conn.
func (s *winsock) SetWriteDeadline(t time.Time) error { return s.out.until(t) }

// SetDeadline implements net.Conn.
func (s *winsock) SetDeadline(t time.Time) error {
	return errors.Join(s.in.until(t), s.out.until(t))
}

// Close implements net.Conn.
func (s *winsock) Close() error { return s.shut(false) }
