package gui

import (
	"context"
	"time"

	"fyne.io/fyne/v2"

	"linkpace/engine"
	"linkpace/engine/model"
)

// This is the only file that knows how to get onto Fyne's goroutine. Every other
// file either runs there already or is given a dispatch.

// dispatch runs f, now or soon, on the goroutine that owns the window.
type dispatch func(f func())

func onFyne(f func()) { fyne.Do(f) }

// frame is the least time between two updates of a live view: fast enough to
// look alive, slow enough not to disturb what is measured.
const frame = 125 * time.Millisecond

// batch is what a live view gets at once.
type batch struct {
	progress engine.Progress
	samples  []model.Sample
	result   *model.Result // set in the last batch
}

// pump pulls from a run until it has ended or ctx is done, and hands on what it
// got. One call is in flight at a time and frame lies between two, however fast
// samples come: a slow window gets larger batches, not more of them. Nobody has
// to wait for a pump; after ctx is done it calls apply no more.
func pump(ctx context.Context, run Log, on dispatch, apply func(batch)) {
	for at := (engine.Cursor{}); ; {
		samples, result, next, err := run.Next(ctx, at)
		if err != nil {
			return
		}
		at = next
		progress := run.Progress()
		deliver(ctx, on, func() { apply(batch{progress, samples, result}) })
		if result != nil || !pause(ctx, frame) {
			return
		}
	}
}

// deliver runs f on the window's goroutine and returns when it has run or ctx
// is done.
func deliver(ctx context.Context, on dispatch, f func()) {
	done := make(chan struct{})
	on(func() {
		defer close(done)
		if ctx.Err() == nil {
			f()
		}
	})
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// pause waits for d and reports false when ctx ended first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// watchPeers hands on the list of peers whenever it changes.
func watchPeers(ctx context.Context, peers Peers, on dispatch, apply func([]model.Peer)) {
	for from := uint64(0); ; {
		list, next, err := peers.Next(ctx, from)
		if err != nil {
			return
		}
		from = next
		deliver(ctx, on, func() { apply(list) })
		if !pause(ctx, frame) {
			return
		}
	}
}

// watchRuns hands on each run as it begins, whoever started it.
func watchRuns(ctx context.Context, tests Tests, on dispatch, apply func(Run)) {
	for from := 0; ; {
		runs, err := tests.Runs(ctx, from)
		if err != nil {
			return
		}
		for _, run := range runs {
			deliver(ctx, on, func() { apply(run) })
		}
		from += len(runs)
		if !pause(ctx, frame) {
			return
		}
	}
}

// awaitEnd calls apply once the run has ended.
func awaitEnd(ctx context.Context, run Log, on dispatch, apply func()) {
	for at := (engine.Cursor{}); ; {
		_, result, next, err := run.Next(ctx, at)
		if err != nil {
			return
		}
		if result != nil {
			deliver(ctx, on, apply)
			return
		}
		at = next
		if !pause(ctx, frame) {
			return
		}
	}
}
