package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// bindKeys sets up what keys do anywhere in the window.
func (u *UI) bindKeys() {
	c := u.window.Canvas()
	c.SetOnTypedKey(u.key)
	for _, s := range u.shortcuts() {
		c.AddShortcut(&desktop.CustomShortcut{KeyName: s.key, Modifier: s.modifier}, func(fyne.Shortcut) { s.do() })
	}
	// Fyne turns Ctrl+C into a shortcut of its own.
	c.AddShortcut(&fyne.ShortcutCopy{}, func(fyne.Shortcut) { u.ifResult(u.copySummary) })
}

// shortcut is what a key with a modifier does.
type shortcut struct {
	key      fyne.KeyName
	modifier fyne.KeyModifier
	do       func()
}

func (u *UI) shortcuts() []shortcut {
	return []shortcut{
		{fyne.KeyL, fyne.KeyModifierControl, u.focusAddress},
		{fyne.Key1, fyne.KeyModifierAlt, func() { u.choose(screenHome) }},
		{fyne.Key2, fyne.KeyModifierAlt, func() { u.choose(screenHistory) }},
		{fyne.KeyS, fyne.KeyModifierControl, func() { u.ifResult(func() { u.save(asPicture) }) }},
	}
}

// key does what a key means on the screen that is open.
func (u *UI) key(event *fyne.KeyEvent) {
	switch event.Name {
	case fyne.KeySpace:
		u.ifResult(u.testAgain)
	case fyne.KeyEscape:
		u.escape()
	case fyne.KeyF5:
		u.choose(screenHome)
		u.rescan()
	case fyne.KeyU:
		u.swapUnits()
	}
}

func (u *UI) escape() {
	switch u.shown {
	case screenLive:
		u.stopTest()
	case screenResult:
		u.leaveResult()
	case screenProblem:
		u.open(screenHome)
	}
}

func (u *UI) ifResult(do func()) {
	if u.shown == screenResult {
		do()
	}
}

func (u *UI) focusAddress() {
	if u.test == nil {
		u.open(screenHome)
		u.window.Canvas().Focus(u.home.address.entry)
	}
}

func (u *UI) swapUnits() {
	u.inBytes = !u.inBytes
	u.live.inBytes(u.inBytes)
	u.result.inBytes(u.inBytes)
}
