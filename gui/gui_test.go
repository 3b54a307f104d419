package gui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"linkpace/engine"
	"linkpace/engine/model"
)

// buttons gives all visible buttons with text below an object.
func buttons(o fyne.CanvasObject, text string) (found []*button) {
	if !o.Visible() {
		return nil
	}
	if b, ok := o.(*button); ok && b.Text == text {
		return []*button{b}
	}
	for _, child := range children(o) {
		found = append(found, buttons(child, text)...)
	}
	return found
}

func children(o fyne.CanvasObject) []fyne.CanvasObject {
	switch o := o.(type) {
	case *fyne.Container:
		return o.Objects
	case fyne.Widget:
		return test.WidgetRenderer(o).Objects()
	}
	return nil
}

// press taps the only button with that text, in the question when one is open.
func (s *stage) press(t *testing.T, text string) {
	t.Helper()
	c := s.ui.window.Canvas()
	root := c.Content()
	if top := c.Overlays().Top(); top != nil {
		root = top
	}
	found := buttons(root, text)
	if len(found) == 0 {
		t.Fatalf("there is no button %q", text)
	}
	test.Tap(found[0])
}

// shows reports whether text stands anywhere in the window.
func (s *stage) shows(text string) bool {
	c := s.ui.window.Canvas()
	if top := c.Overlays().Top(); top != nil && contains(top, text) {
		return true
	}
	return contains(c.Content(), text)
}

func contains(o fyne.CanvasObject, text string) bool {
	if !o.Visible() {
		return false
	}
	switch o := o.(type) {
	case *words:
		return strings.Contains(o.text, text)
	case *widget.Label:
		return strings.Contains(o.Text, text)
	case *button:
		return strings.Contains(o.Text, text)
	}
	for _, child := range children(o) {
		if contains(child, text) {
			return true
		}
	}
	return false
}

func (s *stage) key(name fyne.KeyName) { s.ui.key(&fyne.KeyEvent{Name: name}) }

func (s *stage) shortcut(key fyne.KeyName, modifier fyne.KeyModifier) {
	for _, known := range s.ui.shortcuts() {
		if known.key == key && known.modifier == modifier {
			known.do()
		}
	}
}

func TestHomeNamesThisComputerAndOthers(t *testing.T) {
	s := newStage(t)
	s.begin(t)
	for _, text := range []string{"desk", "Ethernet 1 Gb/s", "192.168.1.20", textSearching} {
		if !s.shows(text) {
			t.Errorf("home does not show %q", text)
		}
	}
	s.ui.home.setSearching(false)
	if !s.shows(textNobody) {
		t.Error("an empty home does not say what to do")
	}
	s.peers.lists <- []model.Peer{nas(), tv()}
	s.until(t, "the peers are shown", func() bool { return s.shows("tv-box") })
	for _, text := range []string{"nas", "2 found", "100 Mb/s link", "Debian 12"} {
		if !s.shows(text) {
			t.Errorf("home does not show %q", text)
		}
	}
	s.peers.lists <- nil
	s.until(t, "the peers are gone", func() bool { return s.shows(textNobody) })
}

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
	if title := s.ui.window.Title(); title != "935 Mb/s from nas – Linkpace" {
		t.Errorf("the title is %q", title)
	}
	run.end(r)
	s.until(t, "the result is shown", func() bool { return s.ui.shown == screenResult })
	for _, text := range []string{"Your cable is the limit", textAtOnce, textWorst, "The system gave smaller buffers"} {
		if !s.shows(text) {
			t.Errorf("the result does not show %q", text)
		}
	}
	if title := s.ui.window.Title(); title != "935 Mb/s to nas – Linkpace" {
		t.Errorf("the title is %q", title)
	}
	if begun := s.tests.started(); len(begun) != 1 || begun[0].ID != "b" {
		t.Errorf("tests were begun with %v", begun)
	}
}

func TestThisComputerIsAlwaysOffered(t *testing.T) {
	s := newStage(t)
	if !s.ui.home.self.test.Disabled() {
		t.Error("a test is offered before this computer is known")
	}
	s.begin(t)
	s.press(t, textTestSelf)
	s.until(t, "the test begins", func() bool { return len(s.tests.started()) == 1 })
	if peer := s.tests.started()[0]; !peer.SameMachine {
		t.Errorf("the test is with %v", peer)
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

func TestUnitsSwap(t *testing.T) {
	s := newStage(t)
	s.ui.result.show(gigabit(), nas(), true)
	s.ui.open(screenResult)
	s.key(fyne.KeyU)
	if f := s.ui.result.to; f.digits.text != "117" || f.unit.text != "MB/s" || f.other.text != "935 Mb/s" {
		t.Errorf("after U: %s %s, %s", f.digits.text, f.unit.text, f.other.text)
	}
	s.key(fyne.KeyU)
	if f := s.ui.result.to; f.digits.text != "935" {
		t.Errorf("after U again: %s", f.digits.text)
	}
}

func TestShortcuts(t *testing.T) {
	s := newStage(t)
	s.shortcut(fyne.Key2, fyne.KeyModifierAlt)
	if s.ui.shown != screenHistory || !s.shows(textHistoryEmpty) {
		t.Error("Alt+2 does not open the history")
	}
	s.shortcut(fyne.KeyL, fyne.KeyModifierControl)
	if s.ui.shown != screenHome || s.ui.window.Canvas().Focused() != s.ui.home.address.entry {
		t.Error("Ctrl+L does not lead to the address")
	}
	s.ui.home.address.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF5})
	if s.peers.searched() != 1 || !s.ui.home.searching {
		t.Error("F5 in the address does not search again")
	}
	s.shortcut(fyne.Key1, fyne.KeyModifierAlt)
	if s.ui.shown != screenHome {
		t.Error("Alt+1 does not open the first screen")
	}
}

func TestEveryButtonIsReachedByTab(t *testing.T) {
	s := newStage(t)
	s.begin(t)
	s.ui.home.setPeers([]model.Peer{nas(), tv()})
	c := s.ui.window.Canvas()
	seen := map[fyne.Focusable]bool{}
	for range 20 {
		c.FocusNext()
		seen[c.Focused()] = true
	}
	for _, text := range []string{textTestSelf, textSearchAgain, textTestIt} {
		for _, b := range buttons(c.Content(), text) {
			if !seen[b] {
				t.Errorf("Tab does not reach %q", text)
			}
		}
	}
	for _, item := range s.ui.rail.items {
		if !seen[item] {
			t.Errorf("Tab does not reach %q", item.text)
		}
	}
}

func TestSaveAndCopy(t *testing.T) {
	s := newStage(t)
	s.ui.result.show(gigabit(), nas(), true)
	s.ui.open(screenResult)
	s.press(t, textCopy)
	if got := s.ui.app.Clipboard().Content(); !strings.Contains(got, "nas") || !s.shows(textCopied) {
		t.Errorf("the clipboard holds %q", got)
	}
	for range 2 {
		for _, kind := range []fileKind{asPicture, asJSON, asCSV} {
			s.ui.result.say("")
			s.ui.save(kind)
			s.until(t, "the file is saved", func() bool { return s.shows("Saved as ") })
		}
	}
	files, err := filepath.Glob(filepath.Join(s.ui.deps.Folder, "linkpace-desk-nas-*"))
	if err != nil || len(files) != 6 {
		t.Errorf("saved %v (%v), want six files", files, err)
	}
}

func TestSaveSaysWhyNot(t *testing.T) {
	s := newStage(t)
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.ui.deps.Folder = filepath.Join(blocked, "folder")
	s.ui.result.show(gigabit(), nas(), true)
	s.ui.open(screenResult)
	s.ui.save(asJSON)
	s.until(t, "the failure is shown", func() bool { return s.shows("could not be saved") })
}

func TestHistoryOpensAndDeletes(t *testing.T) {
	s := newStage(t)
	r := gigabit()
	s.history.entries = []Entry{
		{ID: "run", Started: r.Started, Local: "desk", Remote: "nas", To: 935e6, From: 935e6, Outcome: model.Completed},
		{ID: "old", Started: r.Started, Local: "desk", Remote: "attic", Outcome: model.Partial},
	}
	s.history.results["run"] = r
	s.ui.choose(screenHistory)
	s.until(t, "the list is shown", func() bool { return s.shows("desk and attic") })
	if !s.shows("ended early") || !s.shows("935 Mb/s (117 MB/s)") {
		t.Error("the list does not say how the tests went")
	}
	s.press(t, textOpen)
	s.until(t, "the result is shown", func() bool { return s.ui.shown == screenResult })
	if !s.ui.result.again.Disabled() {
		t.Error("a computer that is not there can be tested again")
	}
	s.key(fyne.KeyEscape)
	if s.ui.shown != screenHistory {
		t.Error("Back does not lead to the list")
	}
	s.ui.askDelete(s.history.entries[1])
	s.press(t, textKeep)
	s.ui.askDelete(s.history.entries[1])
	s.press(t, textDelete)
	s.until(t, "the entry is gone", func() bool { return !s.shows("desk and attic") })
	if !s.shows("desk and nas") {
		t.Error("the wrong entry was deleted")
	}
}

func TestHistoryThatCannotBeRead(t *testing.T) {
	s := newStage(t)
	s.history.err = errors.New("The disk is full.")
	s.ui.choose(screenHistory)
	s.until(t, "the failure is shown", func() bool { return s.shows("The disk is full.") })
	s.ui.openEntry("x")
	s.until(t, "the failure is told", func() bool { return s.ui.window.Canvas().Overlays().Top() != nil })
	s.press(t, textOK)
}

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

func TestConsentThatCannotBeKept(t *testing.T) {
	s := newStage(t)
	s.consent.answer, s.consent.err = Unasked, errors.New("The folder cannot be written.")
	s.begin(t)
	s.press(t, textConsentYes)
	s.until(t, "the failure is told", func() bool { return s.shows("The folder cannot be written.") })
}

// asked runs Ask elsewhere and gives its answer.
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

func TestAddByAddress(t *testing.T) {
	s := newStage(t)
	row := s.ui.home.address
	test.Type(row.entry, "192.168.1.300")
	if !row.add.Disabled() || !s.shows(textBadAddress) {
		t.Error("a slip of the finger is accepted")
	}
	row.entry.SetText("attic.local")
	if row.add.Disabled() || s.shows(textBadAddress) {
		t.Error("a name is not accepted")
	}
	s.peers.err = &model.Problem{Code: model.CodeNotFound, Text: "Nobody is called attic.local."}
	test.Tap(row.add)
	s.until(t, "the failure is shown", func() bool { return s.shows("Nobody is called attic.local.") })
	if row.entry.Text != "attic.local" || row.add.Disabled() {
		t.Error("after a failure the address cannot be corrected")
	}
	s.peers.err = nil
	row.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s.until(t, "the peer is shown", func() bool { return s.shows("added by address") })
	if row.entry.Text != "" {
		t.Error("the address stays after it was added")
	}
}

func TestPlausibleAddresses(t *testing.T) {
	for text, want := range map[string]bool{
		"nas": true, "nas.local": true, "nas.local:5000": true, "192.168.1.5": true, "192.168.1.5:47820": true,
		"fe80::1": true, "fe80::1%eth0": true, "[fe80::1%eth0]:47820": true, "my_nas": true, "müller.local": true, "nas.": true,
		"": false, "192.168.1": false, "192.168.1.300": false, "nas:0": false, "nas:70000": false, "nas:": false, "1.2.3.4:0": false,
		"-nas": false, "nas..local": false, "a b": false, "http://nas": false, "nas/x": false, strings.Repeat("a", 64): false,
		strings.Repeat("a.", 130): false, "[::1": false,
	} {
		if got := plausible(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestDigitsAreOfOneWidth(t *testing.T) {
	test.NewTempApp(t)
	test.ApplyTheme(t, newLook())
	width := func(text string) float32 {
		return fyne.MeasureText(text, sizeFigure, fyne.TextStyle{Bold: true}).Width
	}
	for digit := '1'; digit <= '9'; digit++ {
		if got := width(string(digit)); got != width("0") {
			t.Errorf("%c is %v wide and 0 is %v: the figure would dance", digit, got, width("0"))
		}
	}
}

func TestThemeNamesEveryColour(t *testing.T) {
	for _, variant := range []fyne.ThemeVariant{theme.VariantLight, theme.VariantDark} {
		for _, name := range []fyne.ThemeColorName{
			colourCard, colourEdge, colourRail, colourFaint, colourSend, colourReceive, colourBadge, colourOnBadge, colourChosen,
			theme.ColorNameForeground, theme.ColorNameBackground, theme.ColorNamePrimary, theme.ColorNameFocus, theme.ColorNameShadow,
		} {
			if _, _, _, alpha := newLook().Color(name, variant).RGBA(); alpha == 0 {
				t.Errorf("%s is not to be seen in variant %d", name, variant)
			}
		}
	}
}
