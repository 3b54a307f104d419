package engine

import (
	"context"
	"time"

	"linkpace/engine/model"
)

const (
	// controlProbe is the least time between probes over the control
	// connection, where each costs a message each way.
	controlProbe = 50 * time.Millisecond
	// The ways of Effective.DelayPath.
	delayByUDP     = "udp"
	delayByControl = "control"
)

// startProbes finds the path that probes get through on and starts probing
// along it until ctx ends.
func (p *party) startProbes(ctx context.Context, udpPort uint16) {
	every := p.run.Spec().Probe
	if every == 0 {
		return
	}
	if pr := p.openProber(ctx, udpPort); pr != nil {
		p.delayPath = delayByUDP
		p.background.Go(func() { pr.run(ctx, every) })
		return
	}
	if ctx.Err() != nil {
		return
	}
	p.delayPath = delayByControl
	p.note("delay_over_control", "UDP does not get through between the two computers, so delay is measured over the control connection (TCP). Under load it then includes waiting for lost packets to be sent again.")
	p.background.Go(func() { p.pingRegularly(ctx, max(every, controlProbe)) })
}

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

// delay keeps one round trip for the sampler, if a phase was running when it
// began: each addition to the log wakes all readers.
func (p *party) delay(sent, network, program time.Duration) {
	phase, ok := p.run.phaseAt(sent)
	if !ok {
		return
	}
	p.pinging.Lock()
	defer p.pinging.Unlock()
	if len(p.delays) < maxDelays {
		p.delays = append(p.delays, model.Sample{
			At: sent, Phase: phase, Side: model.Local, Flow: model.SumFlow,
			Ping:        max(network, 1), // 0 would mean that the sample is no probe
			PingProgram: program,
		})
	}
}

// maxDelays is more than come between two readings.
const maxDelays = 20_000

// takeDelays gives the round trips since it was last called.
func (p *party) takeDelays() []model.Sample {
	p.pinging.Lock()
	defer p.pinging.Unlock()
	taken := p.delays
	p.delays = nil
	return taken
}
