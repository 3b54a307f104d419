package sock

import (
	"fmt"
	"net"
	"sync"

	"golang.org/x/sys/unix"

	"linkpace/engine/model"
)

// epollStream is a connection of package net until workers take its descriptor
// over; package net would wake up for every packet otherwise.
type epollStream struct {
	*portableStream
	mu     sync.Mutex
	fd     int    // -1 until it was taken
	busy   func() // tells the worker that uses fd to end; nil is no worker
	closed bool
	abort  bool // what to do once the worker is through
}

func newEpollStream(s Stream) *epollStream {
	return &epollStream{portableStream: s.(*portableStream), fd: -1}
}

// take gives a worker the descriptor until giveBack; interrupt tells it to end.
func (s *epollStream) take(interrupt func()) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return -1, net.ErrClosed
	}
	if s.fd < 0 {
		if err := s.detach(); err != nil {
			return -1, err
		}
	}
	s.busy = interrupt
	return s.fd, nil
}

// detach takes the connection away from package net.
func (s *epollStream) detach() error {
	var dup int
	var err error
	s.portableStream.control(func(fd uintptr) {
		dup, err = unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 0)
	})
	if err != nil {
		return fmt.Errorf("take a connection over: %w", err)
	}
	if dup == 0 {
		return net.ErrClosed // control found it closed
	}
	s.fd = dup
	return s.portableStream.Close()
}

func (s *epollStream) giveBack() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy = nil
	if s.closed {
		s.release()
	}
}

// release closes the descriptor. The caller holds mu.
func (s *epollStream) release() {
	if s.abort {
		_ = unix.SetsockoptLinger(s.fd, unix.SOL_SOCKET, unix.SO_LINGER, &unix.Linger{Onoff: 1})
	}
	_ = unix.Close(s.fd)
	s.fd = -1
}

// end closes the connection, at once if no worker uses it.
func (s *epollStream) end(abort bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return net.ErrClosed
	}
	s.closed, s.abort = true, abort
	switch {
	case s.fd < 0 && abort:
		s.portableStream.Abort()
	case s.fd < 0:
		return s.portableStream.Close()
	case s.busy != nil:
		s.busy()
	default:
		s.release()
	}
	return nil
}

// ended reports whether this side closed the connection.
func (s *epollStream) ended() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// Close implements net.Conn.
func (s *epollStream) Close() error { return s.end(false) }

// Abort implements Stream.
func (s *epollStream) Abort() { _ = s.end(true) }

// CloseWrite implements Stream.
func (s *epollStream) CloseWrite() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return net.ErrClosed
	case s.fd < 0:
		return s.portableStream.CloseWrite()
	}
	if err := unix.Shutdown(s.fd, unix.SHUT_WR); err != nil {
		return fmt.Errorf("end sending: %w", err)
	}
	return nil
}

// control calls f with the descriptor, unless the connection is closed.
func (s *epollStream) control(f func(fd uintptr)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
	case s.fd < 0:
		s.portableStream.control(f)
	default:
		f(uintptr(s.fd))
	}
}

// Unread implements Stream.
func (s *epollStream) Unread() (n int) {
	s.control(func(fd uintptr) { n = unreadBytes(fd) })
	return n
}

// Granted implements Stream.
func (s *epollStream) Granted() (g Granted) {
	s.control(func(fd uintptr) { g = granted(fd) })
	return g
}

// TCPInfo implements Stream.
func (s *epollStream) TCPInfo() (info model.TCPInfo, known bool) {
	s.control(func(fd uintptr) { info, known = s.asker.ask(fd) })
	return info, known
}
