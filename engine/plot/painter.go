package plot

import (
	"image"
	"image/color"
	"time"
)

// Painter draws plot areas into an image of its own, which it uses again and
// again. It serves one goroutine.
type Painter struct {
	img  *image.RGBA
	cols []column
	row  []byte
}

// MaxSide is the longest side of an image in pixels; larger sizes are cut.
const MaxSide = 8192

// Paint draws one pane of c in size pixels with density pixels per unit of the
// screen. The image is valid until the next call.
func (p *Painter) Paint(c *Chart, pane *Pane, size image.Point, density float64, colours *Palette) *image.RGBA {
	p.resize(size)
	a := area{img: p.img, density: min(max(density, 0.5), 8), colours: colours, span: c.Span}
	p.background(&a, c.Bands)
	a.grid(pane, c.Times)
	for i := range pane.Lines {
		line := &pane.Lines[i]
		columns(p.cols, line.Points, c.Span, pane.Top, p.img.Rect.Dy())
		if line.Filled {
			a.fill(p.cols, colours.Of(line.Ink))
		}
		a.stroke(p.cols, line, colours.Of(line.Ink))
	}
	a.marks(pane)
	return p.img
}

func (p *Painter) resize(size image.Point) {
	w, h := min(max(size.X, 1), MaxSide), min(max(size.Y, 1), MaxSide)
	if p.img != nil && p.img.Rect.Dx() == w && p.img.Rect.Dy() == h {
		return
	}
	p.img = image.NewRGBA(image.Rect(0, 0, w, h))
	p.cols = make([]column, w)
	p.row = make([]byte, 4*w)
}

// background draws one row with the bands and copies it to all others, then
// hatches the warm-ups.
func (p *Painter) background(a *area, bands []Band) {
	paintRow(p.row, 0, len(p.cols), a.colours.Background)
	for _, b := range bands {
		if b.Shaded {
			paintRow(p.row, a.x(b.From), a.x(b.To), a.colours.Shade)
		}
	}
	for y := range p.img.Rect.Dy() {
		copy(p.img.Pix[y*p.img.Stride:], p.row)
	}
	for _, b := range bands {
		if b.Warm > b.From {
			a.hatch(a.x(b.From), a.x(b.Warm))
		}
	}
}

func paintRow(row []byte, from, to int, c color.RGBA) {
	for x := from; x < to; x++ {
		row[4*x], row[4*x+1], row[4*x+2], row[4*x+3] = c.R, c.G, c.B, c.A
	}
}

// area is the image while one pane is being drawn.
type area struct {
	img     *image.RGBA
	density float64
	colours *Palette
	span    time.Duration
}

// x gives the column of a time, within the image.
func (a *area) x(at time.Duration) int {
	if a.span <= 0 {
		return 0
	}
	w := a.img.Rect.Dx()
	return min(max(int(float64(at)/float64(a.span)*float64(w)), 0), w)
}

// pixels gives a length of the screen in whole pixels, at least one.
func (a *area) pixels(length float64) int { return max(int(length*a.density+0.5), 1) }

func (a *area) hatch(from, to int) {
	period, width := a.pixels(7), a.pixels(1)
	c := a.colours.Hatch
	for y := range a.img.Rect.Dy() {
		row := a.img.Pix[y*a.img.Stride:]
		// The first x at or after from with (x+y) a multiple of the period.
		start := from + (period-(from+y)%period)%period
		for x := start; x < to; x += period {
			paintRow(row, x, min(x+width, to), c)
		}
	}
}

func (a *area) grid(pane *Pane, times []Tick) {
	w, h := a.img.Rect.Dx(), a.img.Rect.Dy()
	thin := a.pixels(1)
	for _, t := range pane.Ticks {
		y := min(int(float64(h)*(1-t.Part)), h-thin)
		a.box(0, y, w, y+thin, a.colours.Grid)
	}
	for _, t := range times {
		x := min(int(float64(w)*t.Part), w-thin)
		a.box(x, 0, x+thin, h, a.colours.Grid)
	}
}

// marks draws dashed reference lines.
func (a *area) marks(pane *Pane) {
	w, h := a.img.Rect.Dx(), a.img.Rect.Dy()
	dash, thin := a.pixels(6), a.pixels(1)
	for _, m := range pane.Marks {
		y := min(max(int(float64(h)*(1-m.Value/pane.Top)), 0), h-thin)
		for x := 0; x < w; x += 2 * dash {
			a.box(x, y, min(x+dash, w), y+thin, a.colours.Mark)
		}
	}
}

func (a *area) box(x0, y0, x1, y1 int, c color.RGBA) {
	y0, y1 = max(y0, 0), min(y1, a.img.Rect.Dy())
	x0, x1 = max(x0, 0), min(x1, a.img.Rect.Dx())
	for y := y0; y < y1; y++ {
		paintRow(a.img.Pix[y*a.img.Stride:], x0, x1, c)
	}
}
