package engine

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
	"time"

	"linkpace/engine/internal/sock"
	"linkpace/engine/protocol/native"
)

const (
	// knocks and knockEvery are how the UDP path is tried before a test.
	knocks     = 12
	knockEvery = 30 * time.Millisecond
	// controlProbe is the least time between probes over the control
	// connection, where each costs a message each way.
	controlProbe = 50 * time.Millisecond
	// The ways of Effective.DelayPath.
	delayByUDP     = "udp"
	delayByControl = "control"
)

// prober sends delay probes from the initiator and reads their echoes.
type prober struct {
	party *party
	conn  sock.PacketConn
	to    netip.AddrPort
	token native.Token
}

// startProbes finds the path that probes get through on and starts probing
// along it until ctx ends.
func (p *party) startProbes(ctx context.Context, udpPort uint16) {
	every := p.run.Spec().Probe
	if every == 0 {
		return
	}
	if pr := p.openProber(ctx, udpPort); pr != nil {
		p.delayPath = delayByUDP
		p.background.Go(func() { pr.listen() })
		p.background.Go(func() {
			defer pr.conn.Close()
			pr.send(ctx, every)
		})
		return
	}
	if ctx.Err() != nil {
		return
	}
	p.delayPath = delayByControl
	p.note("delay_over_control", "UDP does not get through between the two computers, so delay is measured over the control connection (TCP). Under load it then includes waiting for lost packets to be sent again.")
	p.background.Go(func() { p.pingRegularly(ctx, max(every, controlProbe)) })
}

// openProber opens the UDP path and knocks until an echo comes; nil when none does.
func (p *party) openProber(ctx context.Context, udpPort uint16) *prober {
	if udpPort == 0 {
		return nil
	}
	conn, err := p.engine.config.network.Packets(netip.AddrPortFrom(p.conn.Local().Addr(), 0))
	if err != nil {
		p.engine.config.Log.Debug("no UDP for delay probes", "err", err)
		return nil
	}
	pr := &prober{party: p, conn: conn, to: netip.AddrPortFrom(p.conn.Remote().Addr(), udpPort), token: p.secret.ProbeToken()}
	for range knocks {
		pr.probe(0)
		if pr.echoes(time.Now().Add(knockEvery)) {
			return pr
		}
		if ctx.Err() != nil {
			break
		}
	}
	_ = conn.Close()
	return nil
}

// echoes waits for an echo until a moment.
func (pr *prober) echoes(by time.Time) bool {
	for {
		if _, _, ok, err := pr.echo(by); ok || errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, net.ErrClosed) {
			return ok
		}
		if !time.Now().Before(by) {
			return false
		}
	}
}

func (pr *prober) probe(sequence uint32) {
	probe := native.Probe{Token: pr.token, Sequence: sequence, Sent: pr.party.clock.Now()}
	_, _ = pr.conn.WriteToUDPAddrPort(probe.Append(make([]byte, 0, native.ProbeSize)), pr.to)
}

// echo reads one datagram; ok when it is an echo of our probe.
func (pr *prober) echo(by time.Time) (sent, rtt time.Duration, ok bool, err error) {
	if err := pr.conn.SetReadDeadline(by); err != nil {
		return 0, 0, false, err
	}
	var buffer [native.ProbeSize + 1]byte
	n, from, err := pr.conn.ReadFromUDPAddrPort(buffer[:])
	now := pr.party.clock.Now()
	if err != nil {
		return 0, 0, false, err
	}
	probe, bad := native.ParseProbe(buffer[:n])
	if bad != nil || !probe.Echo || !probe.Token.Equal(pr.token) || from.Addr().Unmap() != pr.to.Addr() {
		return 0, 0, false, nil
	}
	return probe.Sent, now - probe.Sent - probe.Held, true, nil
}

func (pr *prober) send(ctx context.Context, every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for sequence := uint32(1); ; sequence++ {
		select {
		case <-ticker.C:
			pr.probe(sequence)
		case <-ctx.Done():
			return
		}
	}
}

// listen logs echoes until the socket is closed. An error that the system
// reports for an earlier datagram (port unreachable) ends nothing, but many do.
func (pr *prober) listen() {
	for failures := 0; failures < maxProbeErrors; {
		sent, rtt, ok, err := pr.echo(time.Now().Add(time.Minute))
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil:
			failures++
		case ok:
			pr.party.delay(sent, rtt)
		}
	}
}

const maxProbeErrors = 1000

// pingRegularly probes over the control connection.
func (p *party) pingRegularly(ctx context.Context, every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			if p.ping(true) != nil {
				return // the listener finds out why
			}
		case <-ctx.Done():
			return
		}
	}
}
