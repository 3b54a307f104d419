package gui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"linkpace/engine/plot"
)

// Colours that Fyne's themes do not name.
const (
	colourNone    fyne.ThemeColorName = "linkpace-none"
	colourCard    fyne.ThemeColorName = "linkpace-card"
	colourEdge    fyne.ThemeColorName = "linkpace-edge"
	colourRail    fyne.ThemeColorName = "linkpace-rail"
	colourFaint   fyne.ThemeColorName = "linkpace-faint"
	colourSend    fyne.ThemeColorName = "linkpace-send"
	colourReceive fyne.ThemeColorName = "linkpace-receive"
	colourBadge   fyne.ThemeColorName = "linkpace-badge"
	colourOnBadge fyne.ThemeColorName = "linkpace-on-badge"
	colourChosen  fyne.ThemeColorName = "linkpace-chosen"
)

// look is the program's theme. It follows the system from light to dark.
type look struct{ fyne.Theme }

func newLook() fyne.Theme { return look{theme.DefaultTheme()} }

// Color is part of fyne.Theme.
func (l look) Color(name fyne.ThemeColorName, variant fyne.ThemeVariant) color.Color {
	dark := variant == theme.VariantDark
	if c, known := ownColour(name, dark); known {
		return c
	}
	if light, night, known := surface(name); known {
		if dark {
			return hex(night)
		}
		return hex(light)
	}
	return l.Theme.Color(name, variant)
}

// ownColour takes the colours that chart and window share from the chart.
func ownColour(name fyne.ThemeColorName, dark bool) (color.Color, bool) {
	p := plot.Light()
	if dark {
		p = plot.Dark()
	}
	switch name {
	case colourNone:
		return color.Transparent, true
	case colourCard:
		return p.Background, true
	case colourFaint:
		return p.Faint, true
	case colourSend, theme.ColorNamePrimary, theme.ColorNameHyperlink:
		return p.Of(plot.InkSend), true
	case colourReceive:
		return p.Of(plot.InkReceive), true
	case theme.ColorNameForeground:
		return p.Text, true
	case theme.ColorNameSuccess:
		return p.Good, true
	case theme.ColorNameWarning, theme.ColorNameError:
		return p.Bad, true
	}
	return nil, false
}

// surface gives the colours of areas, for light and for dark.
func surface(name fyne.ThemeColorName) (light, dark uint32, known bool) {
	switch name {
	case theme.ColorNameBackground:
		return 0xEFF2F5, 0x12161B, true
	case colourRail:
		return 0xE3E8ED, 0x0D1014, true
	case colourChosen:
		return 0xFFFFFF, 0x262E38, true
	case colourEdge, theme.ColorNameSeparator:
		return 0xD8DFE6, 0x323C48, true
	case theme.ColorNameButton:
		return 0xE6EBF0, 0x2E3742, true
	case theme.ColorNameInputBackground, theme.ColorNameOverlayBackground, theme.ColorNameMenuBackground:
		return 0xFFFFFF, 0x1D232B, true
	case theme.ColorNameInputBorder:
		return 0xB4BFCA, 0x4A5664, true
	case theme.ColorNamePlaceHolder, theme.ColorNameDisabled:
		return 0x66727F, 0x8B98A6, true
	case theme.ColorNameForegroundOnPrimary:
		return 0xFFFFFF, 0x0B1A26, true
	case colourBadge:
		return 0xFFE3A8, 0x5A4310, true
	case colourOnBadge:
		return 0x5C3D00, 0xFFE3A8, true
	}
	return 0, 0, false
}

// Size is part of fyne.Theme.
func (l look) Size(name fyne.ThemeSizeName) float32 {
	switch name {
	case theme.SizeNameInputRadius, theme.SizeNameSelectionRadius:
		return 7
	case theme.SizeNameInnerPadding:
		return 9
	}
	return l.Theme.Size(name)
}

func hex(c uint32) color.Color {
	return color.NRGBA{R: uint8(c >> 16), G: uint8(c >> 8), B: uint8(c), A: 0xFF} //nolint:gosec // the low byte is what is wanted
}
