package sock

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"
)

// Fate is what becomes of a datagram in a network in memory.
type Fate struct {
	// Copies is how many arrive, 0 being a loss.
	Copies int
	// Behind is how many datagrams that the same socket sends later overtake it.
	Behind int
}

// Packets implements Network.
func (m *Mem) Packets(at netip.AddrPort) (PacketConn, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if slices.ContainsFunc(m.sockets, func(s *memSocket) bool { return !s.joined() && s.local.Port() == at.Port() }) {
		return nil, fmt.Errorf("open UDP port %d: %w", at.Port(), syscall.EADDRINUSE)
	}
	return m.socket(at.Port(), netip.AddrPort{}), nil
}

// Join implements Network.
func (m *Mem) Join(local, remote netip.AddrPort, _ Tuning) (Datagrams, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.socket(local.Port(), netip.AddrPortFrom(memAddr, remote.Port())), nil
}

// HireCarriers implements Network.
func (*Mem) HireCarriers(Terms) Carriers { return plainCarriers{} }

// socket opens one, on a free port if port is 0. The caller holds mu.
func (m *Mem) socket(port uint16, remote netip.AddrPort) *memSocket {
	if port == 0 {
		m.next++
		port = 30000 + m.next
	}
	s := &memSocket{net: m, local: netip.AddrPortFrom(memAddr, port), remote: remote, changed: make(chan struct{})}
	m.sockets = append(m.sockets, s)
	return s
}

// find gives the socket that a datagram is for, nil being nobody.
func (m *Mem) find(from, to netip.AddrPort) (best *memSocket) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.sockets {
		if s.local == to && (s.remote == from || !s.joined() && best == nil) {
			best = s
		}
	}
	return best
}

func (m *Mem) fate(b []byte) Fate {
	if m.Fault == nil {
		return Fate{Copies: 1}
	}
	m.faults.Lock()
	defer m.faults.Unlock()
	return m.Fault(b)
}

// memSocket is a socket for datagrams, joined to a remote address or not.
type memSocket struct {
	net           *Mem
	local, remote netip.AddrPort

	mu      sync.Mutex
	changed chan struct{}
	queue   []memDatagram
	held    []heldDatagram
	dropped uint64
	readBy  time.Time
	off     bool // cut or closed
}

type memDatagram struct {
	data []byte
	from netip.AddrPort
}

// heldDatagram waits until others have overtaken it.
type heldDatagram struct {
	data   []byte
	copies int
	behind int
}

// memQueue is how many datagrams fit into a socket.
const memQueue = 4096

func (s *memSocket) joined() bool { return s.remote.IsValid() }

func (s *memSocket) Read(b []byte) (int, error) {
	n, _, err := s.ReadFromUDPAddrPort(b)
	return n, err
}

func (s *memSocket) Write(b []byte) (int, error) { return s.WriteToUDPAddrPort(b, s.remote) }

// ReadFromUDPAddrPort implements PacketConn.
func (s *memSocket) ReadFromUDPAddrPort(b []byte) (int, netip.AddrPort, error) {
	for {
		s.mu.Lock()
		by, changed := s.readBy, s.changed
		switch {
		case s.off:
			s.mu.Unlock()
			return 0, netip.AddrPort{}, net.ErrClosed
		case passed(by):
			s.mu.Unlock()
			return 0, netip.AddrPort{}, os.ErrDeadlineExceeded
		case len(s.queue) > 0:
			d := s.queue[0]
			s.queue = s.queue[1:]
			s.mu.Unlock()
			return copy(b, d.data), d.from, nil
		}
		s.mu.Unlock()
		wait(changed, by)
	}
}

// WriteToUDPAddrPort implements PacketConn.
func (s *memSocket) WriteToUDPAddrPort(b []byte, to netip.AddrPort) (int, error) {
	to = netip.AddrPortFrom(to.Addr().Unmap(), to.Port())
	s.mu.Lock()
	if s.off {
		s.mu.Unlock()
		return 0, net.ErrClosed
	}
	s.mu.Unlock()
	for _, d := range s.leaving(b) {
		for range d.copies {
			if other := s.net.find(s.local, to); other != nil {
				other.take(memDatagram{d.data, s.local})
			}
		}
	}
	return len(b), nil
}

// leaving gives what goes out when b is sent, late ones behind it.
func (s *memSocket) leaving(b []byte) []heldDatagram {
	fate := s.net.fate(b)
	s.mu.Lock()
	defer s.mu.Unlock()
	var out, left []heldDatagram
	d := heldDatagram{slices.Clone(b), fate.Copies, fate.Behind}
	if d.behind == 0 {
		out = append(out, d)
	}
	for _, h := range s.held {
		if h.behind--; h.behind == 0 {
			out = append(out, h)
		} else {
			left = append(left, h)
		}
	}
	if d.behind > 0 {
		left = append(left, d)
	}
	s.held = left
	return out
}

func (s *memSocket) take(d memDatagram) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == memQueue {
		s.dropped++
		return
	}
	s.queue = append(s.queue, d)
	s.wake()
}

// wake tells readers of a change. The caller holds mu.
func (s *memSocket) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *memSocket) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.off = true
	s.wake()
}

// Close implements PacketConn and Datagrams.
func (s *memSocket) Close() error {
	s.cut()
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	s.net.sockets = slices.DeleteFunc(s.net.sockets, func(other *memSocket) bool { return other == s })
	return nil
}

func (s *memSocket) LocalAddr() net.Addr  { return net.UDPAddrFromAddrPort(s.local) }
func (s *memSocket) RemoteAddr() net.Addr { return net.UDPAddrFromAddrPort(s.remote) }

func (s *memSocket) SetReadDeadline(t time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readBy = t
	s.wake()
	return nil
}

// SetWriteDeadline changes nothing: no write waits.
func (*memSocket) SetWriteDeadline(time.Time) error { return nil }

func (s *memSocket) SetDeadline(t time.Time) error { return s.SetReadDeadline(t) }

// MaxPayload implements Datagrams.
func (*memSocket) MaxPayload() int { return PayloadFor(0, false) }

// Dropped implements Datagrams.
func (s *memSocket) Dropped() (uint64, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dropped, true
}

// Granted implements Datagrams.
func (*memSocket) Granted() Granted { return Granted{} }
