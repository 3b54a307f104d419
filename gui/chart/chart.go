// Package chart shows the course of a test: three panes over one time axis. The
// plot areas are pixels from engine/plot, one raster each; texts are canvas
// objects, so that they are as sharp as all other text of the window.
package chart

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"linkpace/engine/plot"
)

// Chart is the widget. All methods belong to the goroutine that draws.
type Chart struct {
	widget.BaseWidget
	data   plot.Chart
	height float32
}

// New gives an empty chart that is at least height tall.
func New(height float32) *Chart {
	c := &Chart{data: new(plot.Log).Chart(), height: height}
	c.ExtendBaseWidget(c)
	return c
}

// Set shows data.
func (c *Chart) Set(data plot.Chart) {
	c.data = data
	c.Refresh()
}

// CreateRenderer is part of fyne.Widget.
func (c *Chart) CreateRenderer() fyne.WidgetRenderer {
	r := &renderer{chart: c}
	for i := range r.panes {
		r.panes[i] = r.newPane(i)
	}
	r.Refresh()
	return r
}

// Palette gives the colours that suit the background of the current theme.
func Palette() plot.Palette {
	red, green, blue, _ := theme.Color(theme.ColorNameBackground).RGBA()
	if red+green+blue < 3*0x8000 {
		return plot.Dark()
	}
	return plot.Light()
}

// renderer lays three panes out and keeps their objects.
type renderer struct {
	chart   *Chart
	colours plot.Palette
	size    fyne.Size
	panes   [3]*pane
	times   texts
	bands   texts
}

func (r *renderer) newPane(i int) *pane {
	p := new(pane)
	p.raster = canvas.NewRaster(func(w, h int) image.Image {
		density := float64(w) / float64(max(p.raster.Size().Width, 1))
		data := r.chart.data.Panes()[i]
		return p.painter.Paint(&r.chart.data, data, image.Pt(w, h), density, &r.colours)
	})
	return p
}

func (r *renderer) Destroy() {}

func (r *renderer) MinSize() fyne.Size { return fyne.NewSize(380, r.chart.height) }

func (r *renderer) Layout(size fyne.Size) {
	r.size = size
	r.place()
}

func (r *renderer) Refresh() {
	r.colours = Palette()
	r.place()
	for _, p := range r.panes {
		p.raster.Refresh()
	}
}

// Distances in the units of the screen.
const (
	textSize = 12
	lineStep = 16 // from one line of text to the next
	axisRoom = 70 // left of the plot areas
	endRoom  = 124
	headRoom = 20 // above each pane, for its title
	footRoom = 18
	swatch   = 16
)

// place puts every object where the data wants it.
func (r *renderer) place() {
	if r.size.Width <= axisRoom+endRoom || r.size.Height <= footRoom+3*headRoom {
		return
	}
	width := r.size.Width - axisRoom - endRoom
	heights := plot.PaneHeights(r.size.Height-headRoom-footRoom, headRoom)
	y := float32(headRoom)
	for i, data := range r.chart.data.Panes() {
		box := rect{fyne.NewPos(axisRoom, y), fyne.NewSize(width, heights[i])}
		r.panes[i].place(data, box, &r.colours)
		y += heights[i] + headRoom
	}
	r.placeTimes(width, r.size.Height-footRoom+1)
	r.placeBands(width)
}

func (r *renderer) placeTimes(width, y float32) {
	r.times.begin()
	for _, t := range r.chart.data.Times {
		r.times.put(t.Text, r.colours.Faint, fyne.TextAlignCenter, axisRoom+width*float32(t.Part), y)
	}
	r.times.end()
}

// placeBands names the phases above the tall pane where there is room for the word,
// beside the title too.
func (r *renderer) placeBands(width float32) {
	r.bands.begin()
	data := &r.chart.data
	title := textWidth(data.Speed.Title) + 6
	for _, b := range data.Bands {
		from, to := float32(b.From)/float32(data.Span)*width, float32(b.To)/float32(data.Span)*width
		word := textWidth(b.Text)
		if word+8 <= to-from && (from+to-word)/2 > title {
			r.bands.put(b.Text, r.colours.Faint, fyne.TextAlignCenter, axisRoom+(from+to)/2, 2)
		}
	}
	r.bands.end()
}

func (r *renderer) Objects() []fyne.CanvasObject {
	var all []fyne.CanvasObject
	for _, p := range r.panes {
		all = append(all, p.objects()...)
	}
	all = append(all, r.times.objects()...)
	return append(all, r.bands.objects()...)
}

func textWidth(text string) float32 {
	return fyne.MeasureText(text, textSize, fyne.TextStyle{}).Width
}

// rect is a place on the chart.
type rect struct {
	pos  fyne.Position
	size fyne.Size
}

func (b rect) right() float32  { return b.pos.X + b.size.Width }
func (b rect) bottom() float32 { return b.pos.Y + b.size.Height }
