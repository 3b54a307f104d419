package sock

import (
	"context"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/windows"

	"linkpace/engine/internal/thread"

	"linkpace/engine/internal/clock"
)

// The words of Methods for datagrams that the system cuts up or puts together.
const (
	methodUSO = "uso"
	methodURO = "uro"
)

// HireCarriers implements Network.
func (n *Overlapped) HireCarriers(t Terms) Carriers {
	thread.MakeRoom(min(t.Streams, runtime.NumCPU()) + 1) // one for delay probes
	return &overlappedCarriers{network: n, terms: t, methods: Methods{Syscalls: SyscallsPlain}}
}

// overlappedCarriers move datagrams by overlapped calls. Each socket has a
// thread of its own.
type overlappedCarriers struct {
	network *Overlapped
	terms   Terms

	mu      sync.Mutex
	methods Methods
}

// Methods implements Carriers.
func (c *overlappedCarriers) Methods() Methods {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.methods
}

func (c *overlappedCarriers) used(send, receive string, refused error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if send != "" {
		c.methods.Send = send
	}
	if receive != "" {
		c.methods.Receive = receive
	}
	if refused != nil {
		c.methods.Refused = refused
	}
}

// threadFor starts a thread for a socket of ours, and gives nil for others.
func (c *overlappedCarriers) threadFor(d Datagrams) (*winsock, *overlappedWorker) {
	ours, ok := d.(*overlappedDatagrams)
	if !ok || ours.use() != nil {
		return nil, nil
	}
	defer ours.release()
	w, err := c.network.newWorker(Terms{CPUs: c.terms.CPUs})
	if err != nil {
		return nil, nil
	}
	if !ours.at(w) {
		w.stop()
		return nil, nil
	}
	return ours.winsock, w
}

// Send implements Carriers.
func (c *overlappedCarriers) Send(ctx context.Context, d Datagrams, o OutgoingDatagrams) error {
	s, w := c.threadFor(d)
	if s == nil {
		c.used(MethodWrite, "", nil)
		return plainCarriers{}.Send(ctx, d, o)
	}
	defer w.stop()
	if o.Size > d.MaxPayload() {
		allowFragments(d)
	}
	job := &runSending{out: o, stopped: func() error { return context.Cause(ctx) }, segment: !c.terms.PlainDatagrams && cutsRuns(s.fd)}
	depth, most := c.depth(sendSingles), 1
	if job.segment {
		depth, most = c.depth(sendRuns), max(min(maxRun/o.Size, maxSegmentsUSO), 1)
	}
	job.transfer = newTransfer(s, w, depth)
	job.quota = newDatagramQuota(o, most, time.Now())
	if err := job.equip(most*o.Size, nil, false, newFiller); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { w.call(job.transfer) })()
	err := job.run(job)
	method := methodOverlapped
	if job.segment {
		method = methodUSO
	}
	c.used(method, "", w.refusal())
	return errOr(ctx, err)
}

func (c *overlappedCarriers) depth(usual int) int {
	if c.terms.Outstanding > 0 {
		return c.terms.Outstanding
	}
	return usual
}

// Receive implements Carriers.
func (c *overlappedCarriers) Receive(ctx context.Context, d Datagrams, in IncomingDatagrams) error {
	s, w := c.threadFor(d)
	if s == nil {
		c.used("", MethodRead, nil)
		return plainCarriers{}.Receive(ctx, d, in)
	}
	defer w.stop()
	now := clock.Finest()
	job := &runReceiving{in: in, clock: now, began: now(), stopped: func() error { return context.Cause(ctx) }}
	job.transfer = newTransfer(s, w, c.depth(receiveRuns))
	if err := job.equip(runRoom, nil, false, newPages); err != nil {
		return err
	}
	method := methodOverlapped
	if joinsRuns(s.fd, !c.terms.PlainDatagrams) {
		method = methodURO
	}
	c.used("", method, w.refusal())
	defer context.AfterFunc(ctx, func() { w.call(job.transfer) })()
	return errOr(ctx, job.run(job))
}

// runRoom is the memory for one run, and holds the largest that there is.
const runRoom = 64 << 10

// cutsRuns reports whether the system cuts a run of datagrams up. The option
// itself stays as it is: set, it would cut up every other datagram too.
func cutsRuns(fd windows.Handle) bool {
	_, err := windows.GetsockoptInt(fd, windows.IPPROTO_UDP, windows.UDP_SEND_MSG_SIZE)
	return err == nil
}

// joinsRuns has the system put datagrams that come together to runs, and reports
// whether it may.
func joinsRuns(fd windows.Handle, on bool) bool {
	most := 0
	if on {
		most = maxRun
	}
	return windows.SetsockoptInt(fd, windows.IPPROTO_UDP, windows.UDP_RECV_MAX_COALESCED_SIZE, most) == nil && on
}
