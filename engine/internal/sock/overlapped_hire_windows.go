package sock

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sys/windows"

	"linkpace/engine/internal/thread"
)

// The words of Methods for this backend.
const (
	methodOverlapped = "overlapped"
	// methodHot is receiving into memory that all reads share: what arrives is
	// copied as for any program, but always to a place that the processor has in
	// its cache.
	methodHot = "overlapped-hot"
)

// overlappedWorkers move payload by overlapped calls.
type overlappedWorkers struct {
	terms   Terms
	plain   *plainWorkers
	threads []*overlappedWorker
	dealt   atomic.Uint32 // streams dealt out to threads
	looked  atomic.Bool   // somebody wanted to see what arrived
}

func (n *Overlapped) hire(t Terms) (*overlappedWorkers, error) {
	w := &overlappedWorkers{terms: t, plain: hirePlain(t)}
	count := threadsFor(t)
	thread.MakeRoom(count + 1) // one for delay probes
	for range count {
		one, err := n.newWorker(t)
		if err != nil {
			w.Close()
			return nil, err
		}
		w.threads = append(w.threads, one)
	}
	return w, nil
}

func threadsFor(t Terms) int {
	wish := t.Threads
	if wish == 0 {
		wish = runtime.NumCPU()
	}
	return max(min(wish, t.Streams), 1)
}

func (n *Overlapped) newWorker(t Terms) (w *overlappedWorker, err error) {
	w = &overlappedWorker{gone: make(chan struct{})}
	if w.port, err = newCompletionPort(n.dequeue); err != nil {
		return nil, err
	}
	if t.Link {
		if w.filler, err = newFiller(sendFlight(t, true).block); err == nil {
			w.drain, err = newPages(receiveFlight(t, true).block)
		}
	}
	if err != nil {
		w.filler.free()
		w.port.close()
		return nil, err
	}
	go w.run(t.CPUs)
	return w, nil
}

// Methods implements Workers.
func (w *overlappedWorkers) Methods() Methods {
	m := Methods{Send: methodOverlapped, Receive: methodOverlapped, Syscalls: SyscallsPlain}
	if w.terms.Link && !w.looked.Load() {
		m.Receive = methodHot
	}
	for _, one := range w.threads {
		m.Refused = cmp.Or(m.Refused, one.refusal())
	}
	return m
}

// Close implements Workers.
func (w *overlappedWorkers) Close() {
	for _, one := range w.threads {
		one.stop()
	}
}

// threadOf gives the thread that serves a stream, and nil when none of these
// can: a socket stays with the completion port at which it was first.
func (w *overlappedWorkers) threadOf(s Stream) (*overlappedStream, *overlappedWorker) {
	stream, ours := s.(*overlappedStream)
	if !ours || stream.use() != nil {
		return nil, nil
	}
	defer stream.release()
	stream.mu.Lock()
	worker := stream.worker
	stream.mu.Unlock()
	if worker == nil {
		worker = w.threads[int(w.dealt.Add(1)-1)%len(w.threads)]
	}
	if !slices.Contains(w.threads, worker) || !stream.at(worker) {
		return nil, nil
	}
	return stream, worker
}

// Send implements Workers.
func (w *overlappedWorkers) Send(ctx context.Context, s Stream, o Outgoing) error {
	stream, worker := w.threadOf(s)
	if stream == nil {
		return w.plain.Send(ctx, s, o)
	}
	job, err := w.sending(stream, worker, o)
	if err != nil {
		return err
	}
	defer abortOn(ctx, s)()
	stream.sent.Store(job.transfer)
	return errOr(ctx, job.run(job))
}

func (w *overlappedWorkers) sending(s *overlappedStream, worker *overlappedWorker, o Outgoing) (*sending, error) {
	shared := o.Source == nil
	f := sendFlight(w.terms, shared)
	job := &sending{transfer: newTransfer(s.winsock, worker, f.most), out: o, flight: f, depth: f.depth, stride: min(usualStride, f.block)}
	job.quota = newQuota(o, f.block, time.Now())
	if err := job.equip(f.block, worker.filler, shared, newFiller); err != nil {
		return nil, err
	}
	// Content that is checked is copied in any case, and a rate leaves pauses in
	// which a buffer of the system's goes on sending.
	if shared && o.Rate == 0 && f.depth > 1 && !s.buffered.Load() {
		job.direct = windows.SetsockoptInt(s.fd, windows.SOL_SOCKET, windows.SO_SNDBUF, 0) == nil
	}
	return job, nil
}

// Receive implements Workers.
func (w *overlappedWorkers) Receive(ctx context.Context, s Stream, in Incoming) error {
	stream, worker := w.threadOf(s)
	if stream == nil {
		return w.plain.Receive(ctx, s, in)
	}
	job, err := w.receiving(stream, worker, in)
	if err != nil {
		return err
	}
	defer abortOn(ctx, s)()
	return errOr(ctx, job.run(job))
}

func (w *overlappedWorkers) receiving(s *overlappedStream, worker *overlappedWorker, in Incoming) (*receiving, error) {
	if in.Sink != nil {
		w.looked.Store(true)
	}
	hot := w.terms.Link && in.Sink == nil
	f := receiveFlight(w.terms, hot)
	job := &receiving{transfer: newTransfer(s.winsock, worker, f.most), stream: s, in: in, flight: f, depth: f.depth}
	var shared pages
	if hot {
		shared = worker.drain
	}
	return job, job.equip(f.block, shared, hot, newPages)
}

// equip gives each operation a block of memory: the same one to all where they
// may share it, and one that the transfer brings along unless there is one.
func (t *transfer) equip(block int, there pages, share bool, get func(int) (pages, error)) error {
	if share && there != nil {
		for i := range t.ring {
			t.ring[i].memory = there[:block]
		}
		return nil
	}
	size := block
	if !share {
		size *= len(t.ring)
	}
	var err error
	if t.own, err = get(size); err != nil {
		return err
	}
	for i := range t.ring {
		at := 0
		if !share {
			at = i * block
		}
		t.ring[i].memory = t.own[at:][:block:block]
	}
	return nil
}
