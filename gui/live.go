package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"linkpace/engine"
	"linkpace/engine/model"
	"linkpace/engine/plot"
	"linkpace/engine/units"
	"linkpace/gui/chart"
)

// live is the screen of a running test.
type live struct {
	root     fyne.CanvasObject
	heading  *words
	state    *words
	to, from *figure
	chips    *chips
	progress *progressLine
	delay    *words
	load     *words
	chart    *chart.Chart
	stop     *button

	log      *plot.Log
	peerName string
	name     string
	same     bool // both ends are this computer
}

func newLive(stop func(), keys func(*fyne.KeyEvent)) *live {
	l := &live{
		heading:  newBold("", sizeName),
		state:    newWords("", sizeBody, colourFaint),
		to:       newFigure(true),
		from:     newFigure(false),
		chips:    newChips(),
		progress: newProgressLine(),
		delay:    newWords("", sizeBody, theme.ColorNameForeground),
		load:     newWords("", sizeBody, theme.ColorNameForeground),
		chart:    chart.New(290),
		stop:     newButton(textStop, stop),
	}
	l.stop.Icon, l.stop.keys = theme.MediaStopIcon(), keys
	l.root = l.arrange()
	return l
}

func (l *live) arrange() fyne.CanvasObject {
	head := container.NewBorder(nil, nil, nil, middle(l.stop), column(2, l.heading, l.state))
	facts := container.NewGridWithColumns(2, fact(textDelay, l.delay), fact(textProcessor, l.load))
	top := column(10,
		head,
		container.NewGridWithColumns(2, l.to.root, l.from.root),
		column(6, l.chips.root, l.progress.root),
		facts,
	)
	body := container.NewBorder(top, nil, nil, nil, inset(newCard(l.chart), 10, 0))
	return container.NewVScroll(inset(body, 16, 20))
}

// fact is a small heading with a value beside it.
func fact(heading string, value fyne.CanvasObject) fyne.CanvasObject {
	return container.NewBorder(nil, nil, newWords(heading+" ", sizeBody, colourFaint).whole(), nil, value)
}

// begin clears the screen for a test with peer.
func (l *live) begin(peer model.Peer, spec model.Spec) {
	l.log = new(plot.Log)
	l.log.SetPhases(spec.Phases)
	l.name, l.peerName, l.same = "", peer.Name, peer.SameMachine
	l.heading.SetText(peer.Name)
	l.to.title.SetText(toWords(peer.Name))
	l.from.title.SetText(fromWords(peer.Name))
	l.to.Clear()
	l.from.Clear()
	l.stop.SetText(textStop)
	l.stop.Enable()
	l.show(engine.Progress{State: engine.Connecting, Phases: spec.Phases, Phase: -1})
}

// stopping shows that Stop was pressed.
func (l *live) stopping() {
	l.stop.SetText(textStopping)
	l.stop.Disable()
}

// apply takes what is new of run.
func (l *live) apply(run Facts, b batch) {
	local, remote := run.Ends()
	l.setEnds(local, remote)
	l.log.SetPhases(b.progress.Phases)
	l.log.Add(b.samples...)
	l.show(b.progress)
}

func (l *live) setEnds(local, remote model.Endpoint) {
	if remote.Name == "" {
		remote.Name = l.peerName
	}
	l.log.SetEnds(local, remote, l.same)
	if l.name == local.Name && l.peerName == remote.Name {
		return
	}
	l.name, l.peerName = local.Name, remote.Name
	l.heading.SetText(pairTitle(local, remote, l.same))
	l.to.title.SetText(way(local.Name, remote.Name))
	l.from.title.SetText(way(remote.Name, local.Name))
}

// show brings all parts up to date.
func (l *live) show(p engine.Progress) {
	l.state.SetText(stateWords(p, l.peerName))
	l.chips.show(p)
	l.progress.set(l.part(p))
	for way, f := range map[model.Direction]*figure{model.Send: l.to, model.Receive: l.from} {
		if rate, _, known := l.log.Speed(way); known {
			f.Set(rate)
		}
	}
	l.delay.SetText(delayWords(l.log.Delay()))
	l.load.SetText(l.loads())
	l.chart.Set(l.log.Chart())
}

// part is how much of the test is over, 0 to 1.
func (l *live) part(p engine.Progress) float32 {
	if p.State == engine.Finishing || p.State == engine.Ended {
		return 1
	}
	span := l.log.Span()
	return float32(l.log.Last()) / float32(span)
}

func (l *live) loads() string {
	if share, known := l.log.Load(model.Local); known && l.same {
		return l.name + " " + units.Percent(share)
	}
	var parts []string
	for _, end := range []struct {
		name string
		side model.Side
	}{{l.name, model.Local}, {l.peerName, model.Remote}} {
		if share, known := l.log.Load(end.side); known {
			parts = append(parts, end.name+" "+units.Percent(share))
		}
	}
	if len(parts) == 0 {
		return textNoSpeed
	}
	return joined(parts)
}

func (l *live) inBytes(bytes bool) {
	l.to.InBytes(bytes)
	l.from.InBytes(bytes)
}

// title is the state in a few words.
func (l *live) title() string {
	return liveTitle(l.to, l.from, l.peerName)
}

// chips name the phases and show which one runs.
type chips struct{ root *fyne.Container }

func newChips() *chips {
	return &chips{root: container.New(layout.NewCustomPaddedHBoxLayout(6))}
}

func (c *chips) show(p engine.Progress) {
	for len(c.root.Objects) < len(p.Phases) {
		c.root.Add(newChip())
	}
	for i, object := range c.root.Objects {
		chip := object.(*chip) //nolint:forcetypeassert // only chips are added
		if i >= len(p.Phases) {
			chip.Hide()
			continue
		}
		chip.Show()
		chip.set(plot.PhaseWord(p.Phases[i].Direction), i < p.Phase, i == p.Phase)
	}
	c.root.Refresh()
}
