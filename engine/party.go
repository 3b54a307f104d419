package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"linkpace/engine/control"
	"linkpace/engine/internal/clock"
	"linkpace/engine/internal/sock"
	"linkpace/engine/model"
	"linkpace/engine/protocol/native"
)

// party is one side of a test by our own protocol. What is the same for the
// side that started it and the side that answers stands here, in measure.go and
// in talk.go; what differs in initiate.go and respond.go.
type party struct {
	engine *Engine
	run    *Run
	conn   *control.Conn
	clock  *clock.Run
	gauge  Gauge
	fail   context.CancelCauseFunc

	secret    native.Secret
	udpPort   uint16 // of the other side; 0 is none
	delayPath string
	used      used

	events chan control.Message // what the other side says about the course of the test
	synced chan clock.Ping      // answers to pings that set the clock

	pinging sync.Mutex
	pinged  map[int64]time.Duration
	pingID  int64
	delays  []model.Sample // round trips that the log does not have yet

	exporting sync.Mutex
	exported  int // samples of the log that were looked at for the other side
	taken     int // samples that were taken from the other side

	background sync.WaitGroup
	silent     chan struct{} // closed when nothing more comes from the other side
}

func (e *Engine) newParty(run *Run, conn *control.Conn, fail context.CancelCauseFunc) *party {
	return &party{
		engine: e, run: run, conn: conn, clock: clock.New(e.config.now), fail: fail,
		events: make(chan control.Message, 32),
		synced: make(chan clock.Ping, 64),
		pinged: map[int64]time.Duration{},
		silent: make(chan struct{}),
	}
}

// open starts the conversation in both directions. ctx ends it.
func (p *party) open(ctx context.Context) {
	p.gauge = p.engine.config.Machine.Gauge(p.conn.Local().Addr())
	p.background.Go(func() { p.listen(ctx) })
	p.background.Go(func() { p.keepTalking(ctx) })
}

// finish ends this side and everything it started, and gives the reason of an
// early end, which the other side is told.
func (p *party) finish(ctx context.Context, err error) error {
	if err != nil {
		err = p.reason(ctx, err)
		p.part(err)
	}
	p.fail(err)
	p.close()
	return err
}

// close ends the conversation and waits for everything that it started.
func (p *party) close() {
	_ = p.conn.Close()
	p.background.Wait()
	_ = p.gauge.Close()
}

// part ends the conversation early: it says why and lets the other side close,
// because a side that closes with something unread may have its last message
// taken back by the system.
func (p *party) part(cause error) {
	p.stop(cause)
	select {
	case <-p.silent:
	case <-time.After(grace):
	}
}

// reason gives the cause of an end. When the connection broke, the message that
// says why may still be on its way through the listener.
func (p *party) reason(ctx context.Context, err error) error {
	var problem *model.Problem
	if errors.As(err, &problem) && problem.Code == model.CodePeerLost {
		select {
		case <-ctx.Done():
		case <-p.silent:
		case <-time.After(grace):
		}
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// event waits for a message of one kind. A pending message calls waiting.
func (p *party) event(ctx context.Context, kind control.Kind, within time.Duration, body any) error {
	timer := time.NewTimer(within)
	defer timer.Stop()
	for {
		m, err := p.nextEvent(ctx, timer.C)
		switch {
		case err != nil:
			return p.lost(fmt.Errorf("waiting for %q: %w", kind, err))
		case m.Kind == control.KindPending:
			if kind == control.KindAnswer { // else it crossed the answer
				p.waiting(m)
				timer.Reset(within)
			}
			continue
		case m.Kind != kind:
			return p.lost(fmt.Errorf("got message %q instead of %q", m.Kind, kind))
		}
		if err := m.Into(body); err != nil {
			return p.lost(err)
		}
		return nil
	}
}

// nextEvent gives the next message. One that has come counts even if the
// connection ended right after it, as it does after the last.
func (p *party) nextEvent(ctx context.Context, timeout <-chan time.Time) (control.Message, error) {
	select {
	case m := <-p.events:
		return m, nil
	case <-timeout:
		return control.Message{}, errors.New("time is up")
	case <-ctx.Done():
	}
	select {
	case m := <-p.events:
		return m, nil
	default:
		return control.Message{}, context.Cause(ctx)
	}
}

// waiting shows why the other side has not answered yet.
func (p *party) waiting(m control.Message) {
	var pending control.Pending
	if m.Into(&pending) != nil {
		return
	}
	if pending.Why == control.PendingBusy {
		p.run.setState(Queued)
	} else {
		p.run.setState(Waiting)
	}
}

// peerName is what the other computer is called in sentences.
func (p *party) peerName() string {
	if name := p.conn.Peer.Endpoint.Name; name != "" {
		return name
	}
	return "the other computer"
}

// lost makes the problem of a conversation or flow that broke.
func (p *party) lost(cause error) *model.Problem {
	var known *model.Problem
	if errors.As(cause, &known) {
		return known
	}
	text := p.peerName() + " stopped answering. Check that it is still on and connected, then try again."
	switch {
	case errors.Is(cause, io.EOF), errors.Is(cause, io.ErrUnexpectedEOF), sock.Broken(cause), errors.Is(cause, net.ErrClosed):
		text = p.peerName() + " closed the connection. If Linkpace was ended there, start it again and repeat the test."
	}
	return &model.Problem{Side: model.Remote, Op: "test", Code: model.CodePeerLost, Text: text, Cause: cause}
}

// grace is how long a broken flow waits for the conversation to say why.
const grace = 500 * time.Millisecond

// flowBroke ends the test over a broken connection, unless the conversation
// gives the true reason first. Damage is the true reason, which the other side
// has to hear before it believes that this one is lost.
func (p *party) flowBroke(ctx context.Context, err error) {
	var corrupt *native.CorruptError
	if errors.As(err, &corrupt) {
		p.fail(&model.Problem{Side: model.Local, Op: "verify", Code: model.CodeCorrupt, Cause: err,
			Text: fmt.Sprintf("Data arrived changed, first at byte %d of a connection. A faulty adapter, cable or driver between the two computers damages what passes.", corrupt.Offset)})
		return
	}
	select {
	case <-ctx.Done():
	case <-time.After(grace):
		p.fail(p.lost(err))
	}
}

// note adds a note about this side.
func (p *party) note(code, text string) {
	p.run.note(model.Note{At: p.clock.Now(), Side: model.Local, Code: code, Text: text})
}

// stop tells the other side why the test ends early.
func (p *party) stop(cause error) {
	s := control.Stop{Code: model.CodeInternal, Text: "The test ended early."}
	var problem *model.Problem
	switch {
	case errors.As(cause, &problem):
		s = control.Stop{Code: problem.Code, Text: problem.Text}
	case errors.Is(cause, errCancelled), errors.Is(cause, context.Canceled):
		s = control.Stop{Code: model.CodeCancelled}
	}
	_ = p.conn.Send(control.KindStop, s)
}
