package sock

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"syscall"
	"time"
)

// Join implements Network.
func (Portable) Join(local, remote netip.AddrPort, t Tuning) (Datagrams, error) {
	if t.ReceiveBuffer == 0 {
		t.ReceiveBuffer = receiveRoom
	}
	dialer := net.Dialer{
		LocalAddr: net.UDPAddrFromAddrPort(local),
		Control: func(_, _ string, c syscall.RawConn) error {
			return c.Control(func(fd uintptr) {
				if prepare(fd, remote.Addr().Unmap().Is6(), t); local.Port() != 0 {
					reuse(fd)
				}
			})
		},
	}
	conn, err := dialer.Dial("udp", remote.String())
	if err != nil {
		return nil, fmt.Errorf("join %v: %w", remote, err)
	}
	return &udpSocket{conn.(*net.UDPConn)}, nil
}

// HireCarriers implements Network.
func (Portable) HireCarriers(Terms) Carriers { return plainCarriers{} }

// udpSocket is a connected socket of package net.
type udpSocket struct{ *net.UDPConn }

// MaxPayload implements Datagrams.
func (s *udpSocket) MaxPayload() int { return maxPayload(s) }

// Dropped implements Datagrams.
func (s *udpSocket) Dropped() (uint64, bool) { return dropped(s) }

// Granted implements Datagrams.
func (s *udpSocket) Granted() Granted { return grantedTo(s) }

func (s *udpSocket) ipv6() bool {
	return s.RemoteAddr().(*net.UDPAddr).AddrPort().Addr().Unmap().Is6()
}

// control calls f with the descriptor, unless the socket is closed.
func (s *udpSocket) control(f func(fd uintptr)) {
	if raw, err := s.SyscallConn(); err == nil {
		_ = raw.Control(f)
	}
}

// socket is one of the system's own.
type socket interface {
	ipv6() bool
	// control calls f with the descriptor, unless the socket is closed.
	control(f func(fd uintptr))
}

func maxPayload(s socket) int {
	mtu := 0
	s.control(func(fd uintptr) { mtu = pathMTU(fd, s.ipv6()) })
	return PayloadFor(mtu, s.ipv6())
}

func dropped(s socket) (n uint64, known bool) {
	s.control(func(fd uintptr) { n, known = droppedPackets(fd) })
	return n, known
}

func grantedTo(s socket) (g Granted) {
	s.control(func(fd uintptr) { g.SendBuffer, g.ReceiveBuffer = grantedBuffers(fd) })
	return g
}

// plainCarriers move datagrams one by one with Read and Write. They work on
// every Datagrams.
type plainCarriers struct{}

// Methods implements Carriers.
func (plainCarriers) Methods() Methods {
	return Methods{Send: MethodWrite, Receive: MethodRead, Syscalls: SyscallsPlain}
}

// Send implements Carriers.
func (plainCarriers) Send(ctx context.Context, d Datagrams, o OutgoingDatagrams) error {
	defer interruptOn(ctx, d)()
	b := make([]byte, o.Size)
	fill(b)
	if o.Size > d.MaxPayload() {
		allowFragments(d)
	}
	q := newDatagramQuota(o, 1, time.Now())
	for q.wait(ctx) > 0 {
		o.Stamper.Stamp(b, o.Size)
		_, err := d.Write(b)
		switch {
		case err == nil:
			o.Stamper.Sent(1)
			q.sent(1, time.Now())
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case !passing(err):
			return fmt.Errorf("send a datagram: %w", err)
		default:
			rest(ctx, time.Millisecond)
		}
	}
	return errOr(ctx, ctx.Err())
}

// Receive implements Carriers.
func (plainCarriers) Receive(ctx context.Context, d Datagrams, in IncomingDatagrams) error {
	if err := d.SetReadDeadline(in.Until); err != nil {
		return errOr(ctx, err)
	}
	defer interruptOn(ctx, d)()
	b := make([]byte, maxRun)
	began := time.Now()
	for {
		n, err := d.Read(b)
		switch {
		case err == nil:
			if done, bad := in.Sink.Got(b[:n], n, Arrival{At: time.Since(began)}); done || bad != nil {
				return bad
			}
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case !passing(err):
			return err
		case !time.Now().Before(in.Until):
			return os.ErrDeadlineExceeded
		default:
			rest(ctx, time.Millisecond)
		}
	}
}

// interruptOn ends reads and writes when ctx ends. The returned function ends the
// watch.
func interruptOn(ctx context.Context, d Datagrams) func() {
	stop := context.AfterFunc(ctx, func() { _ = d.SetDeadline(time.Unix(1, 0)) })
	return func() { stop() }
}

// passing tells errors that a socket gets over from those that it does not: the
// other system's word that nobody listens (yet, or any more), a queue that is
// full, a firewall here that drops, a cable that is out.
func passing(err error) bool {
	for _, e := range []error{syscall.ECONNREFUSED, syscall.ENOBUFS, syscall.EPERM, syscall.ENETDOWN, syscall.ENETUNREACH, syscall.EHOSTUNREACH, wsaConnReset, wsaNoBuffers} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// What Windows says for ECONNREFUSED of a datagram and for ENOBUFS; package
// syscall names only the values of Unix.
const (
	wsaConnReset = syscall.Errno(10054)
	wsaNoBuffers = syscall.Errno(10055)
)

// rest waits, at most until ctx ends.
func rest(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
