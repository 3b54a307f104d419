package sock

import (
	"context"
	"fmt"
	"net"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"linkpace/engine/internal/thread"
)

// The words of Methods for datagrams on Linux.
const (
	// MethodSegment hands the kernel up to 64 datagrams in one piece (UDP_SEGMENT).
	MethodSegment = "gso"
	// MethodSendBatch hands it several at once.
	MethodSendBatch = "sendmmsg"
	// MethodCoalesce takes datagrams in pieces as large (UDP_GRO).
	MethodCoalesce = "gro"
	// MethodReceiveBatch takes several at once.
	MethodReceiveBatch = "recvmmsg"
)

// rawCarriers is how many sockets may be worked on by calls that hold a processor
// of Go's scheduler, on a small computer too.
const rawCarriers = 8

// HireCarriers implements Network.
func (Epoll) HireCarriers(t Terms) Carriers {
	c := &runCarriers{terms: t, raw: !t.Plain && t.Streams <= max(runtime.NumCPU(), rawCarriers)}
	if c.raw {
		thread.MakeRoom(t.Streams + 1) // one for delay probes
	}
	return c
}

// runCarriers move runs of datagrams, each of which costs the kernel little more
// than one datagram does. Each socket has the caller's goroutine to itself.
type runCarriers struct {
	terms Terms
	raw   bool

	mu     sync.Mutex
	method Methods
}

// Methods implements Carriers.
func (c *runCarriers) Methods() Methods {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.method
}

// used remembers how one socket was worked on.
func (c *runCarriers) used(m Methods) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.method.Merge(m)
	c.method.Syscalls = SyscallsPlain
	if c.raw {
		c.method.Syscalls = SyscallsRaw
	}
}

// Send implements Carriers.
func (c *runCarriers) Send(ctx context.Context, d Datagrams, o OutgoingDatagrams) error {
	if o.Size > d.MaxPayload() {
		allowFragments(d)
	}
	return c.work(ctx, d, func(l *line) (Methods, error) {
		s := newRunSender(l, o, c.terms.PlainDatagrams || o.Size > d.MaxPayload())
		err := s.run()
		return Methods{Send: s.method()}, err
	})
}

// Receive implements Carriers.
func (c *runCarriers) Receive(ctx context.Context, d Datagrams, in IncomingDatagrams) error {
	return c.work(ctx, d, func(l *line) (Methods, error) {
		r := newRunReceiver(l, in, c.terms.PlainDatagrams)
		defer r.leave()
		err := r.run()
		return Methods{Receive: r.method()}, err
	})
}

// work does something with the descriptor of a socket, which stays open meanwhile.
func (c *runCarriers) work(ctx context.Context, d Datagrams, do func(*line) (Methods, error)) error {
	s, ours := d.(*runSocket)
	if !ours {
		return fmt.Errorf("move datagrams by a %T: %w", d, os.ErrInvalid)
	}
	if err := s.take(); err != nil {
		return errOr(ctx, err)
	}
	l := &line{call: caller{raw: c.raw}, socket: s}
	defer context.AfterFunc(ctx, func() { l.cancelled.Store(true) })()
	refused := c.pin()
	err := net.ErrClosed
	s.control(func(fd uintptr) {
		l.fd = int(fd)
		var m Methods
		m, err = do(l)
		m.Refused = refused
		c.used(m)
	})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err == nil && s.closed.Load():
		return net.ErrClosed
	}
	return err
}

// pin keeps the caller's thread to the processors that were asked for. It is never
// unlocked: the thread ends with the goroutine.
func (c *runCarriers) pin() error {
	if len(c.terms.CPUs) == 0 {
		return nil
	}
	runtime.LockOSThread()
	return thread.Pin(c.terms.CPUs)
}

// line is a socket that is worked on.
type line struct {
	call      caller
	socket    *runSocket
	fd        int
	cancelled atomic.Bool
	wakes     wakeCount
	poll      unix.PollFd
	timeout   unix.Timespec
}

// over reports whether somebody wants the work to end.
func (l *line) over() bool { return l.cancelled.Load() || l.socket.closed.Load() }

// wait sleeps until an event comes, or for so long, and never longer than patience.
// No events is sleeping alone.
func (l *line) wait(events int16, longest time.Duration) {
	if longest = min(longest, patience); longest <= 0 {
		return
	}
	l.timeout = unix.NsecToTimespec(longest.Nanoseconds())
	l.poll = unix.PollFd{Fd: int32(l.fd), Events: events}
	n := uintptr(1)
	if events == 0 {
		n = 0
	}
	call := l.call
	call.raw = call.raw && l.wakes.many()
	// ppoll(2) is never restarted after a signal (signal(7)).
	_, err := call.call(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&l.poll)), n, uintptr(unsafe.Pointer(&l.timeout)), 0, 0, 0)
	if err == 0 {
		l.wakes.add()
	}
}

// again tells errors that mean "look around and go on".
func again(err syscall.Errno) bool { return err == unix.EAGAIN || err == unix.EINTR }

// batch is a vector of messages for sendmmsg and recvmmsg.
type batch struct {
	headers []multiHeader
	vectors []unix.Iovec
	control []byte
	room    int    // of the control messages of each
	memory  []byte // of all, one after another
}

// multiHeader is struct mmsghdr.
type multiHeader struct {
	unix.Msghdr
	n uint32
}

// newBatch makes one of n messages, of size bytes each, which lie one after
// another, with room for control messages.
func newBatch(n, size, room int) *batch {
	b := &batch{
		headers: make([]multiHeader, n), vectors: make([]unix.Iovec, n),
		control: make([]byte, n*room), room: room, memory: make([]byte, n*size),
	}
	for i := range b.headers {
		h := &b.headers[i]
		b.vectors[i].Base = &b.memory[i*size]
		b.vectors[i].SetLen(size)
		h.Iov = &b.vectors[i]
		h.SetIovlen(1)
		b.reset(i)
	}
	return b
}

// reset makes message i ready for control messages to come.
func (b *batch) reset(i int) {
	if b.room == 0 {
		return
	}
	b.headers[i].Control = &b.control[i*b.room]
	b.headers[i].SetControllen(b.room)
}

// call sends or receives n messages and gives how many it did.
func (b *batch) call(c caller, trap uintptr, fd, n, flags int) (int, syscall.Errno) {
	return c.call(trap, uintptr(fd), uintptr(unsafe.Pointer(&b.headers[0])), uintptr(n), uintptr(flags), 0, 0)
}
