package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// chip is the name of one phase: to come, running, or done.
type chip struct {
	widget.BaseWidget
	text       string
	done, runs bool
}

func newChip() *chip {
	c := new(chip)
	c.ExtendBaseWidget(c)
	return c
}

func (c *chip) set(text string, done, runs bool) {
	if c.text == text && c.done == done && c.runs == runs {
		return
	}
	c.text, c.done, c.runs = text, done, runs
	c.Refresh()
}

// CreateRenderer is part of fyne.Widget.
func (c *chip) CreateRenderer() fyne.WidgetRenderer {
	r := &chipRenderer{chip: c, back: newPanel(colourNone, colourEdge, 12), word: newWords("", sizeSmall, colourFaint).whole()}
	tick := theme.NewColoredResource(theme.ConfirmIcon(), theme.ColorNameSuccess)
	r.tick = container.NewGridWrap(fyne.NewSquareSize(16), widget.NewIcon(tick))
	r.WidgetRenderer = widget.NewSimpleRenderer(container.NewStack(r.back, inset(row(4, r.tick, r.word), 4, 12)))
	r.Refresh()
	return r
}

type chipRenderer struct {
	fyne.WidgetRenderer
	chip *chip
	back *panel
	word *words
	tick *fyne.Container
}

// Refresh is part of fyne.WidgetRenderer.
func (r *chipRenderer) Refresh() {
	r.back.fill, r.back.edge, r.word.colour = colourNone, colourEdge, colourFaint
	r.word.text = r.chip.text
	r.tick.Hide()
	switch {
	case r.chip.runs:
		r.back.fill, r.back.edge, r.word.colour = theme.ColorNamePrimary, theme.ColorNamePrimary, theme.ColorNameForegroundOnPrimary
	case r.chip.done:
		r.back.fill = colourCard
		r.tick.Show()
	}
	r.back.Refresh()
	r.word.Refresh()
	r.WidgetRenderer.Refresh()
}

// progressLine is a thin bar. Unlike Fyne's it has no text and no animation.
type progressLine struct {
	root *fyne.Container
	part float32
}

func newProgressLine() *progressLine {
	p := new(progressLine)
	p.root = container.New(p, newPanel(colourEdge, "", 2), newPanel(theme.ColorNamePrimary, "", 2))
	return p
}

// set shows part (0 to 1) as done.
func (p *progressLine) set(part float32) {
	p.part = min(max(part, 0), 1)
	p.Layout(p.root.Objects, p.root.Size())
}

// Layout is part of fyne.Layout.
func (p *progressLine) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(size)
	// Round ends need some room.
	objects[1].Resize(fyne.NewSize(max(size.Width*p.part, size.Height), size.Height))
}

// MinSize is part of fyne.Layout.
func (p *progressLine) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(40, 4) }
