package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"linkpace/engine/model"
)

// keepTime is how long storing a Result may take.
const keepTime = 10 * time.Second

// meet fills in what both sides now know of each other.
func (p *party) meet() {
	p.run.mu.Lock()
	defer p.run.mu.Unlock()
	p.run.remote = p.conn.Peer.Endpoint
	p.run.remote.Version = p.conn.Peer.App
	p.run.local = p.engine.endpoint(p.conn.Local().Addr())
	p.run.local.Address = p.conn.Local().String()
}

// grant sets the spec that both sides agreed on, as this side sees it.
func (r *Run) grant(spec model.Spec) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.spec = spec
	r.progress.Phases = append([]model.Phase(nil), spec.Phases...)
}

// askedSpec is what was wanted, as this side sees it.
func (r *Run) askedSpec() model.Spec {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.asked
}

// notesOf gives the notes about one side.
func (r *Run) notesOf(side model.Side) []model.Note {
	r.mu.Lock()
	defer r.mu.Unlock()
	notes := []model.Note{}
	for _, n := range r.notes {
		if n.Side == side {
			notes = append(notes, n)
		}
	}
	return notes
}

// takeNotes keeps what the other side noted.
func (p *party) takeNotes(notes []model.Note) {
	for _, n := range notes[:min(len(notes), maxNotes)] {
		n.Side, n.Code, n.Text = model.Remote, model.CleanText(n.Code, 60), model.CleanText(n.Text, 400)
		p.run.note(n)
	}
}

// sameMachine reports whether both ends are this computer.
func (p *party) sameMachine() bool {
	remote := p.conn.Remote().Addr()
	return remote.IsLoopback() || remote == p.conn.Local().Addr() || p.conn.PeerID == p.engine.config.Identity.ID
}

// conclude ends a run with its Result: everything that was measured, how it
// ended and why. p is nil when no conversation came about.
func (e *Engine) conclude(run *Run, p *party, err error) {
	r := run.assemble(err)
	r.Effective.Backend = e.backend(run.Spec()).Name()
	if p != nil {
		r.SameMachine = p.sameMachine()
		r.Effective.DelayPath = p.delayPath
		p.used.into(&r.Effective)
	}
	if e.config.Keep != nil && r.Measured() {
		ctx, cancel := context.WithTimeout(context.Background(), keepTime)
		defer cancel()
		if err := e.config.Keep(ctx, r); err != nil {
			e.config.Log.Warn("result not kept", "run", r.ID, "err", err)
			r.Notes = append(r.Notes, model.Note{Side: model.Local, Code: "not_kept", Text: "This result could not be put into the history: " + Sentence(err)})
		}
	}
	run.end(r)
}

// Unstarted gives the Result of a test that could not even begin.
func (e *Engine) Unstarted(spec model.Spec, err error) *model.Result {
	run := newRun(newRunID(), model.Initiator, spec, nil)
	run.local = e.endpoint(netip.Addr{})
	r := run.assemble(err)
	r.Effective.Backend = e.config.network.Name()
	return r
}

// assemble makes the Result of what the run holds.
func (r *Run) assemble(err error) *model.Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	result := &model.Result{
		Schema: model.Schema, ID: r.id, Started: r.start.UTC().Round(time.Millisecond), Role: r.role,
		Protocol: r.spec.Protocol, Transport: r.spec.Transport, Mode: r.spec.Mode,
		Asked: r.asked, Effective: model.Effective{Spec: r.spec},
		Local: r.local, Remote: r.remote,
		Phases:  slices.Clone(r.progress.Phases[:r.progress.Phase+1]),
		Samples: slices.Clone(r.samples), Notes: slices.Clone(r.notes),
		Outcome: model.Completed,
	}
	slices.SortStableFunc(result.Samples, func(a, b model.Sample) int { return cmp.Compare(a.At, b.At) })
	if result.Notes == nil {
		result.Notes = []model.Note{}
	}
	if err != nil {
		result.Problem = problemOf(err)
		result.Outcome = outcomeOf(result)
		cutShort(result)
	}
	return result
}

// cutShort ends the last phase of a test that ended early with its last sample.
func cutShort(r *model.Result) {
	if len(r.Phases) == 0 || len(r.Samples) == 0 {
		return
	}
	phase := &r.Phases[len(r.Phases)-1]
	if last := max(r.Samples[len(r.Samples)-1].At, phase.Start); last < phase.End() {
		phase.Cooldown = 0 // it had not come to that
		phase.EndAt(last)
	}
}

// problemOf makes any error one that people and programs can read.
func problemOf(err error) *model.Problem {
	var problem *model.Problem
	switch {
	case errors.As(err, &problem):
		return problem
	case errors.Is(err, errCancelled), errors.Is(err, context.Canceled):
		return &model.Problem{Side: model.Local, Op: "test", Code: model.CodeCancelled, Text: "The test was stopped on this computer.", Cause: err}
	}
	return &model.Problem{Side: model.Local, Op: "test", Code: model.CodeInternal, Text: fmt.Sprintf("The test failed: %v.", err), Cause: err}
}

func outcomeOf(r *model.Result) model.Outcome {
	switch {
	case r.Problem.Code == model.CodeCancelled:
		return model.Cancelled
	case r.Measured():
		return model.Partial
	}
	return model.Failed
}

// Sentence gives the words for people of an error that may have some.
func Sentence(err error) string {
	var problem *model.Problem
	if errors.As(err, &problem) {
		return problem.Text
	}
	return err.Error()
}

// end makes the Result visible to readers.
func (r *Run) end(result *model.Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result = result
	r.progress.State = Ended
	r.changes++
	r.wake()
}
