package sock

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/windows"
)

// winsock is a socket of the system that several goroutines use. It goes back to
// the system when it was shut and the last one has let go of it, so that no
// call ever meets a number that by then is another socket's.
type winsock struct {
	fd            windows.Handle
	family        int32
	udp           bool
	in, out       lane
	local, remote netip.AddrPort

	mu        sync.Mutex
	users     int
	closed    bool
	aborted   bool
	transfers []*transfer
	worker    *overlappedWorker // at whose port it is
	gone      chan struct{}     // closed once the system has it back

	inline bool // calls that end at once are not told at the port
	// spent says that what was sent last could not be brought through.
	spent atomic.Bool
}

// newSocket makes a TCP or UDP socket of a family.
func newSocket(family int32, udp bool) (*winsock, error) {
	kind, protocol := windows.SOCK_STREAM, windows.IPPROTO_TCP
	if udp {
		kind, protocol = windows.SOCK_DGRAM, windows.IPPROTO_UDP
	}
	fd, err := windows.WSASocket(family, int32(kind), int32(protocol), nil, 0, windows.WSA_FLAG_OVERLAPPED|windows.WSA_FLAG_NO_HANDLE_INHERIT)
	if err != nil {
		return nil, fmt.Errorf("socket: %w", err)
	}
	s := &winsock{fd: fd, family: family, udp: udp, gone: make(chan struct{})}
	s.in.owner, s.out.owner = s, s
	if err := errors.Join(s.in.open(), s.out.open()); err != nil {
		s.give()
		return nil, fmt.Errorf("socket: %w", err)
	}
	return s, nil
}

// use holds the socket until release.
func (s *winsock) use() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return net.ErrClosed
	}
	s.users++
	return nil
}

func (s *winsock) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users--
	if s.closed && s.users == 0 {
		s.give()
	}
}

// shut has all who use the socket let go of it. With abort what is still under
// way is dropped, also of a socket that was shut before.
func (s *winsock) shut(abort bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed && (!abort || s.aborted || s.users == 0) {
		return net.ErrClosed
	}
	if abort {
		_ = windows.SetsockoptLinger(s.fd, windows.SOL_SOCKET, windows.SO_LINGER, &windows.Linger{Onoff: 1})
	}
	s.closed, s.aborted = true, abort
	s.in.ring()
	s.out.ring()
	for _, t := range s.transfers {
		t.worker.call(t)
	}
	if s.users == 0 {
		s.give()
	}
	return nil
}

// give gives everything back to the system. The caller holds mu, or has the
// socket alone.
func (s *winsock) give() {
	_ = windows.Closesocket(s.fd)
	s.in.close()
	s.out.close()
	close(s.gone)
}

// isCut reports whether a transfer ends because this side shut the socket. One
// that is told goes on to its end, unless it was aborted.
func (s *winsock) isCut(told bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.aborted || s.closed && !told
}

// at puts the socket at the port of a worker, unless it is at one, and reports
// whether it is at this one: a socket stays where it was first. The caller uses
// the socket.
func (s *winsock) at(w *overlappedWorker) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.worker == nil {
		inline, err := w.port.add(s.fd)
		if err != nil {
			return false
		}
		s.worker, s.inline = w, inline
	}
	return s.worker == w
}

// join has shut call a transfer; leave ends it.
func (s *winsock) join(t *transfer) error {
	if err := s.use(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.transfers = append(s.transfers, t)
	return nil
}

func (s *winsock) leave(t *transfer) {
	s.mu.Lock()
	s.transfers = slices.DeleteFunc(s.transfers, func(one *transfer) bool { return one == t })
	s.mu.Unlock()
	s.release()
}

// control calls f with the descriptor, unless the socket is shut.
func (s *winsock) control(f func(fd uintptr)) {
	if s.use() == nil {
		defer s.release()
		f(uintptr(s.fd))
	}
}

// updateContext tells the system that a socket is connected or accepted;
// without it the calls that ask about a connection do not know it.
func updateContext(fd windows.Handle, option int32, listener *windows.Handle) error {
	var value *byte
	var size int32
	if listener != nil {
		value, size = (*byte)(unsafe.Pointer(listener)), int32(unsafe.Sizeof(*listener))
	}
	if err := windows.Setsockopt(fd, windows.SOL_SOCKET, option, value, size); err != nil {
		return fmt.Errorf("update the context of a connection: %w", err)
	}
	return nil
}
