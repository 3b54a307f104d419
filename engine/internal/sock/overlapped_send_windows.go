package sock

import (
	"errors"
	"io"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// sending is the job of writing until the source, the limit or the time ends.
// Its caller goes on when everything was handed over; what is then under way,
// the stream waits for before it closes its direction.
type sending struct {
	*transfer
	out    Outgoing
	quota  *quota
	flight flight
	depth  int
	stride int
	direct bool // the system has no buffer: a write ends when its bytes arrived
	speed  speedometer
	last   time.Time // when to give up what is under way
}

// pump implements job.
func (s *sending) pump(now time.Time) {
	for !s.finished && s.count < s.depth && !s.quota.over(now) {
		if now.Before(s.quota.ready) {
			s.wake(earlier(s.quota.ready, s.out.Until))
			return
		}
		op := s.next()
		b := s.content(op)
		if len(b) == 0 {
			s.finish(now)
			break
		}
		s.quota.sent(len(b), now)
		op.prepare(b)
		s.handed(op, windows.WSASend(s.socket.fd, &op.buffer, 1, nil, 0, &op.overlapped, nil))
	}
	s.conclude(now)
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// content is what the next operation is to write.
func (s *sending) content(op *operation) []byte {
	if s.out.Source == nil {
		return s.quota.cut(op.memory[:s.stride])
	}
	// The source may change its bytes while the system still reads them, so they
	// are copied.
	n := copy(op.memory[:s.stride], s.quota.cut(s.out.Source.Next()))
	s.out.Source.Sent(n)
	return op.memory[:n]
}

// linger is how long after the end writes that are under way may take, a little
// longer than receivers wait for them. They are not taken back before, because
// that leaves a connection that is good for nothing.
const linger = 2500 * time.Millisecond

var errLingered = errors.New("what was sent last did not get through")

// finish tells the caller that everything is in the system's hands, and counts
// what is under way as sent.
func (s *sending) finish(now time.Time) {
	s.finished = true
	s.last = s.out.Until.Add(linger)
	if now.After(s.out.Until) {
		s.last = now.Add(linger)
	}
	for i := range s.count {
		s.out.Count.Add(int(s.ring[(s.head+i)%len(s.ring)].buffer.Len))
	}
	s.tell()
}

// conclude looks whether the time is up.
func (s *sending) conclude(now time.Time) {
	if !s.finished && s.quota.over(now) {
		s.finish(now)
	}
	switch {
	case !s.told:
		s.wake(s.out.Until)
	case now.Before(s.last):
		s.wake(s.last)
	case s.count > 0:
		_ = s.socket.shut(true)
		s.fail(errLingered)
	}
}

// failed implements job.
func (*sending) failed(err error) error { return err }

// hurry implements job.
func (s *sending) hurry(now time.Time) { s.last = earlier(s.last, now.Add(linger)) }

// took implements job.
func (s *sending) took(op *operation, n int, now time.Time) {
	if !s.told {
		s.out.Count.Add(n)
	}
	if n < int(op.buffer.Len) {
		s.fail(io.ErrShortWrite)
		return
	}
	if s.speed.add(n, now) {
		s.adapt()
	}
}

// adapt fits the writes to how fast the stream is and to how much the system
// wants to have at hand.
func (s *sending) adapt() {
	s.stride = s.flight.stride(s.speed.rate)
	if s.direct {
		s.depth = s.flight.sending(s.stride, idealBacklog(s.socket.fd))
	}
}

// idealSendBacklogQuery is SIO_IDEAL_SEND_BACKLOG_QUERY of mstcpip.h.
const idealSendBacklogQuery = 0x4004747b

// idealBacklog is how many bytes should be in flight for the connection to be
// full, as the system sees it; 0 where it does not tell.
func idealBacklog(fd windows.Handle) int {
	var backlog, size uint32
	if windows.WSAIoctl(fd, idealSendBacklogQuery, nil, 0, (*byte)(unsafe.Pointer(&backlog)), uint32(unsafe.Sizeof(backlog)), &size, nil, 0) != nil {
		return 0
	}
	return int(min(backlog, 1<<30))
}
