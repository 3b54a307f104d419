package gui

import (
	"testing"

	"fyne.io/fyne/v2"

	"linkpace/engine"
	"linkpace/engine/model"
)

func TestOneClickRunsTheTest(t *testing.T) {
	s := newStage(t)
	s.begin(t)
	s.ui.home.setPeers([]model.Peer{nas()})
	run, r := newFakeRun(model.Initiator), gigabit()
	s.tests.next = run
	s.press(t, textTestIt)
	if s.ui.shown != screenLive || !s.shows("Connecting to nas") {
		t.Fatal("the live screen does not open at once")
	}
	run.state(engine.Waiting)
	s.until(t, "it says that the other person is asked", func() bool { return s.shows("Waiting for the person at nas") })
	run.play(r, 0.6)
	s.until(t, "a speed is shown", func() bool { return s.ui.live.from.known })
	for _, text := range []string{"935", "desk to nas", "Receiving…", "lowest 300 µs", "nas 5"} {
		if !s.shows(text) {
			t.Errorf("the live screen does not show %q", text)
		}
	}
	if title := s.ui.window.Title(); title != "Testing: 935 Mb/s from nas – Linkpace" {
		t.Errorf("the title is %q", title)
	}
	run.end(r)
	s.until(t, "the result is shown", func() bool { return s.ui.shown == screenResult })
	for _, text := range []string{"Your cable is the limit", textAtOnce, textWorst, "The system gave smaller buffers"} {
		if !s.shows(text) {
			t.Errorf("the result does not show %q", text)
		}
	}
	if title := s.ui.window.Title(); title != "935 Mb/s to nas, 935 Mb/s from nas – Linkpace" {
		t.Errorf("the title is %q", title)
	}
	if begun := s.tests.started(); len(begun) != 1 || begun[0].ID != "b" {
		t.Errorf("tests were begun with %v", begun)
	}
}

func TestStopKeepsWhatWasMeasured(t *testing.T) {
	s := newStage(t)
	run, r := newFakeRun(model.Initiator), gigabit()
	s.tests.next = run
	s.ui.startTest(nas())
	run.play(r, 0.5)
	s.until(t, "a speed is shown", func() bool { return s.ui.live.to.known })
	s.key(fyne.KeyEscape)
	if !s.shows(textStopping) || !run.isStopped() {
		t.Error("Esc does not stop the test")
	}
	r.Outcome = model.Cancelled
	run.end(r)
	s.until(t, "the result is shown", func() bool { return s.ui.shown == screenResult })
	if !s.shows("The test was stopped") {
		t.Error("a stopped test does not say so")
	}
}

func TestStopBeforeAnythingGoesBack(t *testing.T) {
	s := newStage(t)
	run := newFakeRun(model.Initiator)
	s.tests.next = run
	s.ui.startTest(nas())
	s.press(t, textStop)
	s.until(t, "the run is told", run.isStopped)
	run.end(&model.Result{Outcome: model.Cancelled})
	s.until(t, "home is open", func() bool { return s.ui.shown == screenHome })
}

func TestFailureIsASentenceWithOneButton(t *testing.T) {
	for code, text := range map[model.Code]string{model.CodeUnreachable: textTryAgain, model.CodeTooOld: textBack} {
		s := newStage(t)
		s.tests.err = &model.Problem{Op: "dial", Code: code, Text: "nas does not answer. Is Linkpace open there?"}
		s.ui.startTest(nas())
		s.until(t, "the problem is shown", func() bool { return s.ui.shown == screenProblem })
		if !s.shows("nas does not answer. Is Linkpace open there?") || s.shows("dial") {
			t.Errorf("%s: the sentence is not shown as it is", code)
		}
		s.press(t, text)
		if want := map[string]screenName{textTryAgain: screenLive, textBack: screenHome}[text]; s.ui.shown != want {
			t.Errorf("%s: %q leads to screen %d, want %d", code, text, s.ui.shown, want)
		}
	}
}

func TestFailedRunShowsItsProblem(t *testing.T) {
	s := newStage(t)
	run := newFakeRun(model.Initiator)
	s.tests.next = run
	s.ui.startTest(nas())
	run.end(&model.Result{Outcome: model.Failed, Problem: &model.Problem{Code: model.CodeDeclined, Text: "The person at nas said no."}})
	s.until(t, "the problem is shown", func() bool { return s.shows("The person at nas said no.") })
	s.key(fyne.KeyEscape)
	if s.ui.shown != screenHome {
		t.Error("Esc does not lead back")
	}
}

func TestSpaceTestsAgain(t *testing.T) {
	s := newStage(t)
	s.ui.result.show(gigabit(), nas(), true)
	s.ui.open(screenResult)
	s.key(fyne.KeySpace)
	s.until(t, "the test begins", func() bool { return len(s.tests.started()) == 1 })
	s.key(fyne.KeySpace) // not a second one
	if s.ui.shown != screenLive || len(s.tests.started()) != 1 {
		t.Errorf("screen %d after %d starts", s.ui.shown, len(s.tests.started()))
	}
}
