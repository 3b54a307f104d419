package sock

import (
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// receiving is the job of reading until the other side has closed.
type receiving struct {
	*transfer
	stream *overlappedStream
	in     Incoming
	flight flight
	depth  int
	whole  bool // reads end only with a full block
	speed  speedometer
}

// pump implements job.
func (r *receiving) pump(now time.Time) {
	if !r.finished && !now.Before(r.in.Until) {
		r.fail(os.ErrDeadlineExceeded)
	}
	for !r.finished && r.count < r.depth {
		op := r.next()
		op.prepare(op.memory)
		op.flags = 0
		if r.whole {
			op.flags = windows.MSG_WAITALL
		}
		r.handed(op, windows.WSARecv(r.socket.fd, &op.buffer, 1, nil, &op.flags, &op.overlapped, nil))
	}
	r.wake(r.in.Until)
}

// failed implements job.
func (*receiving) failed(err error) error { return err }

// hurry implements job. Nothing is left of a job that its caller waits for.
func (*receiving) hurry(time.Time) {}

// took implements job.
func (r *receiving) took(op *operation, n int, now time.Time) {
	if n == 0 {
		r.recall() // the end; the reads behind it have nothing to wait for
		return
	}
	r.stream.taken.Add(int64(n))
	r.in.Count.Add(n)
	if err := r.deliver(op.memory[:n]); err != nil {
		r.fail(err)
		return
	}
	if r.speed.add(n, now) {
		r.adapt()
	}
}

// deliver gives the sink what it wants to see.
func (r *receiving) deliver(b []byte) error {
	for r.in.Sink != nil && len(b) > 0 {
		n := copy(r.in.Sink.Buffer(), b)
		if err := r.in.Sink.Got(n); err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

// adapt fits the reads to how fast the stream is.
func (r *receiving) adapt() {
	r.depth = r.flight.receiving(r.speed.rate)
	r.whole = r.flight.whole(r.speed.rate, r.whole)
	waiting := 0
	if r.whole {
		waiting = r.depth * r.flight.block
	}
	r.stream.waiting.Store(int64(waiting))
}
