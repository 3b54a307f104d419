package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"linkpace/engine/model"
)

// verdictBanner is the sentence that a result comes to, and how sure it is.
type verdictBanner struct {
	root     fyne.CanvasObject
	icon     *widget.Icon
	headline *widget.Label
	detail   *widget.Label
	sure     *words
}

func newVerdictBanner() *verdictBanner {
	v := &verdictBanner{
		icon:     widget.NewIcon(theme.InfoIcon()),
		headline: newSentence(""),
		detail:   newSentence(""),
		sure:     newWords("", sizeSmall, colourFaint),
	}
	v.headline.SizeName = theme.SizeNameSubHeadingText
	v.headline.TextStyle = fyne.TextStyle{Bold: true}
	icon := container.NewVBox(container.NewGridWrap(fyne.NewSize(32, 32), v.icon))
	text := column(-6, inset(v.headline, -8, -8), inset(v.detail, -4, -8), inset(v.sure, 4, 0))
	v.root = newCard(container.NewBorder(nil, nil, inset(icon, 0, 6), nil, text))
	return v
}

func (v *verdictBanner) show(findings []model.Finding, r *model.Result) {
	first := model.Finding{Headline: textNothingFound}
	if len(findings) > 0 {
		first = findings[0]
	}
	v.headline.SetText(first.Headline)
	v.detail.SetText(detailWords(first))
	v.detail.Hide()
	if v.detail.Text != "" {
		v.detail.Show()
	}
	v.sure.SetText(certaintyWords(first.Certainty))
	v.icon.SetResource(verdictIcon(first, r))
}

// verdictIcon warns only where the person can do something.
func verdictIcon(f model.Finding, r *model.Result) fyne.Resource {
	switch {
	case r.SameMachine:
		return theme.NewColoredResource(theme.InfoIcon(), theme.ColorNamePrimary)
	case r.Outcome != model.Completed || f.Fix != "":
		return theme.NewColoredResource(theme.WarningIcon(), theme.ColorNameWarning)
	case f.Certainty == model.Certain:
		return theme.NewColoredResource(theme.ConfirmIcon(), theme.ColorNameSuccess)
	}
	return theme.NewColoredResource(theme.InfoIcon(), theme.ColorNamePrimary)
}
