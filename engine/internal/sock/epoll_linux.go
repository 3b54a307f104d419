package sock

import (
	"context"
	"net/netip"
	"runtime"
	"sync"

	"linkpace/engine/internal/thread"
	"linkpace/engine/units"
)

// Epoll is the backend for Linux: a few threads, each with an epoll instance,
// share the connections of a phase. Connections are opened by package net.
type Epoll struct{ Portable }

// Name implements Network.
func (Epoll) Name() string { return "epoll" }

// Dial implements Network.
func (e Epoll) Dial(ctx context.Context, to netip.AddrPort, from netip.Addr, t Tuning) (Stream, error) {
	s, err := e.Portable.Dial(ctx, to, from, t)
	if err != nil {
		return nil, err
	}
	return newEpollStream(s), nil
}

// Listen implements Network.
func (e Epoll) Listen(at netip.AddrPort) (Listener, error) {
	l, err := e.Portable.Listen(at)
	if err != nil {
		return nil, err
	}
	return epollListener{l}, nil
}

type epollListener struct{ Listener }

func (l epollListener) Accept() (Stream, error) {
	s, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return newEpollStream(s), nil
}

// Hire implements Network. Workers for which the system has no room leave the
// payload to those of the portable backend.
func (Epoll) Hire(t Terms) Workers {
	w := &epollWorkers{terms: t, most: threadsFor(t), fast: sweepFrom}
	if !t.Plain {
		thread.MakeRoom(w.most + 1) // one for delay probes
	}
	return w
}

// perCPU is how many loops there are for each processor: with one, a loop that
// waits for its turn holds all its connections back.
const perCPU = 2

// threadsFor is how many loops share the connections.
func threadsFor(t Terms) int {
	n := t.Threads
	if n == 0 {
		n = runtime.NumCPU()
		if len(t.CPUs) > 0 {
			n = len(t.CPUs)
		}
		n *= perCPU
	}
	return max(min(n, t.Streams), 1)
}

// epollWorkers deal connections out to loops.
type epollWorkers struct {
	terms Terms
	most  int           // loops
	fast  units.BitRate // from where on a loop sweeps

	mu     sync.Mutex
	loops  []*loop
	next   int
	plain  *plainWorkers // for what loops cannot do
	done   sync.WaitGroup
	method Methods
}

// Send implements Workers.
func (w *epollWorkers) Send(ctx context.Context, s Stream, o Outgoing) error {
	es, l := w.assign(s)
	if l == nil {
		return w.fallback().Send(ctx, s, o)
	}
	return l.do(ctx, es, &task{out: &o})
}

// Receive implements Workers.
func (w *epollWorkers) Receive(ctx context.Context, s Stream, in Incoming) error {
	es, l := w.assign(s)
	if l == nil {
		return w.fallback().Receive(ctx, s, in)
	}
	return l.do(ctx, es, &task{in: &in})
}

// assign gives a connection to one of the loops in turn; nil when there is none.
func (w *epollWorkers) assign(s Stream) (*epollStream, *loop) {
	es, ours := s.(*epollStream)
	if !ours {
		return nil, nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.loops) < w.most {
		if l, err := newLoop(w); err == nil {
			w.loops = append(w.loops, l)
			w.done.Go(l.run)
		} else {
			w.most = len(w.loops) // the system has no room for more
		}
	}
	if len(w.loops) == 0 {
		return nil, nil
	}
	w.next++
	return es, w.loops[(w.next-1)%len(w.loops)]
}

func (w *epollWorkers) fallback() Workers {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.plain == nil {
		w.plain = hirePlain(w.terms)
		w.method = w.plain.Methods()
	}
	return w.plain
}

// used remembers how a task was carried out.
func (w *epollWorkers) used(m Methods) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.method.Merge(m)
}

// Methods implements Workers.
func (w *epollWorkers) Methods() Methods {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.method
}

// Close implements Workers.
func (w *epollWorkers) Close() {
	w.mu.Lock()
	loops := w.loops
	w.loops, w.most = nil, 0
	w.mu.Unlock()
	for _, l := range loops {
		l.stop()
	}
	w.done.Wait()
}
