package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"linkpace/engine/units"
)

// figure is a card with one large speed: the way on top, bits per second large,
// bytes per second below, or the other way round.
//
// The font's digits are all of one width, so that the number does not dance
// while it changes.
type figure struct {
	root         fyne.CanvasObject
	title        *words
	digits, unit *words
	line         *fyne.Container // digits and unit, side by side
	other        *words
	rate         units.BitRate
	known        bool
	bytes        bool
}

// newFigure makes a figure for what is sent or received.
func newFigure(sent bool) *figure {
	f := &figure{
		title:  newWords("", sizeBody, theme.ColorNameForeground),
		digits: newBold(textNoSpeed, sizeFigure).whole(),
		unit:   newWords("", sizeName, colourFaint).whole(),
		other:  newWords(" ", sizeBody, colourFaint),
	}
	f.line = row(8, f.digits, container.NewVBox(middleSpace(18), f.unit))
	f.root = newCard(column(0,
		container.NewBorder(nil, nil, newArrow(sent), nil, inset(f.title, 0, 4)),
		f.line,
		f.other,
	))
	return f
}

// middleSpace is empty room of a height.
func middleSpace(height float32) fyne.CanvasObject {
	return inset(newWords("", 1, colourFaint), height/2, 0)
}

// Set shows a speed.
func (f *figure) Set(rate units.BitRate) {
	f.rate, f.known = rate, true
	f.show()
}

// Clear shows that there is no speed yet.
func (f *figure) Clear() {
	f.known = false
	f.show()
}

// InBytes chooses which unit is large.
func (f *figure) InBytes(bytes bool) {
	f.bytes = bytes
	f.show()
}

func (f *figure) show() {
	if !f.known {
		f.write(textNoSpeed, "", " ")
		return
	}
	large, small := f.rate.String(), f.rate.BytesString()
	if f.bytes {
		large, small = small, large
	}
	digits, unit := splitFigure(large)
	f.write(digits, unit, small)
}

func (f *figure) write(digits, unit, other string) {
	f.digits.SetText(digits)
	f.unit.SetText(unit)
	f.other.SetText(other)
	f.line.Refresh()
}
