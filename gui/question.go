package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// question stands in front of everything else until one of its buttons is
// pressed.
type question struct {
	popup   *widget.PopUp
	buttons []*button
}

// questionWidth is the width of its text.
const questionWidth = 460

// ask shows a question. Every button closes it before it does its work; the
// first one is the usual choice and has the focus.
func (u *UI) ask(title, body string, choices ...choice) *question {
	q := new(question)
	for i, c := range choices {
		b := newButton(c.text, func() {
			q.close()
			c.do()
		})
		if i == 0 {
			b.primary()
		}
		q.buttons = append(q.buttons, b)
	}
	q.popup = widget.NewModalPopUp(q.content(title, body), u.window.Canvas())
	q.popup.Show()
	u.window.Canvas().Focus(q.buttons[0])
	return q
}

// choice is one button of a question.
type choice struct {
	text string
	do   func()
}

func (q *question) content(title, body string) fyne.CanvasObject {
	heading := newSentence(title)
	heading.SizeName, heading.TextStyle = theme.SizeNameSubHeadingText, fyne.TextStyle{Bold: true}
	buttons := row(8, layout.NewSpacer())
	for _, b := range q.buttons {
		buttons.Add(b)
	}
	width := canvas.NewRectangle(nil)
	width.SetMinSize(fyne.NewSize(questionWidth, 0))
	return inset(column(2, width, heading, newSentence(body), inset(buttons, 8, 0)), 8, 8)
}

func (q *question) close() { q.popup.Hide() }

// tell shows a sentence that needs no answer.
func (u *UI) tell(title, sentence string) { u.ask(title, sentence, choice{textOK, func() {}}) }
