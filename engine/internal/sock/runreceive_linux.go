package sock

import (
	"encoding/binary"
	"fmt"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	// receiveRuns is how many runs, and receiveBatch how many single datagrams, one
	// call takes. More are no faster, and leave the processor's cache.
	receiveRuns  = 4
	receiveBatch = 64
	// runRoom holds the largest run and the largest datagram that there is.
	runRoom = 64 << 10
)

// runReceiver receives the datagrams of one socket.
type runReceiver struct {
	*line
	in       IncomingDatagrams
	coalesce bool
	batch    *batch
	pace     naps
	began    time.Time
	stamped  bool // whether the kernel has said when something came
}

func newRunReceiver(l *line, in IncomingDatagrams, plain bool) *runReceiver {
	r := &runReceiver{line: l, in: in, began: time.Now()}
	_, room := grantedBuffers(uintptr(l.fd))
	r.pace.room = room
	n := receiveBatch
	// The kernel cuts runs up again for a socket that does not want them.
	if unix.SetsockoptInt(l.fd, unix.SOL_UDP, unix.UDP_GRO, flag(!plain)) == nil && !plain {
		r.coalesce, n = true, receiveRuns
	}
	for _, option := range []int{unix.SO_RXQ_OVFL, unix.SO_TIMESTAMPNS} {
		_ = unix.SetsockoptInt(l.fd, unix.SOL_SOCKET, option, 1)
	}
	r.batch = newBatch(n, runRoom, controlRoom())
	return r
}

func flag(on bool) int {
	if on {
		return 1
	}
	return 0
}

// controlRoom holds the size of a run's datagrams, the drop counter and the stamp.
func controlRoom() int {
	return 2*unix.CmsgSpace(4) + unix.CmsgSpace(int(unsafe.Sizeof(unix.Timespec{})))
}

// leave ends the stamps: while any socket wants them, every packet of the computer
// is stamped.
func (r *runReceiver) leave() {
	_ = unix.SetsockoptInt(r.fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 0)
}

func (r *runReceiver) method() string {
	if r.coalesce {
		return MethodCoalesce
	}
	return MethodReceiveBatch
}

// run receives until the sink has enough or time is up.
func (r *runReceiver) run() error {
	for !r.over() {
		n, err := r.batch.call(r.call, unix.SYS_RECVMMSG, r.fd, len(r.batch.headers), unix.MSG_DONTWAIT)
		now := time.Now()
		switch {
		case err == 0:
			if done, err := r.hand(n, now); done || err != nil {
				return err
			}
			if n == len(r.batch.headers) {
				continue // more is waiting
			}
		case !again(err) && !passing(err):
			return fmt.Errorf("receive datagrams: %w", os.NewSyscallError("recvmmsg", err))
		}
		if !now.Before(r.in.Until) {
			return os.ErrDeadlineExceeded
		}
		r.rest(now)
	}
	return nil
}

// rest waits for more to come, when nothing is waiting. While much is coming it
// sleeps for a fixed time instead, because waking somebody for every run costs the
// kernel, on the sender's processor if that is this computer's, more than the run.
func (r *runReceiver) rest(now time.Time) {
	if nap := r.pace.next(now); nap > 0 {
		r.wait(0, min(nap, r.in.Until.Sub(now)))
		return
	}
	r.wait(unix.POLLIN, r.in.Until.Sub(now))
}

// hand gives n messages to the sink, all of them also when it has enough.
func (r *runReceiver) hand(n int, now time.Time) (enough bool, err error) {
	for i := range n {
		h := &r.batch.headers[i]
		b := r.batch.memory[i*runRoom:][:h.n]
		r.pace.bytes += len(b)
		size, a := r.describe(i, now)
		r.batch.reset(i)
		if size == 0 {
			size = len(b)
		}
		done, err := r.in.Sink.Got(b, size, a)
		if err != nil {
			return true, err
		}
		enough = enough || done
	}
	return enough, nil
}

// describe reads the control messages of message i: the size of the datagrams of
// a run, 0 where it is none, and what is known of their coming.
func (r *runReceiver) describe(i int, now time.Time) (size int, a Arrival) {
	a = Arrival{Counted: true}
	if !r.stamped {
		a.At = now.Sub(r.began)
	}
	left := r.batch.control[i*r.batch.room:][:r.batch.headers[i].Controllen]
	for len(left) >= unix.CmsgLen(0) {
		c := (*unix.Cmsghdr)(unsafe.Pointer(&left[0]))
		length := int(c.Len)
		if length < unix.CmsgLen(0) || length > len(left) {
			break
		}
		data := left[unix.CmsgLen(0):length]
		switch {
		case c.Level == unix.SOL_UDP && c.Type == unix.UDP_GRO && len(data) >= 4:
			size = int(binary.NativeEndian.Uint32(data))
		case c.Level == unix.SOL_SOCKET && c.Type == unix.SO_RXQ_OVFL && len(data) >= 4:
			a.Dropped = binary.NativeEndian.Uint32(data)
		case c.Level == unix.SOL_SOCKET && c.Type == unix.SCM_TIMESTAMPNS:
			a.At, r.stamped = stampOf(data), true
		}
		left = left[min(unix.CmsgSpace(length-unix.CmsgLen(0)), len(left)):]
	}
	return size, a
}

// stampOf reads a struct timespec of this system's word size; 0 is none.
func stampOf(b []byte) time.Duration {
	var t unix.Timespec
	if len(b) < int(unsafe.Sizeof(t)) {
		return 0
	}
	t = *(*unix.Timespec)(unsafe.Pointer(&b[0]))
	return time.Duration(t.Nano())
}
