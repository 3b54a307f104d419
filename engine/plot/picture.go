package plot

import (
	"cmp"
	"image"
	"image/color"
	"image/draw"

	"linkpace/engine/model"
)

// The smallest picture that still has room for its texts.
const (
	MinPictureWidth  = 480
	MinPictureHeight = 320
)

// Picture draws the whole chart of a finished test with its texts. A size
// outside MinPictureWidth x MinPictureHeight and MaxSide is brought within.
func Picture(r *model.Result, size image.Point, colours Palette) image.Image {
	w := min(max(size.X, MinPictureWidth), MaxSide)
	h := min(max(size.Y, MinPictureHeight), MaxSide)
	chart := FromResult(r).Chart()
	s := sheet{
		img: image.NewRGBA(image.Rect(0, 0, w, h)), colours: &colours,
		text: newLettering(12), title: newLettering(18),
	}
	draw.Draw(s.img, s.img.Rect, image.NewUniform(colours.Background), image.Point{}, draw.Src)
	s.title.left(s.img, margin, 30, colours.Text, title(r))
	s.text.left(s.img, margin, 52, colours.Faint, subtitle(r))
	s.chart(&chart)
	return s.img
}

// Distances of a picture in pixels.
const (
	margin  = 20
	header  = 70
	axis    = 84  // room for the texts of the vertical axis
	gutter  = 124 // room for the texts at the ends of lines
	footer  = 34
	paneGap = 30
	lineGap = 16
)

func title(r *model.Result) string {
	if r.SameMachine && r.Local.Name == r.Remote.Name {
		return r.Local.Name + " with itself"
	}
	return r.Local.Name + " and " + r.Remote.Name
}

// subtitle is the day, and the speed of each direction alone or of both at once
// where nothing else was measured.
func subtitle(r *model.Result) string {
	alone, both := "", ""
	for _, s := range r.Summaries() {
		figure := "    " + PhaseWord(s.Dir) + " " + s.Rate.Both()
		if s.Direction == model.Both {
			both += figure
		} else {
			alone += figure
		}
	}
	return r.Started.Format("2 January 2006, 15:04") + cmp.Or(alone, both)
}

// sheet is a picture while it is being drawn.
type sheet struct {
	img         *image.RGBA
	colours     *Palette
	text, title *lettering
}

func (s *sheet) chart(c *Chart) {
	left, right := margin+axis, s.img.Rect.Dx()-margin-gutter
	y := float32(header + lineGap)
	heights := PaneHeights(float32(s.img.Rect.Dy()-footer)-y, paneGap)
	for i, pane := range c.Panes() {
		box := image.Rect(left, int(y), right, int(y+heights[i]))
		s.pane(c, pane, box)
		y += heights[i] + paneGap
	}
	foot := s.img.Rect.Dy() - footer + lineGap
	for _, t := range c.Times {
		s.text.centre(s.img, left+int(t.Part*float64(right-left)), foot, s.colours.Faint, t.Text)
	}
	s.bands(c, left, right)
}

// bands names the phases above the speed pane.
func (s *sheet) bands(c *Chart, left, right int) {
	title := left + s.text.width(c.Speed.Title) + 6
	for _, b := range c.Bands {
		from := left + int(float64(b.From)/float64(c.Span)*float64(right-left))
		to := left + int(float64(b.To)/float64(c.Span)*float64(right-left))
		word := s.text.width(b.Text)
		if word+8 <= to-from && (from+to-word)/2 > title {
			s.text.centre(s.img, (from+to)/2, header+lineGap-7, s.colours.Faint, b.Text)
		}
	}
}

func (s *sheet) pane(c *Chart, pane *Pane, box image.Rectangle) {
	plotted := new(Painter).Paint(c, pane, box.Size(), 1, s.colours)
	draw.Draw(s.img, box, plotted, image.Point{}, draw.Src)
	s.text.left(s.img, box.Min.X, box.Min.Y-7, s.colours.Text, pane.Title)
	for _, t := range pane.Ticks {
		y := box.Max.Y - int(t.Part*float64(box.Dy()))
		s.text.right(s.img, box.Min.X-8, y+4, s.colours.Faint, t.Text)
	}
	for _, m := range pane.Marks {
		y := box.Max.Y - int(m.Value/pane.Top*float64(box.Dy()))
		s.text.left(s.img, box.Min.X+6, y-5, s.colours.Faint, m.Text)
	}
	for _, l := range pane.Labels(float32(box.Dy()), lineGap) {
		y := box.Min.Y + int(l.Y)
		s.swatch(box.Max.X+8, y, l.Dashed, s.colours.Of(l.Ink))
		s.text.left(s.img, box.Max.X+30, y+4, s.colours.Text, l.Text)
	}
}

// swatch is a short piece of the line that a label belongs to.
func (s *sheet) swatch(x, y int, dashed bool, c color.RGBA) {
	paint := image.NewUniform(c)
	draw.Draw(s.img, image.Rect(x, y-1, x+16, y+1), paint, image.Point{}, draw.Src)
	if dashed {
		gap := image.NewUniform(s.colours.Background)
		draw.Draw(s.img, image.Rect(x+6, y-1, x+10, y+1), gap, image.Point{}, draw.Src)
	}
}
