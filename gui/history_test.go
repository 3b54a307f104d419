package gui

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"linkpace/engine/model"
)

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
