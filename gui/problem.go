package gui

import (
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"linkpace/engine/model"
)

// problemView is a failure: one sentence and one button.
type problemView struct {
	root     fyne.CanvasObject
	peer     string
	headline *words
	sentence *widget.Label
	act      *button
}

type problemActions struct{ again, back func() }

func newProblem(keys func(*fyne.KeyEvent)) *problemView {
	p := &problemView{
		headline: newBold("", sizeName),
		sentence: newSentence(""),
		act:      newButton(textTryAgain, nil).primary(),
	}
	p.act.keys = keys
	icon := container.NewGridWrap(fyne.NewSize(36, 36), widget.NewIcon(theme.NewColoredResource(theme.WarningIcon(), theme.ColorNameError)))
	text := column(6, p.headline, outdent(p.sentence), container.NewHBox(p.act))
	card := newCard(container.NewBorder(nil, nil, inset(container.NewVBox(icon), 0, 6), nil, text))
	p.root = inset(container.NewVBox(card), 20, 20)
	return p
}

// show tells what went wrong and offers the way on that makes sense.
func (p *problemView) show(peer model.Peer, err error, do problemActions) {
	p.peer = peer.Name
	p.headline.SetText(problemHeadline(peer.Name))
	p.sentence.SetText(sentenceOf(err))
	p.act.SetText(textTryAgain)
	p.act.OnTapped = do.again
	if !worthAnotherTry(err) {
		p.act.SetText(textBack)
		p.act.OnTapped = do.back
	}
}

func (p *problemView) title() string { return problemHeadline(p.peer) }

// sentenceOf takes from an error what is meant for people.
func sentenceOf(err error) string {
	if problem, ok := errors.AsType[*model.Problem](err); ok && problem.Text != "" {
		return problem.Text
	}
	return err.Error()
}

// worthAnotherTry is false for what will be the same the next time.
func worthAnotherTry(err error) bool {
	problem, ok := errors.AsType[*model.Problem](err)
	if !ok {
		return true
	}
	switch problem.Code {
	case model.CodeBadInput, model.CodeUnsupported, model.CodeTooOld, model.CodeTooNew,
		model.CodeIdentityChanged, model.CodeNotLinkpace, model.CodePolicy:
		return false
	}
	return true
}
