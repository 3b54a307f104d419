package engine

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"linkpace/engine/control"
	"linkpace/engine/model"
	"linkpace/engine/protocol/native"
)

// respond answers one conversation that another computer opened.
func (e *Engine) respond(ctx context.Context, port *control.Port, conn *control.Conn) {
	var asked control.Propose
	if err := conn.Expect(control.KindPropose, control.HandshakeTime, &asked); err != nil {
		return // somebody who only wanted to know who is here
	}
	e.active.Add(1)
	defer e.active.Done()
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	run := newRun(asked.Run, model.Responder, asked.Spec.Flip(), fail)
	p := e.newParty(run, conn, fail)
	p.meet()
	p.open(ctx)
	published, err := p.follow(ctx, port, asked)
	err = p.finish(ctx, err)
	if published {
		e.conclude(run, p, err)
	}
}

// follow goes through a test that the other side leads. published says whether
// the run was shown to readers.
func (p *party) follow(ctx context.Context, port *control.Port, asked control.Propose) (published bool, err error) {
	if !validRunID(asked.Run) || len(asked.Spec.Phases) == 0 {
		return false, p.refuse(&model.Problem{Side: model.Remote, Op: "ask", Code: model.CodeBadInput, Text: "The other computer does not understand this test."})
	}
	release, spec, err := p.decide(ctx, asked.Spec)
	if err != nil {
		return false, p.refuse(err)
	}
	defer release()
	spec = p.fit(spec)
	_, _ = rand.Read(p.secret[:]) // never fails since Go 1.24
	p.run.grant(spec.Flip())
	p.conn.BePatient(p.patience())
	p.run.setState(Running)
	p.engine.publish(p.run)
	defer port.EchoProbes(p.secret.ProbeToken(), p.conn.Remote().Addr())()
	arrivals := p.awaitFlows(port, spec)
	defer arrivals.Close()
	answer := control.Answer{Spec: spec, Secret: hex.EncodeToString(p.secret[:]), UDPPort: port.UDP()}
	if err := p.conn.Send(control.KindAnswer, answer); err != nil {
		return true, p.lost(err)
	}
	for i := range spec.Phases {
		if err := p.followPhase(ctx, arrivals, i, spec); err != nil {
			return true, err
		}
	}
	p.run.setState(Finishing)
	var final control.Final
	if err := p.event(ctx, control.KindFinal, control.HandshakeTime+p.patience(), &final); err != nil {
		return true, err
	}
	p.takeFinal(final)
	if err := p.sendFinal(); err != nil {
		return true, err
	}
	p.farewell(ctx)
	return true, nil
}

// farewell leaves the closing to the other side: if this side closed with
// something unread, the system would take back the last message.
func (p *party) farewell(ctx context.Context) {
	timer := time.NewTimer(time.Second)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// decide waits for this computer to be free and for the answer to "may they?",
// and tells the other side meanwhile what it waits for.
func (p *party) decide(ctx context.Context, asked model.Spec) (release func(), granted model.Spec, err error) {
	e := p.engine
	if release, err = p.queue(ctx); err != nil {
		return nil, granted, err
	}
	waiting, done := context.WithCancel(ctx)
	go p.pend(waiting, control.PendingAsk, func() {})
	granted, err = e.config.Policy.Decide(ctx, p.peer(), asked)
	done()
	if err != nil {
		release()
		return nil, granted, err
	}
	e.remember(p.conn, pinKeys(p.conn, model.Peer{})...)
	return release, granted, nil
}

// queue waits for this computer to be free.
func (p *party) queue(ctx context.Context) (release func(), err error) {
	if err := p.tie(); err != nil {
		return nil, err
	}
	waiting, give := context.WithCancelCause(ctx)
	defer give(nil)
	return p.engine.slot.take(waiting, func() {
		go p.pend(waiting, control.PendingBusy, func() {
			if err := p.tie(); err != nil {
				give(err)
			}
		})
	})
}

// tie finds that both sides started a test with each other in the same moment
// and would wait for each other; the one with the smaller ID goes first.
func (p *party) tie() error {
	if !p.engine.slot.proposing(p.conn.PeerID) || p.engine.config.Identity.ID > p.conn.PeerID {
		return nil
	}
	return &model.Problem{Side: model.Remote, Op: "ask", Code: model.CodeBusy,
		Text: "The other computer started a test with this one at the same moment; that test goes first."}
}

// pend says each second why there is no answer yet, and looks whether there is
// one. An answer that comes at once needs no such message.
func (p *party) pend(ctx context.Context, why string, look func()) {
	for wait := 200 * time.Millisecond; ; wait = control.AliveTime {
		select {
		case <-time.After(wait):
			look()
			if p.conn.Send(control.KindPending, control.Pending{Why: why}) != nil {
				return // the listener finds out why
			}
		case <-ctx.Done():
			return
		}
	}
}

// peer is the other side as a policy sees it.
func (p *party) peer() model.Peer {
	end := p.conn.Peer.Endpoint
	return model.Peer{
		ID: p.conn.PeerID, Name: end.Name, OS: end.OS, Version: p.conn.Peer.App, Adapter: end.Adapter,
		Addrs: []netip.AddrPort{p.conn.Remote()}, Verified: true, Seen: time.Now(),
		SameMachine: p.sameMachine(),
	}
}

// refuse says no. The error is what the run ends with.
func (p *party) refuse(err error) error {
	var problem *model.Problem
	if !errors.As(err, &problem) {
		problem = &model.Problem{Code: model.CodeInternal, Text: "The other computer could not decide about the test."}
	}
	_ = p.conn.Send(control.KindAnswer, control.Answer{Code: problem.Code, Text: problem.Text})
	return err
}

// followPhase does phase i of the initiator's spec.
func (p *party) followPhase(ctx context.Context, arrivals *control.Arrivals, i int, spec model.Spec) error {
	var prepare control.Prepare
	if err := p.event(ctx, control.KindPrepare, control.HandshakeTime+p.patience(), &prepare); err != nil {
		return err
	}
	if prepare.Phase != i {
		return p.lost(fmt.Errorf("asked to prepare phase %d instead of %d", prepare.Phase, i))
	}
	all, err := p.gather(ctx, arrivals, i, len(flowIDs(i, spec.Phases[i].Direction, spec.Streams)))
	defer all.close()
	if err != nil {
		return err
	}
	if err := p.conn.Send(control.KindReady, control.Prepare{Phase: i}); err != nil {
		return p.lost(err)
	}
	var begin control.Begin
	if err := p.event(ctx, control.KindBegin, control.SilenceTime+p.patience(), &begin); err != nil {
		return err
	}
	p.clock.Adjust(begin.Offset)
	if wait := begin.At - p.clock.Now(); begin.Phase != i || begin.At < 0 || wait > 10*time.Second || wait < -10*time.Second {
		return p.lost(fmt.Errorf("phase %d is to begin at %v", begin.Phase, begin.At))
	}
	return p.carryOut(ctx, i, begin.At, all)
}

// tokens lists the payload connections of the whole test. They are let in from
// the beginning, because the other side may open those of the next phase before
// this side has turned to it.
func (p *party) tokens(spec model.Spec) map[native.Token]native.FlowID {
	ids := map[native.Token]native.FlowID{}
	for i, phase := range spec.Phases {
		for _, id := range flowIDs(i, phase.Direction, spec.Streams) {
			ids[p.secret.Token(id)] = id
		}
	}
	return ids
}

// gather waits for the n payload connections of a phase.
func (p *party) gather(ctx context.Context, arrivals *control.Arrivals, phase, n int) (flows, error) {
	timer := time.NewTimer(flowTime)
	defer timer.Stop()
	all := make(flows, n)
	for len(all) < n {
		select {
		case a := <-arrivals.C:
			if a.ID.Phase != phase {
				a.Discard()
				return all, p.lost(fmt.Errorf("a payload connection of phase %d in phase %d", a.ID.Phase, phase))
			}
			all[a.ID] = p.arrived(a)
		case <-timer.C:
			return all, p.lost(fmt.Errorf("%d of %d payload connections came", len(all), n))
		case <-ctx.Done():
			return all, context.Cause(ctx)
		}
	}
	return all, nil
}
