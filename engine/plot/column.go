package plot

import (
	"math"
	"time"
)

// column is the vertical extent of a line within one column of pixels, in
// pixels from the upper edge. It is empty where low < high: y grows downwards,
// so high is the smaller number.
type column struct{ high, low float32 }

func (c column) empty() bool { return c.low < c.high }

func (c *column) cover(y float32) {
	c.high = min(c.high, y)
	c.low = max(c.low, y)
}

// columns reduces a series to what each column of pixels shows of it. Every
// point lies within the extent of its column, so that no peak is lost however
// many points share one.
func columns(out []column, points []Point, span time.Duration, top float64, height int) {
	for i := range out {
		out[i] = column{high: math.MaxFloat32, low: -math.MaxFloat32}
	}
	if len(out) == 0 || span <= 0 {
		return
	}
	f := frame{out: out, xs: float64(len(out)) / float64(span), ys: float64(height) / top, height: float64(height)}
	for i, p := range points {
		if math.IsNaN(p.Value) {
			continue
		}
		f.point(p)
		if i > 0 && !math.IsNaN(points[i-1].Value) {
			f.segment(points[i-1], p)
		}
	}
}

// frame turns times and values into pixels.
type frame struct {
	out    []column
	xs, ys float64
	height float64
}

func (f *frame) x(p Point) float64 { return float64(p.At) * f.xs }

func (f *frame) y(p Point) float64 { return min(max(f.height-p.Value*f.ys, 0), f.height) }

func (f *frame) point(p Point) {
	x := min(max(int(f.x(p)), 0), len(f.out)-1)
	f.out[x].cover(float32(f.y(p)))
}

// segment covers the edges between the columns that a stretch of line crosses.
func (f *frame) segment(a, b Point) {
	xa, xb := f.x(a), f.x(b)
	if xb <= xa {
		return
	}
	ya, slope := f.y(a), (f.y(b)-f.y(a))/(xb-xa)
	first, last := max(int(xa)+1, 1), min(int(xb), len(f.out)-1)
	for edge := first; edge <= last; edge++ {
		y := float32(ya + slope*(float64(edge)-xa))
		f.out[edge-1].cover(y)
		f.out[edge].cover(y)
	}
}
