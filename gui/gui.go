// Package gui is the window. It has one file per screen; pump.go is the only one
// that touches goroutines and Fyne's at once, text.go holds all words.
//
// A view is dumb: it is told what to show by a method that runs on Fyne's
// goroutine, and reports what the person wants by calling a function. Slow work
// (dialling, reading the history, writing files) runs in goroutines of its own
// and comes back through a dispatch, so that the window never stands still.
package gui

import (
	"context"
	"net/netip"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"linkpace/engine"
	"linkpace/engine/model"
	"linkpace/engine/units"
)

// Log is a run as a reader follows it.
type Log interface {
	Next(ctx context.Context, at engine.Cursor) ([]model.Sample, *model.Result, engine.Cursor, error)
	Progress() engine.Progress
}

// Facts are what is known about a run.
type Facts interface {
	Role() model.Role
	Ends() (local, remote model.Endpoint)
}

// Run is a test, started here or elsewhere.
type Run interface {
	Log
	Facts
	Cancel()
}

// Tests starts tests and tells of all. Runs waits until there are more than from
// and returns those beyond.
type Tests interface {
	Start(ctx context.Context, to model.Peer, spec model.Spec) (Run, error)
	Runs(ctx context.Context, from int) ([]Run, error)
}

// Peers finds other computers. Next waits until the list has changed since from.
type Peers interface {
	Next(ctx context.Context, from uint64) ([]model.Peer, uint64, error)
	Add(ctx context.Context, address string) (model.Peer, error)
	Rescan()
}

// History keeps results. List gives the newest first, at most most of them.
type History interface {
	List(ctx context.Context, most int) ([]Entry, error)
	Get(ctx context.Context, id string) (*model.Result, error)
	Delete(ctx context.Context, id string) error
}

// Entry is one kept result in the list.
type Entry struct {
	ID            string
	Started       time.Time
	Local, Remote string
	SameMachine   bool
	// To and From are the speeds from and to this computer, each measured alone
	// where it was; 0 is not measured.
	To, From units.BitRate
	Outcome  model.Outcome
}

// Consent keeps the answer to the question of the first start.
type Consent interface {
	Answer() Answer
	SetAnswer(Answer) error
}

// Answer is who may test with this computer.
type Answer string

// The answers, as the settings keep them.
const (
	Unasked     Answer = ""
	OnNetwork   Answer = "local"
	AskEachTime Answer = "ask"
	Nobody      Answer = "no"
)

// Self is this computer as its own card shows it.
type Self struct {
	Endpoint model.Endpoint
	// Addrs are the addresses that others can type, best first.
	Addrs []netip.AddrPort
	// UsualPort is the port that need not be typed.
	UsualPort uint16
	// Peer is this computer as something to test.
	Peer model.Peer
	// Trouble is a sentence when others cannot test with this computer.
	Trouble string
}

// Deps is what the window works with.
type Deps struct {
	Tests   Tests
	Peers   Peers
	History History
	Consent Consent
	// Self describes this computer; it may take its time.
	Self func() Self
	// Folder is where files are saved.
	Folder  string
	Version string
}

// UI is the window and what it shows. Its methods belong to Fyne's goroutine,
// except Ask.
type UI struct {
	deps   Deps
	on     dispatch
	ctx    context.Context
	cancel context.CancelFunc
	app    fyne.App
	window fyne.Window

	rail    *rail
	notice  *notice
	frame   *fyne.Container // the notice above the screen
	screen  *fyne.Container
	shown   screenName
	home    *home
	live    *live
	result  *resultView
	history *historyView
	problem *problemView
	test    *trial
	inBytes bool
}

// Size of the window.
const (
	windowWidth  = 1040
	windowHeight = 700
	minWidth     = 720
	minHeight    = 440
)

// searchFor is how long the window says that it is looking before it says that
// nobody is there.
const searchFor = 3 * time.Second

// New builds the window of app. Show shows it and starts to look around.
func New(app fyne.App, deps Deps) *UI { return build(app, deps, onFyne) }

func build(app fyne.App, deps Deps, on dispatch) *UI {
	u := &UI{deps: deps, on: on, app: app}
	u.ctx, u.cancel = context.WithCancel(context.Background())
	app.Settings().SetTheme(newLook())
	u.window = app.NewWindow(textProgram)
	u.home = newHome(u.startTest, u.rescan, u.add, u.key)
	u.live = newLive(u.stopTest, u.key)
	u.result = newResult(resultActions{again: u.testAgain, copy: u.copySummary, save: u.save, back: u.leaveResult}, u.key)
	u.history = newHistory(u.openEntry, u.askDelete, u.key)
	u.problem = newProblem(u.key)
	u.notice = newNotice(u.key)
	u.rail = newRail(deps.Version, u.choose, u.askConsent, u.key)
	u.screen = container.NewStack()
	u.frame = container.NewBorder(u.notice.root, nil, nil, nil, container.NewStack(minimum(), u.screen))
	u.window.SetContent(container.NewBorder(nil, nil, u.rail.root, nil, u.frame))
	u.window.SetPadded(false)
	u.window.Resize(fyne.NewSize(windowWidth, windowHeight))
	u.window.SetMaster()
	u.bindKeys()
	u.open(screenHome)
	return u
}

// minimum keeps the window from becoming too small to be read.
func minimum() fyne.CanvasObject {
	return container.NewGridWrap(fyne.NewSize(minWidth-railWidth, minHeight), newPanel(colourNone, "", 0))
}

// Show shows the window and begins to look for other computers.
func (u *UI) Show() {
	u.window.Show()
	u.begin()
}

// begin starts everything that goes on beside the window.
func (u *UI) begin() {
	go watchPeers(u.ctx, u.deps.Peers, u.on, u.home.setPeers)
	go watchRuns(u.ctx, u.deps.Tests, u.on, u.runBegan)
	go u.describeSelf()
	u.lookAround()
	if u.deps.Consent.Answer() == Unasked {
		u.askConsent()
	}
}

// Stop ends everything that the window has going on, without waiting for it.
func (u *UI) Stop() {
	u.stopTest()
	u.cancel()
}

func (u *UI) describeSelf() {
	self := u.deps.Self()
	deliver(u.ctx, u.on, func() { u.home.setSelf(self) })
}

// lookAround says for a while that a search goes on.
func (u *UI) lookAround() {
	u.home.setSearching(true)
	go func() {
		if pause(u.ctx, searchFor) {
			deliver(u.ctx, u.on, func() { u.home.setSearching(false) })
		}
	}()
}

func (u *UI) rescan() {
	u.deps.Peers.Rescan()
	u.lookAround()
	go u.describeSelf()
}

// add asks for the peer at address and then shows it, or why not.
func (u *UI) add(address string) {
	go func() {
		peer, err := u.deps.Peers.Add(u.ctx, address)
		deliver(u.ctx, u.on, func() { u.home.added(peer, err) })
	}()
}
