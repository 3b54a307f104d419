package chart

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// texts keeps text objects for reuse, so that a chart that changes many times a
// second does not leave garbage. Between begin and end, put takes the next one.
type texts struct {
	all  []*canvas.Text
	used int
}

func (t *texts) begin() { t.used = 0 }

// put writes text with its upper edge at y; x is its left end, middle or right
// end, as align says. An object that has not changed is left alone.
func (t *texts) put(text string, c color.Color, align fyne.TextAlign, x, y float32) {
	if t.used == len(t.all) {
		t.all = append(t.all, canvas.NewText("", c))
	}
	object := t.all[t.used]
	t.used++
	changed := object.Text != text || object.Color != c || !object.Visible()
	object.Text, object.Color, object.TextSize = text, c, textSize
	object.Move(fyne.NewPos(leftEnd(align, x, textWidth(text)), y))
	if changed {
		object.Resize(object.MinSize())
		object.Show()
		object.Refresh()
	}
}

func leftEnd(align fyne.TextAlign, x, width float32) float32 {
	switch align {
	case fyne.TextAlignCenter:
		return x - width/2
	case fyne.TextAlignTrailing:
		return x - width
	}
	return x
}

// end hides what was not used this time.
func (t *texts) end() {
	for _, unused := range t.all[t.used:] {
		unused.Hide()
	}
}

func (t *texts) objects() []fyne.CanvasObject {
	objects := make([]fyne.CanvasObject, 0, len(t.all))
	for _, object := range t.all {
		objects = append(objects, object)
	}
	return objects
}
