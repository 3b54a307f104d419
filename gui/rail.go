package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

const railWidth = 152

// rail is the list of screens at the left edge.
type rail struct {
	root    fyne.CanvasObject
	items   map[screenName]*railItem
	consent *railItem
}

// newRail makes the list. consent opens the question who may test, which is no
// screen but has to be found again by who answered it in a hurry.
func newRail(version string, choose func(screenName), consent func(), keys func(*fyne.KeyEvent)) *rail {
	r := &rail{items: map[screenName]*railItem{
		screenHome:    newRailItem(textTest, theme.MediaPlayIcon(), func() { choose(screenHome) }, keys),
		screenHistory: newRailItem(textHistory, theme.HistoryIcon(), func() { choose(screenHistory) }, keys),
	}}
	name := inset(newBold(textProgram, sizeTitle).whole(), 14, 14)
	r.consent = newRailItem(textWhoMayTest, theme.AccountIcon(), consent, keys)
	list := column(4, name, r.items[screenHome], r.items[screenHistory], r.consent)
	foot := inset(newWords(version, sizeSmall, colourFaint), 10, 14)
	width := container.NewGridWrap(fyne.NewSize(railWidth, 1), newPanel(colourNone, "", 0))
	r.root = container.NewStack(
		newPanel(colourRail, "", 0), width,
		container.NewBorder(inset(list, 0, 6), foot, nil, nil),
	)
	return r
}

// mark shows which screen is open.
func (r *rail) mark(open screenName) {
	for name, item := range r.items {
		item.setChosen(name == open)
	}
}

// railItem is one screen's name. It looks chosen while that screen is open.
type railItem struct {
	widget.BaseWidget
	text            string
	icon            fyne.Resource
	tapped          func()
	keys            func(*fyne.KeyEvent)
	chosen, hovered bool
	focused         bool
}

func newRailItem(text string, icon fyne.Resource, tapped func(), keys func(*fyne.KeyEvent)) *railItem {
	i := &railItem{text: text, icon: icon, tapped: tapped, keys: keys}
	i.ExtendBaseWidget(i)
	return i
}

func (i *railItem) setChosen(chosen bool) {
	i.chosen = chosen
	i.Refresh()
}

// Tapped is part of fyne.Tappable.
func (i *railItem) Tapped(*fyne.PointEvent) { i.tapped() }

// FocusGained is part of fyne.Focusable.
func (i *railItem) FocusGained() { i.setFocus(true) }

// FocusLost is part of fyne.Focusable.
func (i *railItem) FocusLost() { i.setFocus(false) }

func (i *railItem) setFocus(focused bool) {
	i.focused = focused
	i.Refresh()
}

// TypedRune is part of fyne.Focusable.
func (i *railItem) TypedRune(rune) {}

// TypedKey is part of fyne.Focusable.
func (i *railItem) TypedKey(key *fyne.KeyEvent) {
	switch key.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		i.tapped()
	default:
		i.keys(key)
	}
}

// MouseIn is part of desktop.Hoverable.
func (i *railItem) MouseIn(*desktop.MouseEvent) { i.setHover(true) }

// MouseMoved is part of desktop.Hoverable.
func (i *railItem) MouseMoved(*desktop.MouseEvent) {}

// MouseOut is part of desktop.Hoverable.
func (i *railItem) MouseOut() { i.setHover(false) }

func (i *railItem) setHover(hovered bool) {
	i.hovered = hovered
	i.Refresh()
}

// CreateRenderer is part of fyne.Widget.
func (i *railItem) CreateRenderer() fyne.WidgetRenderer {
	r := &railItemRenderer{item: i, back: newPanel(colourNone, "", 7), word: newWords(i.text, sizeBody, theme.ColorNameForeground)}
	icon := container.NewGridWrap(fyne.NewSize(20, 20), widget.NewIcon(i.icon))
	line := container.NewBorder(nil, nil, inset(icon, 0, 4), nil, middle(r.word))
	r.WidgetRenderer = widget.NewSimpleRenderer(container.NewStack(r.back, inset(line, 8, 6)))
	r.Refresh()
	return r
}

type railItemRenderer struct {
	fyne.WidgetRenderer
	item *railItem
	back *panel
	word *words
}

// Refresh is part of fyne.WidgetRenderer.
func (r *railItemRenderer) Refresh() {
	r.back.fill, r.back.edge = colourNone, ""
	if r.item.chosen || r.item.hovered {
		r.back.fill = colourChosen
	}
	if r.item.focused {
		r.back.edge = theme.ColorNamePrimary
	}
	r.word.bold = r.item.chosen
	r.WidgetRenderer.Refresh()
	r.back.Refresh()
	r.word.Refresh()
}
