package sock

import (
	"errors"
	"io"
	"net"
	"sync/atomic"

	"golang.org/x/sys/windows"

	"linkpace/engine/model"
)

type overlappedStream struct {
	*winsock
	network *Overlapped
	refused error // what Dial could not have, for Tune to tell
	// buffered says that a send buffer was asked for, which is then left alone.
	buffered atomic.Bool
	// sent is the sending that CloseWrite waits for.
	sent atomic.Pointer[transfer]
	// taken is how many bytes were received, and waiting how many more the
	// system may hold in reads that end only when they are full.
	taken, waiting atomic.Int64
}

// stream makes a connected socket a stream.
func (n *Overlapped) stream(s *winsock) *overlappedStream {
	s.learnAddresses()
	return &overlappedStream{winsock: s, network: n}
}

// Read implements net.Conn.
func (s *overlappedStream) Read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	n, err := s.move(&s.in, b, func(l *lane, o *windows.Overlapped) error {
		return windows.WSARecv(s.fd, &l.buffer, 1, &l.count, &l.flags, o, nil)
	})
	s.taken.Add(int64(n))
	switch {
	case n > 0:
		return n, nil
	case err == nil:
		return 0, io.EOF
	}
	return 0, s.opError("read", err)
}

// Write implements net.Conn.
func (s *overlappedStream) Write(b []byte) (int, error) {
	done := 0
	for done < len(b) {
		n, err := s.move(&s.out, b[done:], func(l *lane, o *windows.Overlapped) error {
			return windows.WSASend(s.fd, &l.buffer, 1, &l.count, 0, o, nil)
		})
		done += n
		if err == nil && n == 0 {
			err = io.ErrUnexpectedEOF
		}
		if err != nil && done < len(b) {
			return done, s.opError("write", err)
		}
	}
	return done, nil
}

// Abort implements Stream.
func (s *overlappedStream) Abort() { _ = s.shut(true) }

// CloseWrite implements Stream. It waits for what is under way.
func (s *overlappedStream) CloseWrite() error {
	if last := s.sent.Load(); last != nil {
		<-last.gone
	}
	if s.spent.Load() {
		return nil // there is nobody left to tell
	}
	err := net.ErrClosed
	s.control(func(fd uintptr) { err = windows.Shutdown(windows.Handle(fd), windows.SHUT_WR) })
	if err != nil {
		return s.opError("close", err)
	}
	return nil
}

// Unread implements Stream. What lies in reads that wait for more, the system
// does not count as unread; its figures of the connection tell.
func (s *overlappedStream) Unread() (n int) {
	s.control(func(fd uintptr) {
		n = unreadBytes(fd)
		waiting := s.waiting.Load()
		if waiting == 0 {
			return
		}
		taken := s.taken.Load() // before the question, or bytes were counted twice
		var raw tcpInfo1
		if raw.read(fd, 0) == nil {
			n += int(held(int64(raw.BytesIn), taken, int64(n), waiting))
		}
	})
	return n
}

// held is how many of the bytes that arrived lie in reads, at most so many.
func held(arrived, taken, unread, most int64) int64 {
	return min(max(arrived-taken-unread, 0), most)
}

// Tune implements Stream.
func (s *overlappedStream) Tune(t Tuning) error {
	err := net.ErrClosed
	s.control(func(fd uintptr) { err = tune(fd, t) })
	s.buffered.Store(t.SendBuffer > 0)
	return errors.Join(s.refused, err)
}

// Granted implements Stream.
func (s *overlappedStream) Granted() (g Granted) {
	s.control(func(fd uintptr) { g = granted(fd) })
	return g
}

// TCPInfo implements Stream.
func (s *overlappedStream) TCPInfo() (info model.TCPInfo, known bool) {
	s.control(func(fd uintptr) { info, known = s.network.figures.ask(fd) })
	return info, known
}
