package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"linkpace/engine/control"
	"linkpace/engine/internal/clock"
	"linkpace/engine/model"
)

// listen takes what the other side says until the connection ends.
func (p *party) listen(ctx context.Context) {
	defer close(p.silent)
	for {
		m, err := p.conn.Receive(control.SilenceTime + p.patience())
		if err == nil {
			err = p.take(m)
		}
		if err == nil {
			continue
		}
		if ctx.Err() == nil {
			p.fail(p.lost(err))
		}
		return
	}
}

// patience is how much longer than usual the other side may be silent. Datagrams
// as fast as possible can leave nothing of a slow path to the conversation, and
// what it lost meanwhile is sent again only after pauses that double (RFC 6298).
func (p *party) patience() time.Duration {
	spec := p.run.Spec()
	if spec.Transport != model.UDP || spec.Rate > 0 {
		return 0
	}
	var longest time.Duration
	for _, phase := range spec.Phases {
		longest = max(longest, phase.Duration)
	}
	return 2 * min(longest, 30*time.Second)
}

// take deals with one message.
func (p *party) take(m control.Message) error {
	switch m.Kind {
	case control.KindAlive:
		return nil
	case control.KindPing:
		var ping control.Ping
		if err := m.Into(&ping); err != nil {
			return err
		}
		return p.conn.Send(control.KindPong, control.Pong{ID: ping.ID, Clock: p.clock.Raw()})
	case control.KindPong:
		return p.takePong(m)
	case control.KindSamples:
		return p.takeSamples(m)
	case control.KindStop:
		var stop control.Stop
		if err := m.Into(&stop); err != nil {
			return err
		}
		return p.stopped(stop)
	}
	select {
	case p.events <- m:
		return nil
	default:
		return fmt.Errorf("too many %q messages", m.Kind)
	}
}

// stopped is the problem of a test that the other side ended.
func (p *party) stopped(s control.Stop) error {
	problem := &model.Problem{Side: model.Remote, Op: "test", Code: s.Code, Text: model.CleanText(s.Text, 400)}
	switch {
	case s.Code == model.CodePeerLost:
		problem.Text = p.peerName() + " lost the connection to this computer. Check cables and Wi-Fi, then try again."
	case s.Code == model.CodeCancelled || problem.Text == "":
		problem.Code, problem.Text = model.CodePeerStopped, "The test was stopped on "+p.peerName()+"."
	}
	return problem
}

// ping sends a numbered ping: those that set the clock are odd, delay probes even.
func (p *party) ping(probe bool) error {
	p.pinging.Lock()
	p.pingID += 2
	id := p.pingID
	if !probe {
		id++
	}
	if len(p.pinged) < 1000 { // unanswered ones of a stalled connection
		p.pinged[id] = p.clock.Now()
	}
	p.pinging.Unlock()
	return p.conn.Send(control.KindPing, control.Ping{ID: id})
}

func (p *party) takePong(m control.Message) error {
	returned := p.clock.Now()
	var pong control.Pong
	if err := m.Into(&pong); err != nil {
		return err
	}
	p.pinging.Lock()
	sent, asked := p.pinged[pong.ID]
	delete(p.pinged, pong.ID)
	p.pinging.Unlock()
	switch {
	case !asked:
	case pong.ID%2 == 0:
		p.delay(sent, returned-sent, returned-sent)
	default:
		select {
		case p.synced <- clock.Ping{Sent: sent, Returned: returned, Remote: pong.Clock}:
		default:
		}
	}
	return nil
}

// takeSamples logs what the other side read, as this side sees it.
func (p *party) takeSamples(m control.Message) error {
	var batch control.Samples
	if err := m.Into(&batch); err != nil {
		return err
	}
	spec := p.run.Spec()
	if p.taken += len(batch.Samples); p.taken > sampleBound(spec) {
		return errors.New("far more samples than the test can have")
	}
	now := p.clock.Now()
	for i := range batch.Samples {
		s := &batch.Samples[i]
		s.Side, s.Dir = model.Remote, s.Dir.Flip()
		if err := plausible(*s, spec, now); err != nil {
			return err
		}
	}
	p.run.append(batch.Samples...)
	return nil
}

// sampleBound is more than the samples of one side that a test can have.
func sampleBound(spec model.Spec) int {
	perStep := 2*(spec.Streams+1) + 1
	probes := 0
	if spec.Probe > 0 {
		probes = int(spec.Length()/spec.Probe) * 2
	}
	return int(spec.Length()/spec.Interval+10)*perStep*2 + probes + 1000
}

// keepTalking sends this side's samples as they come, and a sign of life when
// there are none.
func (p *party) keepTalking(ctx context.Context) {
	lines := make(chan error, 2)
	go func() { lines <- p.sendSamples(ctx) }()
	go func() { lines <- p.sendAlive(ctx) }()
	for range 2 {
		if err := <-lines; err != nil && ctx.Err() == nil {
			p.flowBroke(ctx, err)
		}
	}
}

func (p *party) sendSamples(ctx context.Context) error {
	for at := (Cursor{}); ; {
		_, result, next, err := p.run.Next(ctx, at)
		if err != nil || result != nil {
			return nil
		}
		at = next
		if err := p.export(); err != nil {
			return err
		}
	}
}

func (p *party) sendAlive(ctx context.Context) error {
	ticker := time.NewTicker(control.AliveTime)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			if err := p.conn.Send(control.KindAlive, struct{}{}); err != nil {
				return err
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// maxBatch keeps a message of samples under the size of a frame even with
// hundreds of cores.
const maxBatch = 10

// export sends every sample of this side that was not sent yet.
func (p *party) export() error {
	p.exporting.Lock()
	defer p.exporting.Unlock()
	fresh := p.run.since(p.exported)
	p.exported += len(fresh)
	var batch []model.Sample
	for i, s := range fresh {
		if s.Side == model.Local {
			batch = append(batch, s)
		}
		if len(batch) == maxBatch || len(batch) > 0 && i == len(fresh)-1 {
			if err := p.conn.Send(control.KindSamples, control.Samples{Samples: batch}); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	return nil
}
