package sock

import (
	"encoding/binary"
	"fmt"
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	// maxSegments is UDP_MAX_SEGMENTS of kernels before 6.9.
	maxSegments = 64
	// sendBatch is how many datagrams one sendmmsg takes.
	sendBatch = 32
)

// runSender sends the datagrams of one socket.
type runSender struct {
	*line
	out   OutgoingDatagrams
	quota *datagramQuota
	// segment says that a run leaves as one message that the kernel cuts up; else
	// each datagram is a message of its own.
	segment bool
	batch   *batch
	whole   bool // fragments are allowed
}

func newRunSender(l *line, o OutgoingDatagrams, plain bool) *runSender {
	s := &runSender{line: l, out: o, segment: !plain}
	s.prepare()
	return s
}

// prepare makes the memory for the way that is tried next.
func (s *runSender) prepare() {
	n, most := sendBatch, sendBatch
	if s.segment {
		most = max(min(maxRun/s.out.Size, maxSegments), 1)
		n = 1
	}
	s.batch = newBatch(n, most/n*s.out.Size, 0)
	fill(s.batch.memory)
	now := time.Now()
	if s.quota == nil {
		s.quota = newDatagramQuota(s.out, most, now)
		s.pacing()
	}
	s.quota.run = min(s.quota.run, most)
}

// pacing has the adapter's queue spread out what leaves together, where it can
// (fq; tc-fq(8)); others ignore it. A little above the rate, so that the queue
// never is what holds it.
func (s *runSender) pacing() {
	if s.out.Rate > 0 {
		_ = unix.SetsockoptUint64(s.fd, unix.SOL_SOCKET, unix.SO_MAX_PACING_RATE, uint64(s.out.Rate.In(time.Second))*11/10)
	}
}

func (s *runSender) method() string {
	if s.segment {
		return MethodSegment
	}
	return MethodSendBatch
}

// run sends until the time or the limit is up.
func (s *runSender) run() error {
	for now := time.Now(); !s.quota.over(now) && !s.over(); now = time.Now() {
		n := s.quota.may(now)
		if n == 0 {
			s.wait(0, min(s.quota.ready.Sub(now), s.out.Until.Sub(now)))
			continue
		}
		b := s.batch.memory[:n*s.out.Size]
		s.out.Stamper.Stamp(b, s.out.Size)
		sent, err := s.send(n)
		s.out.Stamper.Sent(sent)
		s.quota.sent(sent, now)
		if err != 0 {
			if err := s.overcome(err); err != nil {
				return err
			}
		}
	}
	return nil
}

// send sends the first n datagrams and gives how many left.
func (s *runSender) send(n int) (int, syscall.Errno) {
	if !s.segment {
		return s.batch.call(s.call, unix.SYS_SENDMMSG, s.fd, n, unix.MSG_DONTWAIT)
	}
	s.cut(n)
	h := &s.batch.headers[0].Msghdr
	if _, err := s.call.call(unix.SYS_SENDMSG, uintptr(s.fd), uintptr(unsafe.Pointer(h)), unix.MSG_DONTWAIT, 0, 0, 0); err != 0 {
		return 0, err
	}
	return n, 0
}

// cut asks for a message of n datagrams to be cut up (udp(7), UDP_SEGMENT).
func (s *runSender) cut(n int) {
	s.batch.vectors[0].SetLen(n * s.out.Size)
	h := &s.batch.headers[0].Msghdr
	if n == 1 {
		h.Control = nil
		h.SetControllen(0)
		return
	}
	if s.batch.room == 0 {
		s.batch.room = unix.CmsgSpace(2)
		s.batch.control = make([]byte, s.batch.room)
		c := (*unix.Cmsghdr)(unsafe.Pointer(&s.batch.control[0]))
		c.Level, c.Type = unix.SOL_UDP, unix.UDP_SEGMENT
		c.SetLen(unix.CmsgLen(2))
		binary.NativeEndian.PutUint16(s.batch.control[unix.CmsgLen(0):], uint16(s.out.Size))
	}
	s.batch.reset(0)
}

// overcome deals with what the system says against sending.
func (s *runSender) overcome(err syscall.Errno) error {
	switch {
	case err == unix.EAGAIN:
		s.wait(unix.POLLOUT, time.Until(s.out.Until))
	case err == unix.EINTR:
	case passing(err):
		s.wait(0, time.Millisecond)
	case s.segment:
		// An old kernel, an adapter that does not check-sum, a path that carries
		// less than it did.
		s.segment = false
		s.prepare()
	case err == unix.EMSGSIZE && !s.whole:
		s.whole = true
		allowFragments(s.socket)
	default:
		return fmt.Errorf("send datagrams: %w", os.NewSyscallError("sendmmsg", err))
	}
	return nil
}
