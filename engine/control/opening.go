package control

import (
	"net"
	"net/netip"

	"linkpace/engine/internal/sock"
	"linkpace/engine/protocol/native"
)

// Joiner opens the socket of a flow of datagrams towards where its opening came
// from.
type Joiner func(remote netip.AddrPort) (sock.Datagrams, error)

// opened is a flow of datagrams that was let in: who opened it, and the port that
// its datagrams go to.
type opened struct {
	by   netip.AddrPort
	port uint16
}

// AwaitDatagrams lets the flows of datagrams with these tokens in, each once and
// only from one address. It answers a second opening from the same socket, but
// opens nothing by it: the first answer may have got lost.
func (p *Port) AwaitDatagrams(ids map[native.Token]native.FlowID, from netip.Addr, join Joiner) *Arrivals {
	return p.await(&Arrivals{ids: ids, from: from.Unmap(), join: join, opened: map[native.Token]opened{}})
}

// answer answers an opening that shows a token from the right address.
func (p *Port) answer(o native.Opening, from netip.AddrPort) {
	port, ok := p.open(o.Token, from)
	if !ok {
		p.log.Debug("flow of datagrams refused", "from", from)
		return
	}
	o.Echo, o.Port = true, port
	_, _ = p.packets.WriteToUDPAddrPort(o.Append(make([]byte, 0, native.OpeningSize)), from)
}

// open opens the flow of a token and gives its port, or that of the flow that the
// same socket has opened before.
func (p *Port) open(token native.Token, from netip.AddrPort) (port uint16, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.flows[token]
	if a == nil || a.join == nil || a.from != from.Addr() {
		return 0, false
	}
	if flow, again := a.opened[token]; again {
		return flow.port, flow.by == from
	}
	d, err := a.join(from)
	if err != nil {
		p.log.Warn("no socket for a flow of datagrams", "err", err)
		return 0, false
	}
	port = d.LocalAddr().(*net.UDPAddr).AddrPort().Port()
	a.opened[token] = opened{from, port}
	a.c <- Arrival{ID: a.ids[token], Datagrams: d}
	return port, true
}
