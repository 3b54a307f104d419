package plot

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// lettering writes text of one size.
type lettering struct{ face font.Face }

// newLettering prepares the embedded font at size pixels. That the font can be
// read is a property of the program, not of its input.
func newLettering(size float64) *lettering {
	parsed, err := opentype.Parse(goregular.TTF)
	if err != nil {
		panic(fmt.Sprintf("plot: reading the embedded font: %v", err))
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		panic(fmt.Sprintf("plot: preparing the embedded font: %v", err))
	}
	return &lettering{face}
}

func (l *lettering) width(text string) int { return font.MeasureString(l.face, text).Ceil() }

// left writes text with its left end at x and its base line at y.
func (l *lettering) left(dst draw.Image, x, y int, c color.Color, text string) {
	d := font.Drawer{Dst: dst, Src: image.NewUniform(c), Face: l.face, Dot: fixed.P(x, y)}
	d.DrawString(text)
}

func (l *lettering) right(dst draw.Image, x, y int, c color.Color, text string) {
	l.left(dst, x-l.width(text), y, c, text)
}

func (l *lettering) centre(dst draw.Image, x, y int, c color.Color, text string) {
	l.left(dst, x-l.width(text)/2, y, c, text)
}
