package sock

import (
	"fmt"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// Join implements Network.
func (e Epoll) Join(local, remote netip.AddrPort, t Tuning) (Datagrams, error) {
	d, err := e.Portable.Join(local, remote, t)
	if err != nil {
		return nil, err
	}
	return &runSocket{udpSocket: d.(*udpSocket), fd: -1}, nil
}

// runSocket is a socket of package net until carriers take its descriptor over:
// package net would be woken for every packet, and the sender's processor pays
// for that. From then on it is good for Write, asking and Close.
type runSocket struct {
	*udpSocket
	closed atomic.Bool

	mu    sync.Mutex
	fd    int // -1 until it was taken
	users int // of fd
}

// roomTime is how long Write waits for room.
const roomTime = 100 * time.Millisecond

// take takes the descriptor over.
func (s *runSocket) take() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed.Load() {
		return net.ErrClosed
	}
	if s.fd >= 0 {
		return nil
	}
	fd, err := -1, net.ErrClosed
	s.udpSocket.control(func(old uintptr) { fd, err = unix.FcntlInt(old, unix.F_DUPFD_CLOEXEC, 0) })
	if err != nil {
		return fmt.Errorf("take a socket over: %w", err)
	}
	s.fd = fd
	return s.udpSocket.Close()
}

// control calls f with the descriptor, which stays open meanwhile, unless the
// socket is closed.
func (s *runSocket) control(f func(fd uintptr)) {
	fd, ok := s.borrow()
	switch {
	case !ok:
	case fd < 0:
		s.udpSocket.control(f)
	default:
		defer s.giveBack()
		f(uintptr(fd))
	}
}

// borrow gives the descriptor until giveBack; a negative one is package net's.
func (s *runSocket) borrow() (fd int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed.Load() {
		return -1, false
	}
	if s.fd >= 0 {
		s.users++
	}
	return s.fd, true
}

func (s *runSocket) giveBack() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users--
	s.release()
}

// release closes the descriptor when nobody needs it. The caller holds mu.
func (s *runSocket) release() {
	if s.closed.Load() && s.fd >= 0 && s.users == 0 {
		_ = unix.Close(s.fd)
		s.fd = -1
	}
}

// Close implements net.Conn. Who moves datagrams ends soon.
func (s *runSocket) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed.Swap(true) {
		return net.ErrClosed
	}
	if s.fd < 0 {
		return s.udpSocket.Close()
	}
	s.release()
	return nil
}

// Write implements net.Conn. It waits a moment for room: behind a slow link the
// buffer is full of payload when its end is to be said.
func (s *runSocket) Write(b []byte) (n int, err error) {
	fd, ok := s.borrow()
	switch {
	case !ok:
		return 0, net.ErrClosed
	case fd < 0:
		return s.udpSocket.Write(b)
	}
	defer s.giveBack()
	n, err = unix.Write(fd, b)
	for by := time.Now().Add(roomTime); err == unix.EAGAIN && time.Now().Before(by); {
		_, _ = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}, int(time.Until(by)/time.Millisecond)+1)
		n, err = unix.Write(fd, b)
	}
	if err != nil {
		return 0, fmt.Errorf("send a datagram: %w", err)
	}
	return n, nil
}

// MaxPayload implements Datagrams.
func (s *runSocket) MaxPayload() int { return maxPayload(s) }

// Dropped implements Datagrams.
func (s *runSocket) Dropped() (uint64, bool) { return dropped(s) }

// Granted implements Datagrams.
func (s *runSocket) Granted() Granted { return grantedTo(s) }
