package gui

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
)

func TestDigitsAreOfOneWidth(t *testing.T) {
	test.NewTempApp(t)
	test.ApplyTheme(t, newLook())
	width := func(text string) float32 {
		return fyne.MeasureText(text, sizeFigure, fyne.TextStyle{Bold: true}).Width
	}
	for digit := '1'; digit <= '9'; digit++ {
		if got := width(string(digit)); got != width("0") {
			t.Errorf("%c is %v wide and 0 is %v: the figure would dance", digit, got, width("0"))
		}
	}
}

func TestThemeNamesEveryColour(t *testing.T) {
	for _, variant := range []fyne.ThemeVariant{theme.VariantLight, theme.VariantDark} {
		for _, name := range []fyne.ThemeColorName{
			colourCard, colourEdge, colourRail, colourFaint, colourSend, colourReceive, colourBadge, colourOnBadge, colourChosen,
			theme.ColorNameForeground, theme.ColorNameBackground, theme.ColorNamePrimary, theme.ColorNameFocus, theme.ColorNameShadow,
		} {
			if _, _, _, alpha := newLook().Color(name, variant).RGBA(); alpha == 0 {
				t.Errorf("%s is not to be seen in variant %d", name, variant)
			}
		}
	}
}
