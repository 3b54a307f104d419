package control

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"time"

	"linkpace/engine/internal/sock"
	"linkpace/engine/protocol/native"
)

// maxDatagram is more than any datagram that means something to us.
const maxDatagram = 2048

// Datagrams is the path of discovery's hellos: whatever arrives on the UDP port
// and is no delay probe. A reader that is too slow loses datagrams.
type Datagrams struct {
	packets sock.PacketConn
	in      chan datagram
}

type datagram struct {
	data []byte
	from netip.AddrPort
}

// Send sends a datagram from the port.
func (d *Datagrams) Send(b []byte, to netip.AddrPort) error {
	_, err := d.packets.WriteToUDPAddrPort(b, to)
	return err
}

// Receive waits for the next datagram and copies it into b.
func (d *Datagrams) Receive(ctx context.Context, b []byte) (int, netip.AddrPort, error) {
	select {
	case m, open := <-d.in:
		if !open {
			return 0, netip.AddrPort{}, net.ErrClosed
		}
		return copy(b, m.data), m.from, nil
	case <-ctx.Done():
		return 0, netip.AddrPort{}, ctx.Err()
	}
}

// EchoProbes answers the delay probes that show the token and come from the
// address, until the returned function is called.
func (p *Port) EchoProbes(token native.Token, from netip.Addr) (stop func()) {
	p.probe(func() { p.probes[token] = from.Unmap() })
	return func() { p.probe(func() { delete(p.probes, token) }) }
}

// probe changes who may probe, and has what comes stamped while anybody may.
func (p *Port) probe(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
	if p.reader != nil {
		p.reader.Stamp(len(p.probes) > 0)
	}
}

// echo reads the UDP port until it is closed.
func (p *Port) echo(ctx context.Context) {
	defer close(p.hellos.in)
	buffer := make([]byte, maxDatagram)
	reply := make([]byte, 0, native.ProbeSize)
	for {
		n, from, came, err := p.reader.Read(buffer)
		if err != nil {
			if ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				return
			}
			// Windows reports an ICMP "port unreachable" for an earlier send here.
			if !pause(ctx, 10*time.Millisecond) {
				return
			}
			continue
		}
		from = netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
		if probe, err := native.ParseProbe(buffer[:n]); err == nil {
			if !probe.Echo && p.probed(probe.Token, from.Addr()) {
				probe.Echo, probe.Held = true, came.Held(p.reader.Now())
				reply = probe.Append(reply[:0])
				_, _ = p.packets.WriteToUDPAddrPort(reply, from)
			}
			continue
		}
		if opening, err := native.ParseOpening(buffer[:n]); err == nil {
			if !opening.Echo {
				p.answer(opening, from)
			}
			continue
		}
		select {
		case p.hellos.in <- datagram{append([]byte(nil), buffer[:n]...), from}:
		default:
		}
	}
}

func (p *Port) probed(token native.Token, from netip.Addr) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	want, known := p.probes[token]
	return known && want == from
}
