package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// panel is a rounded area in a colour of the theme.
type panel struct {
	widget.BaseWidget
	fill, edge fyne.ThemeColorName
	radius     float32
}

func newPanel(fill, edge fyne.ThemeColorName, radius float32) *panel {
	p := &panel{fill: fill, edge: edge, radius: radius}
	p.ExtendBaseWidget(p)
	return p
}

// CreateRenderer is part of fyne.Widget.
func (p *panel) CreateRenderer() fyne.WidgetRenderer {
	r := &panelRenderer{panel: p, box: new(canvas.Rectangle)}
	r.Refresh()
	return r
}

type panelRenderer struct {
	panel *panel
	box   *canvas.Rectangle
}

func (r *panelRenderer) Destroy()                     {}
func (r *panelRenderer) Layout(size fyne.Size)        { r.box.Resize(size) }
func (r *panelRenderer) MinSize() fyne.Size           { return fyne.Size{} }
func (r *panelRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.box} }

func (r *panelRenderer) Refresh() {
	r.box.FillColor = theme.Color(r.panel.fill)
	r.box.CornerRadius = r.panel.radius
	r.box.StrokeWidth = 0 // a transparent stroke would still be seen
	if r.panel.edge != "" {
		r.box.StrokeColor, r.box.StrokeWidth = theme.Color(r.panel.edge), 1
	}
	r.box.Refresh()
}

// newCard frames content as a card.
func newCard(content fyne.CanvasObject) fyne.CanvasObject {
	return container.NewStack(
		newPanel(colourCard, colourEdge, 10),
		inset(content, 12, 16),
	)
}

// inset leaves room around content.
func inset(content fyne.CanvasObject, vertical, horizontal float32) *fyne.Container {
	return container.New(layout.NewCustomPaddedLayout(vertical, vertical, horizontal, horizontal), content)
}

// column stacks objects with gap between them.
func column(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(layout.NewCustomPaddedVBoxLayout(gap), objects...)
}

// row sets objects side by side with gap between them.
func row(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(layout.NewCustomPaddedHBoxLayout(gap), objects...)
}

// middle centres content in height and keeps its width.
func middle(content fyne.CanvasObject) fyne.CanvasObject {
	return container.NewVBox(layout.NewSpacer(), content, layout.NewSpacer())
}

// newArrow points up for what is sent and down for what is received, in the
// colour of that direction.
func newArrow(sent bool) fyne.CanvasObject {
	icon := theme.NewColoredResource(theme.MoveDownIcon(), colourReceive)
	if sent {
		icon = theme.NewColoredResource(theme.MoveUpIcon(), colourSend)
	}
	return middle(container.NewGridWrap(fyne.NewSquareSize(18), widget.NewIcon(icon)))
}

// newBadge is a short remark that catches the eye.
func newBadge(text string) fyne.CanvasObject {
	return container.NewStack(
		newPanel(colourBadge, "", 8),
		inset(newWords(text, sizeSmall, colourOnBadge).whole(), 2, 8),
	)
}

// button is a button that hands keys it has no use for to the window, so that
// Esc and F5 work wherever the focus is.
type button struct {
	widget.Button
	keys func(*fyne.KeyEvent)
}

func newButton(text string, tapped func()) *button {
	b := new(button)
	b.Text, b.OnTapped = text, tapped
	b.ExtendBaseWidget(b)
	return b
}

// primary marks the button that most people want.
func (b *button) primary() *button {
	b.Importance = widget.HighImportance
	return b
}

// TypedKey is part of fyne.Focusable.
func (b *button) TypedKey(key *fyne.KeyEvent) {
	switch key.Name {
	case fyne.KeySpace:
		b.Button.TypedKey(key)
	case fyne.KeyReturn, fyne.KeyEnter:
		b.Button.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	default:
		if b.keys != nil {
			b.keys(key)
		}
	}
}
