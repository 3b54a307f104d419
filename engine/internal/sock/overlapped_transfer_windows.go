package sock

import (
	"errors"
	"net"
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// operation is one read or write in the system's hands. The system writes to it
// and to its memory until it has ended, so neither moves nor goes before.
type operation struct {
	overlapped windows.Overlapped // first: the system knows an operation by it
	buffer     windows.WSABuf
	message    message // of datagrams
	flags      uint32
	back       bool // it has ended
	memory     []byte
	of         *transfer
}

// transfer moves the payload of one direction of a socket. Once it is under
// way, its fields are its worker's alone.
type transfer struct {
	socket *winsock
	worker *overlappedWorker
	job    job
	own    pages // memory that goes with the transfer
	pin    runtime.Pinner
	// ring holds the operations: count of them, from head on, were handed over,
	// in this order, and are accounted for in this order.
	ring        []operation
	head, count int

	finished bool // no operation is to be handed over any more
	recalled bool // those that were are of no interest any more
	told     bool // done is closed
	over     bool // gone is closed
	alarm    *time.Timer
	rings    time.Time // when the alarm does; zero once it may have

	err  error         // the outcome, once done is closed
	done chan struct{} // closed when the caller may go on
	gone chan struct{} // closed when the system has nothing of it any more
}

// job is what differs between sending and receiving.
type job interface {
	// pump hands over as many operations as are due.
	pump(now time.Time)
	// took accounts for an operation that moved n bytes.
	took(op *operation, n int, now time.Time)
	// failed says what the failure of an operation is to the whole: nothing, or
	// the end with an error.
	failed(err error) error
	// hurry has what is left end soon.
	hurry(now time.Time)
}

func newTransfer(s *winsock, w *overlappedWorker, most int) *transfer {
	t := &transfer{socket: s, worker: w, ring: make([]operation, most), done: make(chan struct{}), gone: make(chan struct{})}
	for i := range t.ring {
		t.ring[i].of = t
	}
	return t
}

// run has the worker carry the transfer out and waits until it says that the
// caller may go on.
func (t *transfer) run(j job) error {
	t.job = j
	t.pin.Pin(unsafe.SliceData(t.ring))
	// From here on, whoever shuts the socket may have the worker look.
	if err := t.socket.join(t); err != nil {
		t.pin.Unpin()
		t.own.free()
		close(t.gone)
		return err
	}
	t.worker.begin(t)
	<-t.done
	return t.err
}

// wake has the worker look at the transfer at a moment.
func (t *transfer) wake(at time.Time) {
	switch {
	case t.alarm == nil:
		t.alarm = time.AfterFunc(time.Until(at), func() { t.worker.call(t) })
	case !at.Equal(t.rings):
		t.alarm.Reset(time.Until(at))
	}
	t.rings = at
}

// next gives the operation to hand over next.
func (t *transfer) next() *operation { return &t.ring[(t.head+t.count)%len(t.ring)] }

// prepare points an operation at its memory.
func (op *operation) prepare(memory []byte) {
	op.overlapped = windows.Overlapped{}
	op.buffer = windows.WSABuf{Len: uint32(len(memory)), Buf: unsafe.SliceData(memory)}
}

// handed accounts for the operation of next, with what the call said.
func (t *transfer) handed(op *operation, err error) {
	switch {
	case err == nil && t.socket.inline:
		t.worker.atOnce = append(t.worker.atOnce, op)
	case err == nil || errors.Is(err, windows.ERROR_IO_PENDING):
	default:
		t.fail(err) // the system has nothing of it
		return
	}
	t.count++
}

// ended takes note of an operation that has ended. What was handed over before
// it may still be on its way here, and comes first.
func (t *transfer) ended(op *operation, now time.Time) {
	op.back = true
	for t.count > 0 && t.ring[t.head].back {
		first := &t.ring[t.head]
		first.back = false
		t.head = (t.head + 1) % len(t.ring)
		t.count--
		t.account(first, now)
	}
	t.look(now)
}

func (t *transfer) account(op *operation, now time.Time) {
	if t.recalled {
		return
	}
	n, err := result(t.socket.fd, &op.overlapped)
	if err == nil {
		t.job.took(op, n, now)
	} else if err = t.job.failed(err); err != nil {
		t.fail(err)
	}
}

// look goes on with the transfer, or ends it.
func (t *transfer) look(now time.Time) {
	if t.over {
		return
	}
	if t.socket.isCut(t.told) {
		t.fail(net.ErrClosed)
	}
	t.job.pump(now)
	if t.finished && t.count == 0 {
		t.end()
	}
}

// tell lets the caller go on.
func (t *transfer) tell() {
	if !t.told {
		t.told = true
		close(t.done)
	}
}

// end frees what the transfer holds.
func (t *transfer) end() {
	t.over = true
	if t.alarm != nil {
		t.alarm.Stop()
	}
	t.pin.Unpin()
	t.own.free()
	t.worker.forget(t)
	t.socket.leave(t)
	close(t.gone)
	t.tell()
}

// fail ends the transfer with an error. After the caller was told that all is
// well, what is left of it is dropped, as the system does with what it has
// buffered.
func (t *transfer) fail(err error) {
	switch {
	case t.told:
		t.socket.spent.Store(true)
	case t.err == nil:
		t.err = err
	}
	t.recall()
}

// recall takes back what the system has not carried out.
func (t *transfer) recall() {
	t.finished, t.recalled = true, true
	for i := range t.count {
		if op := &t.ring[(t.head+i)%len(t.ring)]; !op.back {
			_ = windows.CancelIoEx(t.socket.fd, &op.overlapped)
		}
	}
}
