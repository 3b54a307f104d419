package gui

import (
	"context"
	"errors"
	"testing"

	"fyne.io/fyne/v2"

	"linkpace/engine/model"
)

func TestConsentIsAskedOnce(t *testing.T) {
	for text, want := range map[string]Answer{textConsentYes: OnNetwork, textConsentAsk: AskEachTime, textConsentNo: Nobody} {
		s := newStage(t)
		s.consent.answer = Unasked
		s.begin(t)
		if !s.shows(textConsentTitle) {
			t.Fatal("the first start does not ask")
		}
		if b, ok := s.ui.window.Canvas().Focused().(*button); !ok || b.Text != textConsentYes {
			t.Error("the usual answer does not have the focus")
		}
		s.press(t, text)
		s.until(t, "the answer is kept", func() bool { return s.consent.Answer() == want })
		if s.shows(textConsentTitle) {
			t.Error("the question stays after the answer")
		}
	}
	s := newStage(t)
	s.begin(t)
	if s.shows(textConsentTitle) {
		t.Error("an answered question is asked again")
	}
}

func TestConsentCanBeChanged(t *testing.T) {
	s := newStage(t)
	s.consent.answer = Nobody
	s.begin(t)
	s.ui.rail.consent.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	if !s.shows(textConsentTitle) || !s.shows("Your answer so far: No.") {
		t.Fatal("the question does not come back with the answer given before")
	}
	s.press(t, textConsentAsk)
	s.until(t, "the new answer is kept", func() bool { return s.consent.Answer() == AskEachTime })
}

func TestConsentThatCannotBeKept(t *testing.T) {
	s := newStage(t)
	s.consent.answer, s.consent.err = Unasked, errors.New("The folder cannot be written.")
	s.begin(t)
	s.press(t, textConsentYes)
	s.until(t, "the failure is told", func() bool { return s.shows("The folder cannot be written.") })
}

func (s *stage) asked(ctx context.Context) <-chan bool {
	answer := make(chan bool, 1)
	go func() { answer <- s.ui.Ask(ctx, nas(), model.DefaultSpec()) }()
	return answer
}

func TestAskEachTime(t *testing.T) {
	for text, want := range map[string]bool{textAskAllow: true, textAskDeny: false} {
		s := newStage(t)
		answer := s.asked(t.Context())
		s.until(t, "the question is shown", func() bool { return s.shows("May nas test with this computer?") })
		s.press(t, text)
		if got := <-answer; got != want {
			t.Errorf("%q is taken as %v", text, got)
		}
	}
}

func TestUnansweredQuestionIsANo(t *testing.T) {
	s := newStage(t)
	ctx, cancel := context.WithCancel(t.Context())
	answer := s.asked(ctx)
	s.until(t, "the question is shown", func() bool { return s.shows("May nas test") })
	cancel()
	if <-answer {
		t.Error("no answer is a yes")
	}
	s.until(t, "the question is gone", func() bool { return !s.shows("May nas test") })
	second := s.asked(t.Context())
	s.ui.Stop()
	if <-second {
		t.Error("a closed window says yes")
	}
}

func TestNoticeOfATestByOthers(t *testing.T) {
	s := newStage(t)
	s.begin(t)
	run, r := newFakeRun(model.Responder), gigabit()
	r.Role = model.Responder
	s.tests.others <- run
	s.until(t, "the notice is shown", func() bool { return s.shows("nas is testing with this computer.") })
	s.press(t, textWatch)
	run.play(r, 0.3)
	s.until(t, "the test is watched", func() bool { return s.ui.live.to.known })
	s.ui.open(screenHome)
	s.press(t, textStop)
	if !run.isStopped() {
		t.Error("Stop in the notice does not stop the test")
	}
	s.history.mu.Lock()
	s.history.entries = []Entry{{ID: "run", Local: "desk", Remote: "nas"}}
	s.history.mu.Unlock()
	run.end(r)
	s.until(t, "the notice is gone", func() bool { return !s.shows("is testing with this computer") })
	s.until(t, "the history has it", func() bool { return len(s.ui.history.entries) == 1 })
	if s.ui.shown != screenHome {
		t.Error("the end of a test by others takes the person away from the screen")
	}
}

func TestOwnRunsGiveNoNotice(t *testing.T) {
	s := newStage(t)
	s.begin(t)
	s.tests.others <- newFakeRun(model.Initiator)
	s.tests.others <- newFakeRun(model.Responder)
	s.until(t, "the notice is shown", func() bool { return s.ui.notice.root.Visible() })
	if s.ui.shown != screenHome {
		t.Error("a test by others opens another screen by itself")
	}
}
