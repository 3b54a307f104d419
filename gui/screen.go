package gui

import (
	"fyne.io/fyne/v2"
)

// screenName is what fills the window beside the rail.
type screenName int

const (
	screenHome screenName = iota
	screenLive
	screenResult
	screenProblem
	screenHistory
)

// open shows a screen.
func (u *UI) open(name screenName) {
	u.shown = name
	u.window.Canvas().Unfocus()
	u.screen.Objects = []fyne.CanvasObject{u.content(name)}
	u.screen.Refresh()
	if name == screenHistory || name == screenResult && u.result.fromHistory {
		u.rail.mark(screenHistory)
	} else {
		u.rail.mark(screenHome)
	}
	u.showTitle()
}

func (u *UI) content(name screenName) fyne.CanvasObject {
	switch name {
	case screenLive:
		return u.live.root
	case screenResult:
		return u.result.root
	case screenProblem:
		return u.problem.root
	case screenHistory:
		return u.history.root
	}
	return u.home.root
}

// choose opens what a person chose in the rail. A test that runs is what the
// test screen shows.
func (u *UI) choose(name screenName) {
	switch {
	case name == screenHome && u.test != nil:
		u.open(screenLive)
	case name == screenHistory:
		u.open(screenHistory)
		u.reloadHistory()
	default:
		u.open(screenHome)
	}
}

// showTitle puts the state into the window's title, where task bars and screen
// readers find it.
func (u *UI) showTitle() {
	state := ""
	switch u.shown {
	case screenLive:
		state = u.live.title()
	case screenResult:
		state = u.result.title()
	case screenProblem:
		state = u.problem.title()
	case screenHistory:
		state = textHistory
	}
	title := textProgram
	if state != "" {
		title = state + " – " + textProgram
	}
	if title != u.window.Title() {
		u.window.SetTitle(title)
	}
}
