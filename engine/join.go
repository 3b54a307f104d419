package engine

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"time"

	"linkpace/engine/control"
	"linkpace/engine/internal/sock"
	"linkpace/engine/model"
	"linkpace/engine/protocol/native"
)

const (
	// openTime is how long the openings of flows of datagrams may go unanswered,
	// openEvery the time between two. The other side waits for longer, so that
	// this one can tell it what is wrong.
	openTime  = 3 * time.Second
	openEvery = 50 * time.Millisecond
)

// joinFlow opens a flow of datagrams: it shows the flow's token until the other
// side has echoed it.
func (p *party) joinFlow(ctx context.Context, id native.FlowID) (flow, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, openTime, p.noUDP())
	defer cancel()
	if p.udpPort == 0 {
		return nil, p.noUDP()
	}
	d, err := p.join(0, p.udpPort)
	if err != nil {
		return nil, err
	}
	there, err := knock(ctx, d, p.secret.Token(id))
	if err == nil && there != p.udpPort {
		// That side has a socket of its own port for the flow, joined to ours.
		_ = d.Close()
		if d, err = p.join(portOf(d.LocalAddr()), there); err != nil {
			return nil, err
		}
		_, err = knock(ctx, d, p.secret.Token(id))
	}
	if err != nil {
		_ = d.Close()
		return nil, err
	}
	return p.udpFlow(id, d), nil
}

// join opens a socket between a port of this computer and one of the other.
func (p *party) join(local, remote uint16) (sock.Datagrams, error) {
	spec := p.run.Spec()
	return p.engine.backend(spec).Join(
		netip.AddrPortFrom(p.conn.Local().Addr(), local),
		netip.AddrPortFrom(p.conn.Remote().Addr(), remote), tuning(spec))
}

// noUDP is the problem of a path that datagrams do not get through on.
func (p *party) noUDP() *model.Problem {
	port := p.udpPort
	if port == 0 {
		port = p.conn.Remote().Port()
	}
	return &model.Problem{Side: model.Remote, Op: "connect", Code: model.CodeUnreachable,
		Text: fmt.Sprintf("UDP does not get through to %s: a firewall there, here or on the way holds it back, or another program has UDP port %d there. Allow UDP port %d, or test with TCP.", p.peerName(), port, port)}
}

// knock sends openings until one is echoed, and gives the port of the echo. The
// error is the cause of ctx.
func knock(ctx context.Context, d sock.Datagrams, t native.Token) (uint16, error) {
	defer context.AfterFunc(ctx, func() { _ = d.SetReadDeadline(time.Unix(1, 0)) })()
	opening := native.Opening{Token: t}.Append(nil)
	for ctx.Err() == nil {
		_, _ = d.Write(opening) // until it works, or time is up
		for by := time.Now().Add(openEvery); time.Now().Before(by) && ctx.Err() == nil; {
			if port, ok := echoed(ctx, d, t, by); ok {
				return port, nil
			}
		}
	}
	return 0, context.Cause(ctx)
}

// echoed waits for the echo of an opening. It may return earlier than by without
// one.
func echoed(ctx context.Context, d sock.Datagrams, t native.Token, by time.Time) (port uint16, ok bool) {
	if d.SetReadDeadline(by) != nil {
		return 0, false
	}
	var b [native.OpeningSize + 1]byte
	n, err := d.Read(b[:])
	if err != nil {
		if !errors.Is(err, os.ErrDeadlineExceeded) { // nobody listens there yet, say
			rest(ctx, openEvery/10)
		}
		return 0, false
	}
	o, bad := native.ParseOpening(b[:n])
	return o.Port, bad == nil && o.Echo && o.Token.Equal(t) && o.Port != 0
}

func rest(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

func portOf(a net.Addr) uint16 { return a.(*net.UDPAddr).AddrPort().Port() }

// awaitFlows lets the flows of a whole test in.
func (p *party) awaitFlows(port *control.Port, spec model.Spec) *control.Arrivals {
	tokens, from := p.tokens(spec), p.conn.Remote().Addr()
	if spec.Transport == model.TCP {
		return port.Await(tokens, from)
	}
	local := netip.AddrPortFrom(p.conn.Local().Addr(), 0)
	if sock.SharedPorts {
		local = netip.AddrPortFrom(local.Addr(), port.UDP())
	}
	return port.AwaitDatagrams(tokens, from, func(remote netip.AddrPort) (sock.Datagrams, error) {
		return p.engine.backend(spec).Join(local, remote, tuning(spec))
	})
}

// arrived makes a flow of what came.
func (p *party) arrived(a control.Arrival) flow {
	if a.Stream != nil {
		p.tune(a.Stream)
		return tcpFlow{a.Stream}
	}
	f := p.udpFlow(a.ID, a.Datagrams)
	f.greet()
	return f
}
