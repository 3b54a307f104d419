package engine

import (
	"cmp"
	"errors"
	"sync"

	"linkpace/engine/control"
	"linkpace/engine/internal/sock"
	"linkpace/engine/model"
)

// backend is the network that moves the payload of a test.
func (e *Engine) backend(spec model.Spec) sock.Network {
	if spec.Backend == model.BackendPortable {
		return sock.Portable{}
	}
	return e.config.network
}

// tuning is what a spec asks of each payload socket.
func tuning(s model.Spec) sock.Tuning {
	return sock.Tuning{
		SendBuffer: int(s.SendBuffer), ReceiveBuffer: int(s.ReceiveBuffer),
		NoDelay: s.NoDelay, MSS: s.MSS, DSCP: s.DSCP, Congestion: s.Congestion,
	}
}

// terms is what a spec asks of those who move the payload of a phase.
func terms(s model.Spec, streams int) sock.Terms {
	t := sock.Terms{
		Streams: streams, Link: s.Mode == model.ModeLink,
		Threads: s.Threads, CPUs: s.CPUs, Plain: s.Syscalls == model.SyscallsPlain, Outstanding: s.Outstanding,
	}
	if s.Transport == model.TCP {
		t.Block = int(s.Block)
	}
	t.PlainDatagrams = s.PlainDatagrams
	return t
}

// used collects how payload was really moved, for the Result.
type used struct {
	mu        sync.Mutex
	asked     bool // whether a socket was asked for the wishes of the spec
	granted   sock.Granted
	ours      sock.Methods
	refused   bool // whether a wish about the threads was
	peerSends string
	peerReads string
}

// tune asks the system for what the spec wants of a payload connection and
// remembers what the first one was granted.
func (p *party) tune(s sock.Stream) {
	err := s.Tune(tuning(p.run.Spec()))
	p.grantedOnce(s.Granted, err)
}

// grantedOnce remembers what the first socket was granted and refused.
func (p *party) grantedOnce(read func() sock.Granted, refused error) {
	p.used.mu.Lock()
	first := !p.used.asked
	p.used.asked = true
	p.used.mu.Unlock()
	if !first {
		return
	}
	if refused != nil {
		p.refusals(refused)
	}
	granted := read()
	p.used.mu.Lock()
	defer p.used.mu.Unlock()
	p.used.granted = granted
}

// refusals notes each wish that the system refused.
func (p *party) refusals(err error) {
	var several interface{ Unwrap() []error }
	if !errors.As(err, &several) {
		p.note("not_granted", "The system refused a wish: "+err.Error()+".")
		return
	}
	for _, one := range several.Unwrap() {
		p.refusals(one)
	}
}

// remember keeps how a phase was carried out, and notes once what the system said
// against a wish about the threads.
func (p *party) remember(m sock.Methods) {
	if p.used.methods(m) {
		p.refusals(m.Refused)
	}
}

// methods keeps how a phase was carried out, and reports whether m tells of a
// first refusal.
func (u *used) methods(m sock.Methods) (refused bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	refused = m.Refused != nil && !u.refused
	u.refused = u.refused || refused
	u.ours.Merge(m)
	return refused
}

// final is the last message: what this side noted and how it worked.
func (p *party) final() control.Final {
	p.used.mu.Lock()
	ours := p.used.ours
	p.used.mu.Unlock()
	return control.Final{Notes: p.run.notesOf(model.Local), SendMethod: ours.Send, ReceiveMethod: ours.Receive}
}

// sendFinal sends the last message, after the last samples.
func (p *party) sendFinal() error {
	if err := p.export(); err != nil {
		return p.lost(err)
	}
	if err := p.conn.Send(control.KindFinal, p.final()); err != nil {
		return p.lost(err)
	}
	return nil
}

// takeFinal keeps what the other side noted and how it worked.
func (p *party) takeFinal(f control.Final) {
	p.takeNotes(f.Notes)
	p.used.peer(f.SendMethod, f.ReceiveMethod)
}

// peer remembers how the other side moved payload.
func (u *used) peer(send, receive string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.peerSends = cmp.Or(model.CleanText(send, maxMethod), u.peerSends)
	u.peerReads = cmp.Or(model.CleanText(receive, maxMethod), u.peerReads)
}

// maxMethod bounds the name of a method that the other side sends.
const maxMethod = 40

func (u *used) into(e *model.Effective) {
	u.mu.Lock()
	defer u.mu.Unlock()
	e.SendMethod, e.ReceiveMethod, e.Syscalls = u.ours.Send, u.ours.Receive, u.ours.Syscalls
	e.PeerSendMethod, e.PeerReceiveMethod = u.peerSends, u.peerReads
	e.SendBuffer, e.ReceiveBuffer = u.granted.SendBuffer, u.granted.ReceiveBuffer
	e.MSS, e.Congestion = u.granted.MSS, u.granted.Congestion
}
