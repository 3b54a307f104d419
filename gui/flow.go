package gui

import (
	"context"
	"errors"

	"linkpace/engine"
	"linkpace/engine/model"
)

// trial is the test that the test screen is busy with: one that this window
// started, or one that others started and the person watches.
type trial struct {
	peer   model.Peer
	run    Run // nil until it was started
	ctx    context.Context
	cancel context.CancelFunc
}

// startTest begins the usual test with peer, unless one is under way.
func (u *UI) startTest(peer model.Peer) {
	if u.test != nil {
		u.open(screenLive)
		return
	}
	t := &trial{peer: peer}
	t.ctx, t.cancel = context.WithCancel(u.ctx)
	u.test = t
	u.live.begin(peer, model.DefaultSpec())
	u.open(screenLive)
	go func() {
		run, err := u.deps.Tests.Start(t.ctx, peer, model.DefaultSpec())
		deliver(u.ctx, u.on, func() { u.started(t, run, err) })
	}()
}

// started follows the run that t has become.
func (u *UI) started(t *trial, run Run, err error) {
	switch {
	case err != nil:
		u.failed(t, err)
	case t.ctx.Err() != nil: // stopped in the meantime
		run.Cancel()
		u.follow(t, run)
	default:
		u.follow(t, run)
	}
}

// follow shows run live until its result is there. It goes on after the person
// pressed Stop, because what was measured is still worth showing.
func (u *UI) follow(t *trial, run Run) {
	t.run = run
	go pump(u.ctx, run, u.on, func(b batch) { u.advance(t, b) })
}

// advance takes the next batch of t.
func (u *UI) advance(t *trial, b batch) {
	if u.test != t {
		return
	}
	u.live.apply(t.run, b)
	if b.result != nil {
		u.ended(t, b.result)
	}
	u.showTitle()
}

func (u *UI) ended(t *trial, r *model.Result) {
	t.cancel()
	u.test = nil
	u.reloadHistory()
	away := u.shown != screenLive
	switch {
	case r.Measured():
		peer, again := t.peer, true
		if t.run.Role() == model.Responder {
			peer, again = u.home.find(r)
		}
		u.result.show(r, peer, again)
		u.openUnless(away, screenResult)
	case r.Outcome == model.Cancelled:
		u.openUnless(away, screenHome)
	case r.Problem != nil:
		u.showProblem(t.peer, r.Problem, away)
	default:
		u.showProblem(t.peer, errors.New(textUnknown), away)
	}
}

// openUnless opens a screen unless the person went elsewhere in the meantime.
func (u *UI) openUnless(away bool, name screenName) {
	if !away {
		u.open(name)
	}
}

func (u *UI) failed(t *trial, err error) {
	away := u.shown != screenLive
	stopped := t.ctx.Err() != nil
	t.cancel()
	u.test = nil
	if stopped {
		u.openUnless(away, screenHome)
		return
	}
	u.showProblem(t.peer, err, away)
}

func (u *UI) showProblem(peer model.Peer, err error, away bool) {
	u.problem.show(peer, err, problemActions{
		again: func() { u.startTest(peer) },
		back:  func() { u.open(screenHome) },
	})
	u.openUnless(away, screenProblem)
}

// stopTest ends the test under way. The view stays until the run says that it
// has ended, or goes at once when it had not begun.
func (u *UI) stopTest() {
	if u.test == nil {
		return
	}
	u.live.stopping()
	u.test.cancel()
	if u.test.run != nil {
		u.test.run.Cancel()
	}
}

// runBegan tells of tests that others started.
func (u *UI) runBegan(run Run) {
	if run.Role() != model.Responder || run.Progress().State == engine.Ended {
		return
	}
	_, remote := run.Ends()
	u.showNotice(remote.Name, noticeActions{stop: run.Cancel, watch: func() { u.watch(run) }})
	go awaitEnd(u.ctx, run, u.on, func() {
		u.hideNotice()
		u.reloadHistory()
	})
}

// watch shows a run that others started.
func (u *UI) watch(run Run) {
	if u.test != nil {
		u.open(screenLive)
		return
	}
	_, remote := run.Ends()
	t := &trial{peer: model.Peer{ID: remote.ID, Name: remote.Name}}
	t.ctx, t.cancel = context.WithCancel(u.ctx)
	u.test = t
	u.live.begin(t.peer, model.DefaultSpec())
	u.open(screenLive)
	u.follow(t, run)
}

func (u *UI) testAgain() {
	if peer, can := u.result.peer(); can {
		u.startTest(peer)
	}
}

func (u *UI) leaveResult() {
	if u.result.fromHistory {
		u.choose(screenHistory)
		return
	}
	u.open(screenHome)
}
