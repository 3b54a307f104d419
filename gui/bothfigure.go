package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"linkpace/engine/units"
)

// bothFigure is the card of the phase in which both directions ran.
type bothFigure struct {
	root            fyne.CanvasObject
	to, from        speed
	toText, toSmall *words
	fromText        *words
	fromSmall       *words
	bytes           bool
}

// speed is a rate that may be unknown.
type speed struct {
	rate  units.BitRate
	known bool
}

// Set makes the speed known.
func (s *speed) Set(rate units.BitRate) { *s = speed{rate, true} }

func newBothFigure() *bothFigure {
	b := &bothFigure{
		toText: newBold(textNoSpeed, sizeName).whole(), toSmall: newWords("", sizeBody, colourFaint),
		fromText: newBold(textNoSpeed, sizeName).whole(), fromSmall: newWords("", sizeBody, colourFaint),
	}
	line := func(sent bool, large, small *words) fyne.CanvasObject {
		return container.NewBorder(nil, nil, row(6, newArrow(sent), large), nil, middle(small))
	}
	b.root = newCard(column(6,
		newWords(textAtOnce, sizeBody, theme.ColorNameForeground),
		line(true, b.toText, b.toSmall),
		line(false, b.fromText, b.fromSmall),
	))
	return b
}

func (b *bothFigure) clear() { b.to, b.from = speed{}, speed{} }

func (b *bothFigure) show(bytes bool) {
	b.bytes = bytes
	b.write(b.to, b.toText, b.toSmall)
	b.write(b.from, b.fromText, b.fromSmall)
}

func (b *bothFigure) write(s speed, large, small *words) {
	switch {
	case !s.known:
		large.SetText(textNoSpeed)
		small.SetText("")
	case b.bytes:
		large.SetText(s.rate.BytesString())
		small.SetText(s.rate.String())
	default:
		large.SetText(s.rate.String())
		small.SetText(s.rate.BytesString())
	}
}
