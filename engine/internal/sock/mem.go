package sock

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"sync"
	"syscall"
	"time"

	"linkpace/engine/model"
)

// Mem is a network inside the process, for tests: no sockets, so that fake
// time works, and faults on request. The zero value is ready to use.
type Mem struct {
	mu        sync.Mutex
	listeners map[uint16]*memListener
	next      uint16
	streams   []*memStream
	sockets   []*memSocket

	// Fault, if there is one, decides what becomes of a datagram. It is asked about
	// one at a time.
	Fault  func(datagram []byte) Fate
	faults sync.Mutex
}

// Name implements Network.
func (*Mem) Name() string { return "memory" }

// Cut breaks every connection, as when a cable is pulled and the system gives up.
func (m *Mem) Cut() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.streams {
		s.Abort()
	}
	for _, s := range m.sockets {
		s.cut()
	}
}

// Listen implements Network.
func (m *Mem) Listen(at netip.AddrPort) (Listener, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	port := at.Port()
	if port == 0 {
		m.next++
		port = 50000 + m.next
	}
	if m.listeners == nil {
		m.listeners = map[uint16]*memListener{}
	}
	if m.listeners[port] != nil {
		return nil, fmt.Errorf("listen on port %d: %w", port, syscall.EADDRINUSE)
	}
	l := &memListener{
		net: m, at: netip.AddrPortFrom(memAddr, port),
		backlog: make(chan *memStream, 256), closed: make(chan struct{}),
	}
	m.listeners[port] = l
	return l, nil
}

var memAddr = netip.MustParseAddr("127.0.0.1")

// Dial implements Network.
func (m *Mem) Dial(ctx context.Context, to netip.AddrPort, _ netip.Addr, _ Tuning) (Stream, error) {
	m.mu.Lock()
	l := m.listeners[to.Port()]
	m.next++
	from := netip.AddrPortFrom(memAddr, 20000+m.next)
	m.mu.Unlock()
	if l == nil {
		return nil, fmt.Errorf("dial %v: %w", to, syscall.ECONNREFUSED)
	}
	a, b := memPair(from, to)
	m.mu.Lock()
	m.streams = append(m.streams, a, b)
	m.mu.Unlock()
	select {
	case l.backlog <- b:
		return a, nil
	case <-l.closed:
		return nil, fmt.Errorf("dial %v: %w", to, syscall.ECONNREFUSED)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Hire implements Network.
func (m *Mem) Hire(t Terms) Workers { return hirePlain(t) }

type memListener struct {
	net     *Mem
	at      netip.AddrPort
	backlog chan *memStream
	closed  chan struct{}
	once    sync.Once
}

func (l *memListener) Accept() (Stream, error) {
	select {
	case s := <-l.backlog:
		return s, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *memListener) Addr() netip.AddrPort { return l.at }

func (l *memListener) Close() error {
	l.once.Do(func() {
		close(l.closed)
		l.net.mu.Lock()
		delete(l.net.listeners, l.at.Port())
		l.net.mu.Unlock()
	})
	return nil
}

// memPair joins two streams by two pipes of bounded size.
func memPair(a, b netip.AddrPort) (*memStream, *memStream) {
	ab, ba := newMemPipe(), newMemPipe()
	return &memStream{in: ba, out: ab, local: a, remote: b}, &memStream{in: ab, out: ba, local: b, remote: a}
}

type memStream struct {
	in, out       *memPipe
	local, remote netip.AddrPort
}

func (s *memStream) Read(b []byte) (int, error)     { return s.in.read(b) }
func (s *memStream) Write(b []byte) (int, error)    { return s.out.write(b) }
func (s *memStream) Tune(Tuning) error              { return nil }
func (s *memStream) TCPInfo() (model.TCPInfo, bool) { return model.TCPInfo{}, false }
func (s *memStream) CloseWrite() error              { s.out.finish(io.EOF); return nil }
func (s *memStream) Granted() Granted {
	return Granted{SendBuffer: memPipeSize, ReceiveBuffer: memPipeSize}
}
func (s *memStream) LocalAddr() net.Addr                { return net.TCPAddrFromAddrPort(s.local) }
func (s *memStream) RemoteAddr() net.Addr               { return net.TCPAddrFromAddrPort(s.remote) }
func (s *memStream) SetReadDeadline(t time.Time) error  { s.in.setDeadline(t, true); return nil }
func (s *memStream) SetWriteDeadline(t time.Time) error { s.out.setDeadline(t, false); return nil }

func (s *memStream) SetDeadline(t time.Time) error {
	s.in.setDeadline(t, true)
	s.out.setDeadline(t, false)
	return nil
}

func (s *memStream) Unread() int {
	s.in.mu.Lock()
	defer s.in.mu.Unlock()
	return len(s.in.data)
}

func (s *memStream) Close() error {
	s.out.finish(io.EOF)
	s.in.abandon()
	return nil
}

func (s *memStream) Abort() {
	s.out.finish(syscall.ECONNRESET)
	s.in.abandon()
}

const memPipeSize = 64 << 10

// memPipe is one direction: a bounded buffer with a deadline at each end.
type memPipe struct {
	mu        sync.Mutex
	changed   chan struct{}
	data      []byte
	end       error // what the reader gets after the data
	abandoned bool  // nobody reads any more
	readBy    time.Time
	writeBy   time.Time
}

func newMemPipe() *memPipe { return &memPipe{changed: make(chan struct{})} }

func (p *memPipe) wake() {
	close(p.changed)
	p.changed = make(chan struct{})
}

func (p *memPipe) finish(end error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.end == nil || errors.Is(p.end, io.EOF) && !errors.Is(end, io.EOF) {
		p.end = end
		if !errors.Is(end, io.EOF) {
			p.data = nil
		}
		p.wake()
	}
}

func (p *memPipe) abandon() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.abandoned, p.data = true, nil
	p.wake()
}

func (p *memPipe) setDeadline(t time.Time, reader bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if reader {
		p.readBy = t
	} else {
		p.writeBy = t
	}
	p.wake()
}

func (p *memPipe) read(b []byte) (int, error) {
	for {
		p.mu.Lock()
		by, changed := p.readBy, p.changed
		switch {
		case passed(by):
			p.mu.Unlock()
			return 0, os.ErrDeadlineExceeded
		case p.abandoned:
			p.mu.Unlock()
			return 0, net.ErrClosed
		case len(p.data) > 0:
			n := copy(b, p.data)
			p.data = append(p.data[:0], p.data[n:]...)
			p.wake()
			p.mu.Unlock()
			return n, nil
		case p.end != nil:
			end := p.end
			p.mu.Unlock()
			return 0, end
		}
		p.mu.Unlock()
		if !wait(changed, by) {
			return 0, os.ErrDeadlineExceeded
		}
	}
}

func (p *memPipe) write(b []byte) (int, error) {
	done := 0
	for {
		p.mu.Lock()
		by, changed := p.writeBy, p.changed
		if passed(by) {
			p.mu.Unlock()
			return done, os.ErrDeadlineExceeded
		}
		if p.abandoned || p.end != nil {
			p.mu.Unlock()
			return done, syscall.ECONNRESET
		}
		if n := min(len(b)-done, memPipeSize-len(p.data)); n > 0 {
			p.data = append(p.data, b[done:done+n]...)
			done += n
			p.wake()
		}
		p.mu.Unlock()
		if done == len(b) {
			return done, nil
		}
		if !wait(changed, by) {
			return done, os.ErrDeadlineExceeded
		}
	}
}

func passed(deadline time.Time) bool { return !deadline.IsZero() && !time.Now().Before(deadline) }

// wait waits for a change, and reports false when the deadline came first.
func wait(changed <-chan struct{}, by time.Time) bool {
	if by.IsZero() {
		<-changed
		return true
	}
	timer := time.NewTimer(time.Until(by))
	defer timer.Stop()
	select {
	case <-changed:
		return true
	case <-timer.C:
		return false
	}
}
