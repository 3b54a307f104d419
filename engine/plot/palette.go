package plot

import "image/color"

// Ink names a colour by its meaning, so that a Chart knows no theme.
type Ink int

// The inks of a chart's lines. A direction and a computer keep their colours on
// every screen.
const (
	InkSend Ink = iota
	InkReceive
	InkDelay
	InkLocal
	InkRemote
)

// Palette is the set of colours of one theme. Lines have a contrast of at least
// 3 to the background and text of at least 4.5.
type Palette struct {
	Background color.RGBA
	Shade      color.RGBA // every second phase
	Hatch      color.RGBA // warm-up
	Grid       color.RGBA
	Mark       color.RGBA
	Text       color.RGBA
	Faint      color.RGBA // text of less weight
	Good, Bad  color.RGBA
	inks       [5]color.RGBA
}

// Of gives the colour of an ink.
func (p *Palette) Of(i Ink) color.RGBA { return p.inks[i] }

// The colours of data are those of Okabe and Ito, which people with any kind of
// colour vision can tell apart; orange and purple are darkened on white until
// they have enough contrast.

// Light gives the colours for a light background.
func Light() Palette {
	return Palette{
		Background: rgb(0xFFFFFF), Shade: rgb(0xF3F6F9), Hatch: rgb(0xDDE3EA),
		Grid: rgb(0xE3E8ED), Mark: rgb(0x6B7785), Text: rgb(0x1B2430), Faint: rgb(0x566270),
		Good: rgb(0x00805D), Bad: rgb(0xB84A00),
		inks: [5]color.RGBA{rgb(0x0072B2), rgb(0xC47F00), rgb(0xB35C92), rgb(0x3C4654), rgb(0x009068)},
	}
}

// Dark gives the colours for a dark background.
func Dark() Palette {
	return Palette{
		Background: rgb(0x1D232B), Shade: rgb(0x232A33), Hatch: rgb(0x36404C),
		Grid: rgb(0x303945), Mark: rgb(0x93A1B0), Text: rgb(0xE8EDF2), Faint: rgb(0xA3B0BD),
		Good: rgb(0x2FC79B), Bad: rgb(0xF08A4B),
		inks: [5]color.RGBA{rgb(0x56B4E9), rgb(0xE69F00), rgb(0xD98BB5), rgb(0xC9D2DC), rgb(0x1FB98C)},
	}
}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xFF} //nolint:gosec // the low byte is what is wanted
}
