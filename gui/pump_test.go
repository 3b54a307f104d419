package gui

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"linkpace/engine"
	"linkpace/engine/model"
	"linkpace/engine/units"
)

// inline runs what is dispatched at once, as Fyne does when it is idle.
func inline(f func()) { f() }

func TestPumpBatchesAndLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		run := newFakeRun(model.Initiator)
		go func() {
			for i := range 1000 {
				time.Sleep(time.Millisecond)
				run.change(func() { run.samples = append(run.samples, model.Sample{Bytes: units.Bytes(i)}) })
			}
			run.change(func() { run.result, run.progress.State = &model.Result{}, engine.Ended })
		}()
		calls, samples, ended := 0, 0, false
		pump(t.Context(), run, inline, func(b batch) {
			calls++
			samples += len(b.samples)
			ended = b.result != nil
		})
		if samples != 1000 || !ended {
			t.Errorf("%d of 1000 samples arrived (ended: %v)", samples, ended)
		}
		if most := int(time.Second/frame) + 2; calls > most {
			t.Errorf("%d calls in a second, want at most %d", calls, most)
		}
	})
}

func TestPumpEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		stuck := func(func()) {} // a window that draws no more
		run := newFakeRun(model.Initiator)
		run.play(gigabit(), 0.1)
		ended := make(chan struct{})
		go func() {
			pump(ctx, run, stuck, func(batch) { t.Error("called though nothing runs") })
			close(ended)
		}()
		synctest.Wait()
		cancel()
		<-ended
	})
}

func TestNothingIsAppliedAfterTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var late func()
	cancel()
	deliver(ctx, func(f func()) { late = f }, func() { t.Error("applied after the end") })
	late()
}
