package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// words is one line of text in a size and colour of the theme, without the
// padding of a label. It is cut with an ellipsis where it does not fit, unless
// it is rigid.
type words struct {
	widget.BaseWidget
	text   string
	size   float32
	colour fyne.ThemeColorName
	bold   bool
	rigid  bool
}

// Sizes of text.
const (
	sizeSmall  = 12
	sizeBody   = 14
	sizeTitle  = 18
	sizeName   = 22
	sizeFigure = 50
)

func newWords(text string, size float32, colour fyne.ThemeColorName) *words {
	w := &words{text: text, size: size, colour: colour}
	w.ExtendBaseWidget(w)
	return w
}

func newBold(text string, size float32) *words {
	w := newWords(text, size, theme.ColorNameForeground)
	w.bold = true
	return w
}

// whole makes w take all the room it needs.
func (w *words) whole() *words {
	w.rigid = true
	return w
}

// SetText shows text; nothing is redrawn when it is the same.
func (w *words) SetText(text string) {
	if text != w.text {
		w.text = text
		w.Refresh()
	}
}

func (w *words) style() fyne.TextStyle { return fyne.TextStyle{Bold: w.bold} }

// CreateRenderer is part of fyne.Widget.
func (w *words) CreateRenderer() fyne.WidgetRenderer {
	r := &wordsRenderer{words: w, text: canvas.NewText("", nil)}
	r.Refresh()
	return r
}

type wordsRenderer struct {
	words *words
	text  *canvas.Text
}

func (r *wordsRenderer) Destroy() {}

func (r *wordsRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.text} }

func (r *wordsRenderer) MinSize() fyne.Size {
	size := r.measure(r.words.text)
	if !r.words.rigid {
		size.Width = min(size.Width, r.words.size*4)
	}
	return size
}

func (r *wordsRenderer) measure(text string) fyne.Size {
	return fyne.MeasureText(text, r.words.size, r.words.style())
}

func (r *wordsRenderer) Layout(size fyne.Size) {
	r.text.Resize(size)
	r.text.Text = r.fit(size.Width)
}

func (r *wordsRenderer) Refresh() {
	w := r.words
	r.text.TextSize, r.text.TextStyle = w.size, w.style()
	r.text.Color = theme.Color(w.colour)
	r.text.Text = r.fit(w.Size().Width)
	r.text.Refresh()
}

// fit cuts the text to width.
func (r *wordsRenderer) fit(width float32) string {
	text := r.words.text
	if r.words.rigid || r.measure(text).Width <= width+0.5 {
		return text
	}
	runes := []rune(text)
	for n := len(runes) - 1; n > 0; n-- {
		if cut := string(runes[:n]) + "…"; r.measure(cut).Width <= width {
			return cut
		}
	}
	return "…"
}

// newSentence is text that may take several lines.
func newSentence(text string) *widget.Label {
	l := widget.NewLabel(text)
	l.Wrapping = fyne.TextWrapWord
	return l
}
