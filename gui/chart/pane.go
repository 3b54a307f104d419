package chart

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"linkpace/engine/plot"
)

// pane is one plot area with the texts around it.
type pane struct {
	painter  plot.Painter
	raster   *canvas.Raster
	title    texts
	ticks    texts
	marks    texts
	labels   texts
	swatches [2]swatchLine
}

func (p *pane) place(data *plot.Pane, box rect, colours *plot.Palette) {
	p.raster.Move(box.pos)
	p.raster.Resize(box.size)
	p.title.begin()
	p.title.put(data.Title, colours.Text, fyne.TextAlignLeading, box.pos.X, box.pos.Y-headRoom+2)
	p.title.end()
	p.placeTicks(data, box, colours.Faint)
	p.placeMarks(data, box, colours.Faint)
	p.placeLabels(data, box, colours)
}

func (p *pane) placeTicks(data *plot.Pane, box rect, c color.Color) {
	p.ticks.begin()
	for _, t := range data.Ticks {
		y := box.bottom() - box.size.Height*float32(t.Part) - lineStep/2
		p.ticks.put(t.Text, c, fyne.TextAlignTrailing, box.pos.X-8, y)
	}
	p.ticks.end()
}

func (p *pane) placeMarks(data *plot.Pane, box rect, c color.Color) {
	p.marks.begin()
	for _, m := range data.Marks {
		y := box.bottom() - box.size.Height*float32(m.Value/data.Top) - lineStep - 1
		p.marks.put(m.Text, c, fyne.TextAlignLeading, box.pos.X+6, y)
	}
	p.marks.end()
}

func (p *pane) placeLabels(data *plot.Pane, box rect, colours *plot.Palette) {
	labels := data.Labels(box.size.Height, lineStep)
	p.labels.begin()
	for i := range p.swatches {
		p.swatches[i].hide()
	}
	for i, l := range labels {
		y := box.pos.Y + l.Y
		if i < len(p.swatches) {
			p.swatches[i].show(fyne.NewPos(box.right()+8, y), l.Dashed, colours.Of(l.Ink))
		}
		p.labels.put(l.Text, colours.Text, fyne.TextAlignLeading, box.right()+swatch+14, y-lineStep/2)
	}
	p.labels.end()
}

func (p *pane) objects() []fyne.CanvasObject {
	all := []fyne.CanvasObject{p.raster}
	for _, t := range []*texts{&p.title, &p.ticks, &p.marks, &p.labels} {
		all = append(all, t.objects()...)
	}
	for i := range p.swatches {
		all = append(all, p.swatches[i].objects()...)
	}
	return all
}

// swatchLine is the short piece of line beside a label, whole or in two dashes.
type swatchLine struct{ parts [2]*canvas.Rectangle }

func (s *swatchLine) show(at fyne.Position, dashed bool, c color.Color) {
	gap := float32(0)
	if dashed {
		gap = 4
	}
	length := (swatch - gap) / 2
	for i, part := range s.objects() {
		r := part.(*canvas.Rectangle) //nolint:forcetypeassert // objects makes them
		r.FillColor = c
		r.Move(fyne.NewPos(at.X+float32(i)*(length+gap), at.Y-1))
		r.Resize(fyne.NewSize(length, 2))
		r.Show()
		r.Refresh()
	}
}

func (s *swatchLine) hide() {
	for _, part := range s.objects() {
		part.Hide()
	}
}

func (s *swatchLine) objects() []fyne.CanvasObject {
	for i := range s.parts {
		if s.parts[i] == nil {
			s.parts[i] = canvas.NewRectangle(color.Transparent)
		}
	}
	return []fyne.CanvasObject{s.parts[0], s.parts[1]}
}
