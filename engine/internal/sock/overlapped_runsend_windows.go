package sock

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

const (
	// sendRuns is how many runs, and sendSingles how many single datagrams, are in
	// the system's hands at once.
	sendRuns    = 8
	sendSingles = 32
	// maxSegmentsUSO is how many datagrams one run holds.
	maxSegmentsUSO = 64
)

// runSending is the job of sending datagrams. The system cuts a run of them up
// (segmentation offload, Windows 10 2004), or each is a call of its own.
type runSending struct {
	*transfer
	out     OutgoingDatagrams
	quota   *datagramQuota
	segment bool
	proved  bool // the system took a run and cut it up
	tries   int  // calls that found the system's queue full, in a row
	stopped func() error
	last    time.Time // when to give up what is under way
}

// pump implements job.
func (s *runSending) pump(now time.Time) {
	if err := s.stopped(); err != nil {
		s.fail(err)
	}
	for !s.finished && s.count < s.depth() && !s.quota.over(now) {
		n := s.quota.may(now)
		if n == 0 {
			s.wake(earlier(s.quota.ready, s.out.Until))
			return
		}
		if !s.hand(n, now) {
			return
		}
	}
	s.conclude(now)
}

// depth is how many operations may be under way: one until it is known whether
// the system takes runs.
func (s *runSending) depth() int {
	if s.segment && !s.proved {
		return 1
	}
	return len(s.ring)
}

// hand hands over n datagrams, and reports whether to go on at once.
func (s *runSending) hand(n int, now time.Time) bool {
	op := s.next()
	b := op.memory[:n*s.out.Size]
	s.out.Stamper.Stamp(b, s.out.Size)
	op.prepare(b)
	op.message.set(op)
	if n > 1 {
		op.message.ask(s.out.Size)
	}
	err := windows.WSASendMsg(s.socket.fd, &op.message.WSAMsg, 0, nil, &op.overlapped, nil)
	if err != nil && !errors.Is(err, windows.ERROR_IO_PENDING) {
		s.out.Stamper.Sent(0)
		return s.overcome(err, now)
	}
	s.tries = 0
	s.out.Stamper.Sent(n)
	s.quota.sent(n, now)
	s.handed(op, err)
	return true
}

// overcome deals with what the system says against sending, and reports whether
// to try again at once.
func (s *runSending) overcome(err error, now time.Time) bool {
	switch {
	case unheard(err):
		s.wake(earlier(now.Add(time.Millisecond), s.out.Until))
		return false
	case s.segment:
		s.single()
	case errors.Is(err, windows.WSAEMSGSIZE) && s.tries == 0:
		s.tries++
		setFragments(uintptr(s.socket.fd), s.socket.family == windows.AF_INET6, 0)
	default:
		s.fail(fmt.Errorf("send datagrams: %w", os.NewSyscallError("WSASendMsg", err)))
	}
	return true
}

// single gives up sending runs.
func (s *runSending) single() {
	s.segment = false
	s.quota.run = 1
}

// unheardErrors is what Winsock says besides what passing knows.
var unheardErrors = []error{windows.WSAENETUNREACH, windows.WSAEHOSTUNREACH, windows.WSAENETRESET, windows.WSAECONNREFUSED}

// unheard tells errors that a socket gets over.
func unheard(err error) bool {
	return err != nil && (passing(err) || isOneOf(err, unheardErrors))
}

// failed implements job. A run that failed after it was handed over is lost, as
// it is on the way; the first that fails is the last.
func (s *runSending) failed(err error) error {
	switch {
	case unheard(err):
	case s.segment:
		s.single()
	default:
		return fmt.Errorf("send datagrams: %w", os.NewSyscallError("WSASendMsg", err))
	}
	return nil
}

// lastRuns is how long after the end the system may take to send what it has.
const lastRuns = 500 * time.Millisecond

func (s *runSending) conclude(now time.Time) {
	if !s.finished && s.quota.over(now) {
		s.finished = true
		s.last = now.Add(lastRuns)
	}
	switch {
	case !s.finished:
		s.wake(s.out.Until)
	case now.Before(s.last):
		s.wake(s.last)
	default:
		s.recall()
	}
}

// took implements job.
func (s *runSending) took(op *operation, _ int, _ time.Time) {
	if op.message.Control.Len > 0 {
		s.proved = true
	}
}

// hurry implements job. Nothing is left of a job that its caller waits for.
func (*runSending) hurry(time.Time) {}
