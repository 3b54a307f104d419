package gui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

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

// asked runs Ask elsewhere and gives its answer.
