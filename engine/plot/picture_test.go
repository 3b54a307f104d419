package plot

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"linkpace/engine/model"
)

// Run with -update to draw the goldens anew, and look at them.
var update = flag.Bool("update", false, "write the golden pictures")

func TestPicture(t *testing.T) {
	partial := gigabit()
	partial.Samples = partial.Samples[:len(partial.Samples)/3]
	partial.Phases = partial.Phases[:3]
	for name, img := range map[string]image.Image{
		"light":   Picture(gigabit(), image.Pt(900, 560), Light()),
		"dark":    Picture(gigabit(), image.Pt(900, 560), Dark()),
		"small":   Picture(gigabit(), image.Pt(1, 1), Light()),
		"partial": Picture(partial, image.Pt(640, 400), Light()),
		"empty":   Picture(&model.Result{}, image.Pt(640, 400), Dark()),
	} {
		compare(t, name, img)
	}
}

func TestPaintAtHighDensity(t *testing.T) {
	c := FromResult(gigabit()).Chart()
	p := Light()
	compare(t, "density2", new(Painter).Paint(&c, &c.Speed, image.Pt(800, 300), 2, &p))
}

func compare(t *testing.T, name string, got image.Image) {
	t.Helper()
	path := filepath.Join("testdata", name+".png")
	if *update {
		writePNG(t, path, got)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := differ(got, want); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

func writePNG(t *testing.T, path string, img image.Image) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(f, img); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// differ allows for the last bit of floating point on other processors: a few
// pixels, and a shade in others.
func differ(got, want image.Image) error {
	if got.Bounds() != want.Bounds() {
		return fmt.Errorf("size %v, want %v", got.Bounds(), want.Bounds())
	}
	b, off := got.Bounds(), 0
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if distance(got.At(x, y), want.At(x, y)) > 8 {
				off++
			}
		}
	}
	if most := b.Dx() * b.Dy() / 1000; off > most {
		return fmt.Errorf("%d pixels differ, at most %d may", off, most)
	}
	return nil
}

func distance(a, b color.Color) (most int) {
	r1, g1, b1, _ := a.RGBA()
	r2, g2, b2, _ := b.RGBA()
	for _, pair := range [][2]uint32{{r1, r2}, {g1, g2}, {b1, b2}} {
		d := int(pair[0]>>8) - int(pair[1]>>8)
		most = max(most, d, -d)
	}
	return most
}

func TestContrast(t *testing.T) {
	for name, p := range map[string]Palette{"light": Light(), "dark": Dark()} {
		for ink := InkSend; ink <= InkRemote; ink++ {
			if c := contrast(p.Of(ink), p.Background); c < 3 {
				t.Errorf("%s: line %d has a contrast of %.1f, want 3", name, ink, c)
			}
		}
		for _, text := range []color.RGBA{p.Text, p.Faint, p.Good, p.Bad} {
			if c := contrast(text, p.Background); c < 4.5 {
				t.Errorf("%s: text %v has a contrast of %.1f, want 4.5", name, text, c)
			}
		}
	}
}

// contrast is the ratio of the Web Content Accessibility Guidelines.
func contrast(a, b color.RGBA) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

func TestRedrawingDoesNotAllocate(t *testing.T) {
	c := FromResult(gigabit()).Chart()
	painter, colours := new(Painter), Light()
	redraw := func() { painter.Paint(&c, &c.Speed, image.Pt(774, 515), 1, &colours) }
	redraw()
	if n := testing.AllocsPerRun(5, redraw); n != 0 {
		t.Errorf("%v allocations in a frame, want none", n)
	}
}

func BenchmarkPaint(b *testing.B) {
	c := FromResult(gigabit()).Chart()
	painter, colours := new(Painter), Light()
	b.ReportAllocs()
	for b.Loop() {
		painter.Paint(&c, &c.Speed, image.Pt(774, 515), 1, &colours)
	}
}
