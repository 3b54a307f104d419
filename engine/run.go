package engine

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"linkpace/engine/model"
)

// State says what a run is doing.
type State string

// The states of a run, in the order in which they come.
const (
	Connecting State = "connecting" // dialling the other computer
	Waiting    State = "waiting"    // the other side's person is being asked
	Queued     State = "queued"     // the other computer is in another test
	Running    State = "running"    // phases are being measured
	Finishing  State = "finishing"  // both sides put their figures together
	Ended      State = "ended"      // the Result is there
)

// Progress is where a run stands. It changes far less often than samples come.
type Progress struct {
	State State
	// Phases are the phases as this computer sees them; Start is set for those
	// that have begun.
	Phases []model.Phase
	// Phase is the index of the phase that runs or ran last, and -1 before the
	// first.
	Phase int
}

// Run is one test, started here or by another computer. It is an append-only
// log of samples: readers pull from it with an index of their own, so that a
// slow reader cannot slow the test. All methods may be called at any time and
// from any goroutine.
type Run struct {
	id     string
	role   model.Role
	cancel context.CancelCauseFunc
	start  time.Time

	mu       sync.Mutex
	changed  chan struct{} // closed and replaced at each change
	samples  []model.Sample
	notes    []model.Note
	progress Progress
	changes  int // of the progress
	asked    model.Spec
	spec     model.Spec
	local    model.Endpoint
	remote   model.Endpoint
	result   *model.Result
}

func newRun(id string, role model.Role, spec model.Spec, cancel context.CancelCauseFunc) *Run {
	return &Run{
		id: id, role: role, asked: spec, spec: spec, cancel: cancel, start: time.Now(),
		changed:  make(chan struct{}),
		progress: Progress{State: Connecting, Phases: append([]model.Phase(nil), spec.Phases...), Phase: -1},
	}
}

// ID identifies the run on both computers.
func (r *Run) ID() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.id
}

// Role says whether this computer started the run.
func (r *Run) Role() model.Role { return r.role }

// Started is when the run began, by this computer's clock.
func (r *Run) Started() time.Time { return r.start }

// Spec is what is being done, as this computer sees it.
func (r *Run) Spec() model.Spec {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.spec
}

// Ends gives the facts about both computers as far as they are known yet.
func (r *Run) Ends() (local, remote model.Endpoint) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.local, r.remote
}

// Progress gives where the run stands.
func (r *Run) Progress() Progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.progress
	p.Phases = append([]model.Phase(nil), p.Phases...)
	return p
}

// Cursor is a reader's place in a run; the zero Cursor is before its beginning.
type Cursor struct {
	// Samples is how many samples the reader has, Changes how many changes of
	// the progress.
	Samples, Changes int
}

// Next waits until the run holds more than the reader has at a place, and
// returns the samples that are new, which must not be changed, and the new
// place. There may be none, where only the progress has changed. The Result is
// returned, with whatever samples are left, once the run has ended. The error
// is that of ctx.
func (r *Run) Next(ctx context.Context, at Cursor) ([]model.Sample, *model.Result, Cursor, error) {
	for {
		r.mu.Lock()
		fresh := r.samples[min(max(at.Samples, 0), len(r.samples)):]
		now := Cursor{len(r.samples), r.changes}
		result, changed := r.result, r.changed
		r.mu.Unlock()
		if now != at || result != nil {
			return fresh[:len(fresh):len(fresh)], result, now, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, nil, at, ctx.Err()
		}
	}
}

// Result waits for the end of the run. The error is that of ctx.
func (r *Run) Result(ctx context.Context) (*model.Result, error) {
	for at := (Cursor{}); ; {
		_, result, next, err := r.Next(ctx, at)
		if err != nil || result != nil {
			return result, err
		}
		at = next
	}
}

// errCancelled is the cause of a run that was stopped on this computer.
var errCancelled = errors.New("cancelled")

// Cancel ends the run as soon as possible. What was measured is kept and the
// other side is told. It may be called more than once.
func (r *Run) Cancel() { r.cancel(errCancelled) }

// wake tells readers of a change. The caller holds mu.
func (r *Run) wake() {
	close(r.changed)
	r.changed = make(chan struct{})
}

func (r *Run) append(samples ...model.Sample) {
	if len(samples) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.result != nil {
		return
	}
	r.samples = append(r.samples, samples...)
	r.wake()
}

// since gives the log from an index on without waiting.
func (r *Run) since(from int) []model.Sample {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.samples[from:len(r.samples):len(r.samples)]
}

// phaseAt finds the phase that ran at a time of the run.
func (r *Run) phaseAt(at time.Duration) (int, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := r.progress.Phase; i >= 0; i-- {
		if p := r.progress.Phases[i]; at >= p.Start {
			return i, at < p.Start+p.Duration
		}
	}
	return 0, false
}

// note keeps what is said for the first time: what happens to many connections
// needs saying once.
func (r *Run) note(n model.Note) {
	r.mu.Lock()
	defer r.mu.Unlock()
	said := func(old model.Note) bool { return old.Side == n.Side && old.Code == n.Code && old.Text == n.Text }
	if r.result != nil || len(r.notes) >= maxNotes || slices.ContainsFunc(r.notes, said) {
		return
	}
	r.notes = append(r.notes, n)
}

func (r *Run) setState(s State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.progress.State != s && r.progress.State != Ended {
		r.progress.State = s
		r.changes++
		r.wake()
	}
}

// beginPhase records when phase i began.
func (r *Run) beginPhase(i int, at time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.progress.Phase = i
	r.progress.Phases[i].Start = at
	r.changes++
	r.wake()
}

// endPhase records when phase i was over, if that was before its time.
func (r *Run) endPhase(i int, at time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if phase := &r.progress.Phases[i]; at > phase.Start && at < phase.End() {
		phase.EndAt(at)
		r.changes++
		r.wake()
	}
}

// maxNotes bounds what a talkative other side can make us keep.
const maxNotes = 200
