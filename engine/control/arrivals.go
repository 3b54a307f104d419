package control

import (
	"io"
	"net/netip"
	"time"

	"linkpace/engine/internal/sock"
	"linkpace/engine/protocol/native"
)

// Arrivals are the payload connections, or the flows of datagrams, that a run
// awaits.
type Arrivals struct {
	// C delivers each once.
	C <-chan Arrival

	port   *Port
	from   netip.Addr
	ids    map[native.Token]native.FlowID
	c      chan Arrival
	closed bool
	join   Joiner                  // nil for connections
	opened map[native.Token]opened // by join
}

// Arrival is one payload connection, or one flow of datagrams, that showed its
// token.
type Arrival struct {
	ID native.FlowID
	// One of these is set.
	Stream    sock.Stream
	Datagrams sock.Datagrams
}

// Discard closes what nobody takes.
func (a Arrival) Discard() {
	if a.Stream != nil {
		a.Stream.Abort()
		return
	}
	_ = a.Datagrams.Close()
}

// Await lets the connections with these tokens in, each once and only from one
// address.
func (p *Port) Await(ids map[native.Token]native.FlowID, from netip.Addr) *Arrivals {
	return p.await(&Arrivals{ids: ids, from: from.Unmap()})
}

func (p *Port) await(a *Arrivals) *Arrivals {
	a.port, a.c = p, make(chan Arrival, len(a.ids))
	a.C = a.c
	p.mu.Lock()
	defer p.mu.Unlock()
	for token := range a.ids {
		p.flows[token] = a
	}
	return a
}

// Close lets no more in and closes what was let in but not taken.
func (a *Arrivals) Close() {
	a.port.mu.Lock()
	for token := range a.ids {
		delete(a.port.flows, token)
	}
	if !a.closed {
		a.closed = true
		close(a.c)
	}
	a.port.mu.Unlock()
	for left := range a.c {
		left.Discard()
	}
}

// admit hands a payload connection to the run that awaits it.
func (p *Port) admit(stream sock.Stream, first byte) {
	opening := make([]byte, native.PreambleSize)
	opening[0] = first
	if _, err := io.ReadFull(stream, opening[1:]); err != nil {
		stream.Abort()
		return
	}
	token, err := native.ParsePreamble(opening)
	if err != nil || !p.deliver(token, stream) {
		p.log.Debug("payload connection refused", "from", stream.RemoteAddr())
		stream.Abort()
	}
}

func (p *Port) deliver(token native.Token, stream sock.Stream) bool {
	from := addrPort(stream.RemoteAddr()).Addr()
	_ = stream.SetReadDeadline(time.Time{})
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.flows[token]
	if a == nil || a.join != nil || a.from != from {
		return false
	}
	delete(p.flows, token) // a token opens one connection
	a.c <- Arrival{ID: a.ids[token], Stream: stream}
	return true
}
