package engine

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"linkpace/engine/control"
	"linkpace/engine/internal/clock"
	"linkpace/engine/internal/meter"
	"linkpace/engine/model"
	"linkpace/engine/protocol/native"
)

const (
	// answerTime is how long an answer may take between two signs of life; it
	// covers the time a person is given.
	answerTime = control.AskTime + 5*time.Second
	// flowTime is how long all payload connections of a phase may take.
	flowTime = 5 * time.Second
	// clockPings set the clock before each phase, within clockTime.
	clockPings = 8
	clockTime  = time.Second
)

// initiate carries out a run that was started here.
func (e *Engine) initiate(ctx context.Context, run *Run, peer model.Peer, from netip.Addr) {
	release, err := e.slot.take(ctx, func() { run.setState(Queued) })
	if err != nil {
		e.conclude(run, nil, err)
		return
	}
	defer release()
	run.setState(Connecting)
	conn, err := e.connect(ctx, peer, from)
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		e.conclude(run, nil, err)
		return
	}
	ctx, fail := context.WithCancelCause(ctx)
	p := e.newParty(run, conn, fail)
	p.meet()
	p.open(ctx)
	err = p.finish(ctx, p.lead(ctx))
	e.conclude(run, p, err)
}

// connect opens the conversation and checks that the peer is who it was.
func (e *Engine) connect(ctx context.Context, peer model.Peer, from netip.Addr) (*control.Conn, error) {
	dialer := control.Dialer{Network: e.config.network, Identity: e.config.Identity, Hello: e.hello, From: from}
	conn, err := dialer.Dial(ctx, peer, peer.ID)
	if err != nil {
		return nil, err
	}
	keys := pinKeys(conn, peer)
	if err := e.config.Pins.Check(conn.PeerID, keys...); err != nil {
		_ = conn.Close()
		return nil, err
	}
	e.remember(conn, keys...)
	return conn, nil
}

// pinKeys are what a computer is remembered under: what was typed, and its name
// together with its address. Addresses of this computer itself say nothing.
func pinKeys(conn *control.Conn, peer model.Peer) []string {
	at := conn.Remote().Addr()
	if at.IsLoopback() || at == conn.Local().Addr() {
		return nil
	}
	keys := []string{conn.Peer.Endpoint.Name + "@" + at.String()}
	if peer.Via == "typed" {
		keys = append(keys, peer.Name)
	}
	return keys
}

func (e *Engine) remember(conn *control.Conn, keys ...string) {
	if len(keys) == 0 {
		return
	}
	if err := e.config.Pins.Remember(conn.PeerID, conn.Peer.Endpoint.Name, keys...); err != nil {
		e.config.Log.Warn("the other computer's key could not be kept", "err", err)
	}
}

// lead goes through the test from proposal to end.
func (p *party) lead(ctx context.Context) error {
	answer, err := p.propose(ctx)
	if err != nil {
		return err
	}
	p.startProbes(ctx, answer.UDPPort)
	p.run.setState(Running)
	for i := range answer.Spec.Phases {
		if err := p.leadPhase(ctx, i); err != nil {
			return err
		}
	}
	p.run.setState(Finishing)
	if err := p.sendFinal(); err != nil {
		return err
	}
	var final control.Final
	if err := p.event(ctx, control.KindFinal, control.HandshakeTime+p.patience(), &final); err != nil {
		return err
	}
	p.takeFinal(final)
	return nil
}

// propose asks for the test and waits for the answer.
func (p *party) propose(ctx context.Context) (answer control.Answer, err error) {
	p.engine.slot.propose(p.conn.PeerID)
	defer p.engine.slot.propose("")
	spec := p.run.Spec()
	if err := p.conn.Send(control.KindPropose, control.Propose{Run: p.run.ID(), Spec: spec}); err != nil {
		return answer, p.lost(err)
	}
	if err := p.event(ctx, control.KindAnswer, answerTime, &answer); err != nil {
		return answer, err
	}
	if answer.Code != "" {
		return answer, &model.Problem{Side: model.Remote, Op: "ask", Code: answer.Code, Text: model.CleanText(answer.Text, 400)}
	}
	if err := granted(spec, answer.Spec); err != nil {
		return answer, p.lost(err)
	}
	secret, err := hex.DecodeString(answer.Secret)
	if err != nil || len(secret) != len(p.secret) {
		return answer, p.lost(errors.New("an answer without a token"))
	}
	copy(p.secret[:], secret)
	p.udpPort = answer.UDPPort
	p.run.grant(answer.Spec)
	p.conn.BePatient(p.patience())
	return answer, nil
}

// granted checks that an answer only asks for less than was proposed.
func granted(asked, got model.Spec) error {
	if err := got.Validate(); err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	if asked.Transport == model.UDP && asked.Block == 0 {
		asked.Block = model.MaxDatagram // left to what fits the path
	}
	if len(got.Phases) > len(asked.Phases) || got.Streams > asked.Streams || got.Length() > asked.Length() || got.Block > asked.Block {
		return errors.New("the answer asks for more than was proposed")
	}
	return nil
}

// leadPhase does phase i.
func (p *party) leadPhase(ctx context.Context, i int) error {
	if err := p.conn.Send(control.KindPrepare, control.Prepare{Phase: i}); err != nil {
		return p.lost(err)
	}
	all, err := p.dialFlows(ctx, i)
	if err != nil {
		return err
	}
	defer all.close()
	var ready control.Prepare
	if err := p.event(ctx, control.KindReady, flowTime, &ready); err != nil {
		return err
	}
	offset, rtt, err := p.setClock(ctx)
	if err != nil {
		return err
	}
	at := p.clock.Now() + 20*time.Millisecond + 2*rtt
	if err := p.conn.Send(control.KindBegin, control.Begin{Phase: i, At: at, Offset: offset}); err != nil {
		return p.lost(err)
	}
	return p.carryOut(ctx, i, at, all)
}

// carryOut measures phase i, tells the other side its totals and waits for it.
func (p *party) carryOut(ctx context.Context, i int, at time.Duration, all flows) error {
	counters := p.counters(i)
	reading := p.reader(i, counters, all)
	ours := p.measure(ctx, i, at, all, counters, reading)
	theirs, err := p.finishPhase(ctx, i, ours)
	if err != nil {
		return err
	}
	if len(all) > 0 {
		p.settle(all, i, theirs.Totals)
		// By now the receiver has everything, so this counts what was sent again
		// for the last of it, too.
		p.run.append(reading.read()...)
	}
	p.run.endPhase(i, max(ours.Ended, theirs.Ended))
	return p.compare(ours.Totals, theirs.Totals)
}

// finishPhase tells the other side that the phase is over here and waits until
// it is over there, too, which may be as late as the end of the phase's time.
func (p *party) finishPhase(ctx context.Context, i int, ours control.Done) (theirs control.Done, err error) {
	if ctx.Err() != nil {
		return theirs, context.Cause(ctx)
	}
	if err := p.export(); err != nil {
		return theirs, p.lost(err)
	}
	if err := p.conn.Send(control.KindDone, ours); err != nil {
		return theirs, p.lost(err)
	}
	left := max(p.run.Progress().Phases[i].End()-p.clock.Now(), 0)
	if err := p.event(ctx, control.KindDone, left+drain+tail+control.SilenceTime+p.patience(), &theirs); err != nil {
		return theirs, err
	}
	return theirs, nil
}

// compare finds a connection that ended cleanly on both sides with different
// counts: then one of the two programs counts wrongly, and the figures with it, or
// something between them drops data, which a test that checks its data fails by.
// Of datagrams some may be lost.
func (p *party) compare(ours, theirs []control.Total) error {
	if p.run.Spec().Transport == model.UDP {
		return nil
	}
	for _, a := range ours {
		for _, b := range theirs {
			if a.Flow == b.Flow && a.Way == b.Way.Flip() && a.Whole && b.Whole && a.Bytes != b.Bytes {
				return p.countsDiffer(a, b)
			}
		}
	}
	return nil
}

// countsDiffer fails a test that checks its data, and is noted in others.
func (p *party) countsDiffer(a, b control.Total) error {
	if p.run.Spec().Verify {
		return &model.Problem{Side: model.Local, Op: "verify", Code: model.CodeCorrupt,
			Text: fmt.Sprintf("Connection %d ended after %d bytes on one side and after %d on the other. Something between the two computers drops or adds data.", a.Flow, min(a.Bytes, b.Bytes), max(a.Bytes, b.Bytes))}
	}
	p.note("counts_differ", fmt.Sprintf("Connection %d: one side counted %d bytes, the other %d. Please report this.", a.Flow, a.Bytes, b.Bytes))
	return nil
}

// flowIDs lists the payload connections of a phase of the initiator's spec.
func flowIDs(phase int, direction model.Direction, streams int) []native.FlowID {
	var ids []native.FlowID
	for _, way := range meter.Ways(direction) {
		for flow := range streams {
			ids = append(ids, native.FlowID{Phase: phase, Way: way, Flow: flow})
		}
	}
	return ids
}

// dialFlows opens the payload connections of a phase side by side.
func (p *party) dialFlows(ctx context.Context, i int) (flows, error) {
	spec := p.run.Spec()
	ids := flowIDs(i, spec.Phases[i].Direction, spec.Streams)
	ctx, cancel := context.WithTimeout(ctx, flowTime)
	defer cancel()
	type dialled struct {
		id   native.FlowID
		flow flow
		err  error
	}
	results := make(chan dialled, len(ids))
	for _, id := range ids {
		go func() {
			f, err := p.openFlow(ctx, id)
			results <- dialled{id, f, err}
		}()
	}
	all := make(flows, len(ids))
	var failed error
	for range ids {
		if d := <-results; d.err != nil {
			failed = d.err
		} else {
			all[d.id] = d.flow
		}
	}
	if failed != nil {
		all.close()
		return nil, p.notOpened(failed)
	}
	return all, nil
}

// notOpened is the problem of flows that could not be opened.
func (p *party) notOpened(cause error) *model.Problem {
	var known *model.Problem
	if errors.As(cause, &known) {
		return known
	}
	return &model.Problem{Side: model.Local, Op: "connect", Code: model.CodePeerLost, Cause: cause,
		Text: fmt.Sprintf("The connections for the data to %s could not be opened. Check that it is still on and connected, then try again.", p.peerName())}
}

func (p *party) openFlow(ctx context.Context, id native.FlowID) (flow, error) {
	if p.run.Spec().Transport == model.UDP {
		return p.joinFlow(ctx, id)
	}
	return p.dialFlow(ctx, id)
}

func (p *party) dialFlow(ctx context.Context, id native.FlowID) (flow, error) {
	stream, err := p.engine.config.network.Dial(ctx, p.conn.Remote(), p.conn.Local().Addr(), tuning(p.run.Spec()))
	if err != nil {
		return nil, err
	}
	_ = stream.SetWriteDeadline(time.Now().Add(flowTime))
	if _, err := stream.Write(native.Preamble(p.secret.Token(id))); err != nil {
		stream.Abort()
		return nil, fmt.Errorf("open payload connection: %w", err)
	}
	p.tune(stream)
	return tcpFlow{stream}, nil
}

// setClock finds how far the other side's clock is ahead, and the round trip.
func (p *party) setClock(ctx context.Context) (offset, rtt time.Duration, err error) {
	timer := time.NewTimer(control.SilenceTime + p.patience())
	defer timer.Stop()
	began := time.Now()
	var pings []clock.Ping
	for len(pings) < clockPings && (len(pings) == 0 || time.Since(began) < clockTime) {
		if err := p.ping(false); err != nil {
			return 0, 0, p.lost(err)
		}
		select {
		case ping := <-p.synced:
			pings = append(pings, ping)
		case <-timer.C:
			return 0, 0, p.lost(errors.New("no answer to pings"))
		case <-ctx.Done():
			return 0, 0, context.Cause(ctx)
		}
	}
	offset, rtt, _ = clock.Estimate(pings)
	return offset, rtt, nil
}
