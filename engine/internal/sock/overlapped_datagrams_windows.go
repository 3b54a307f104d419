package sock

import (
	"fmt"
	"net"
	"net/netip"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Join implements Network.
func (*Overlapped) Join(local, remote netip.AddrPort, t Tuning) (Datagrams, error) {
	if t.ReceiveBuffer == 0 {
		t.ReceiveBuffer = receiveRoom
	}
	d, err := joined(local, remote, t)
	if err != nil {
		return nil, fmt.Errorf("join %v: %w", remote, err)
	}
	return d, nil
}

func joined(local, remote netip.AddrPort, t Tuning) (*overlappedDatagrams, error) {
	target, family, err := sockaddr(remote)
	if err != nil {
		return nil, err
	}
	if !local.Addr().IsValid() {
		local = netip.AddrPortFrom(anyAddr(family), local.Port())
	}
	source, _, err := sockaddr(local)
	if err != nil {
		return nil, err
	}
	s, err := newSocket(family, true)
	if err != nil {
		return nil, err
	}
	d := &overlappedDatagrams{s}
	prepare(uintptr(s.fd), d.ipv6(), t)
	s.ignoreResets()
	if err = windows.Bind(s.fd, source); err == nil {
		err = windows.Connect(s.fd, target)
	}
	if err != nil {
		_ = s.shut(false)
		return nil, err
	}
	s.learnAddresses()
	return d, nil
}

// ignoreResets keeps the other system's word that nobody listens from ending
// reads, as package net does.
func (s *winsock) ignoreResets() {
	for _, code := range []uint32{windows.SIO_UDP_CONNRESET, windows.SIO_UDP_NETRESET} {
		var report, size uint32
		_ = windows.WSAIoctl(s.fd, code, (*byte)(unsafe.Pointer(&report)), uint32(unsafe.Sizeof(report)), nil, 0, &size, nil, 0)
	}
}

// overlappedDatagrams is a joined socket.
type overlappedDatagrams struct{ *winsock }

// Read implements net.Conn.
func (d *overlappedDatagrams) Read(b []byte) (int, error) {
	n, err := d.move(&d.in, b, func(l *lane, o *windows.Overlapped) error {
		return windows.WSARecv(d.fd, &l.buffer, 1, &l.count, &l.flags, o, nil)
	})
	if err != nil {
		return n, d.opError("read", err)
	}
	return n, nil
}

// Write implements net.Conn.
func (d *overlappedDatagrams) Write(b []byte) (int, error) {
	n, err := d.move(&d.out, b, func(l *lane, o *windows.Overlapped) error {
		return windows.WSASend(d.fd, &l.buffer, 1, &l.count, 0, o, nil)
	})
	if err != nil {
		return n, d.opError("write", err)
	}
	return n, nil
}

// MaxPayload implements Datagrams.
func (d *overlappedDatagrams) MaxPayload() int { return maxPayload(d) }

// Dropped implements Datagrams.
func (d *overlappedDatagrams) Dropped() (uint64, bool) { return dropped(d) }

// Granted implements Datagrams.
func (d *overlappedDatagrams) Granted() Granted { return grantedTo(d) }

func (d *overlappedDatagrams) ipv6() bool { return d.family == windows.AF_INET6 }

var _ net.Conn = (*overlappedDatagrams)(nil)
