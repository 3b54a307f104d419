package sock

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// receiveRuns is how many reads wait for datagrams at once.
const receiveRuns = 16

// runReceiving is the job of receiving datagrams, which the system may put
// together to runs (receive coalescing, Windows 10 2004).
type runReceiving struct {
	*transfer
	in      IncomingDatagrams
	clock   func() time.Time // finer than that of alarms
	began   time.Time
	stopped func() error
}

// pump implements job.
func (r *runReceiving) pump(now time.Time) {
	switch err := r.stopped(); {
	case r.finished:
	case err != nil:
		r.fail(err)
	case !now.Before(r.in.Until):
		r.fail(os.ErrDeadlineExceeded)
	}
	again := r.in.Until
	for !r.finished && r.count < len(r.ring) {
		op := r.next()
		op.prepare(op.memory)
		op.message.set(op)
		op.message.room()
		err := windows.WSARecvMsg(r.socket.fd, &op.message.WSAMsg, nil, &op.overlapped, nil)
		if unheard(err) {
			again = earlier(now.Add(time.Millisecond), again)
			break
		}
		r.handed(op, err)
	}
	r.wake(again)
}

// took implements job.
func (r *runReceiving) took(op *operation, n int, _ time.Time) {
	size := op.message.told()
	if size <= 0 {
		size = max(n, 1)
	}
	enough, err := r.in.Sink.Got(op.memory[:n], size, Arrival{At: r.clock().Sub(r.began)})
	if err != nil {
		r.fail(err)
	} else if enough {
		r.recall()
	}
}

// failed implements job.
func (*runReceiving) failed(err error) error {
	if unheard(err) {
		return nil
	}
	return fmt.Errorf("receive datagrams: %w", os.NewSyscallError("WSARecvMsg", err))
}

// hurry implements job. Nothing is left of a job that its caller waits for.
func (*runReceiving) hurry(time.Time) {}
