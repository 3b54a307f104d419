package chart

import (
	"image/color"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"linkpace/engine/model"
	"linkpace/engine/plot"
	"linkpace/engine/units"
)

// sending is a second of a test that sends at a steady speed.
func sending() plot.Chart {
	l := new(plot.Log)
	l.SetEnds(model.Endpoint{Name: "desk"}, model.Endpoint{Name: "nas"}, false)
	l.SetPhases([]model.Phase{{Direction: model.Send, Duration: time.Second}})
	for i := 1; i <= 10; i++ {
		at := time.Duration(i) * 100 * time.Millisecond
		l.Add(
			model.Sample{At: at, Side: model.Remote, Dir: model.Send, Flow: model.SumFlow, Bytes: units.Bytes(i) * 10e6},
			model.Sample{At: at, Side: model.Local, Flow: model.SumFlow, Ping: time.Millisecond},
		)
	}
	return l.Chart()
}

// shown opens a window with a chart in it.
func shown(t *testing.T, data plot.Chart) *Chart {
	t.Helper()
	test.NewTempApp(t)
	test.ApplyTheme(t, theme.DefaultTheme())
	c := New(300)
	w := test.NewTempWindow(t, c)
	w.Resize(fyne.NewSize(700, 400))
	c.Set(data)
	return c
}

// words gives the texts that can be seen.
func words(c *Chart) map[string]bool {
	seen := map[string]bool{}
	for _, o := range test.WidgetRenderer(c).Objects() {
		if text, ok := o.(*canvas.Text); ok && text.Visible() {
			seen[text.Text] = true
		}
	}
	return seen
}

func TestChartSaysWhatItShows(t *testing.T) {
	c := shown(t, sending())
	seen := words(c)
	for _, text := range []string{"Speed", "Delay", "Sending", "to nas", "round trip", "0 s"} {
		if !seen[text] {
			t.Errorf("%q is missing in %v", text, seen)
		}
	}
	if seen["from nas"] {
		t.Error("a line without data has a label")
	}
}

func TestWordsOfOldDataGo(t *testing.T) {
	c := shown(t, sending())
	c.Set(new(plot.Log).Chart())
	if seen := words(c); seen["to nas"] || seen["Sending"] {
		t.Errorf("words of the earlier data are left: %v", seen)
	}
}

func TestTextsAreReused(t *testing.T) {
	c := shown(t, sending())
	before := len(test.WidgetRenderer(c).Objects())
	for range 20 {
		c.Set(sending())
	}
	if after := len(test.WidgetRenderer(c).Objects()); after != before {
		t.Errorf("%d objects became %d", before, after)
	}
}

func TestTextsStayInside(t *testing.T) {
	c := shown(t, sending())
	for _, size := range []fyne.Size{{Width: 400, Height: 300}, {Width: 1600, Height: 900}} {
		c.Resize(size)
		for _, o := range test.WidgetRenderer(c).Objects() {
			if !o.Visible() {
				continue
			}
			if p := o.Position(); p.X < 0 || p.Y < 0 || p.X+o.Size().Width > size.Width || p.Y+o.Size().Height > size.Height+1 {
				t.Errorf("at %v an object of %v lies at %v", size, o.Size(), p)
			}
		}
	}
}

func TestTinyChartDoesNotPanic(t *testing.T) {
	c := shown(t, sending())
	c.Resize(fyne.NewSize(10, 10))
	c.Refresh()
}

// variant is the usual theme, light or dark whatever the system prefers.
type variant struct {
	fyne.Theme
	dark fyne.ThemeVariant
}

func (v variant) Color(name fyne.ThemeColorName, _ fyne.ThemeVariant) color.Color {
	return v.Theme.Color(name, v.dark)
}

func TestPaletteFollowsTheTheme(t *testing.T) {
	test.NewTempApp(t)
	test.ApplyTheme(t, variant{theme.DefaultTheme(), theme.VariantDark})
	if Palette() != plot.Dark() {
		t.Error("a dark theme does not get the dark palette")
	}
	test.ApplyTheme(t, variant{theme.DefaultTheme(), theme.VariantLight})
	if Palette() != plot.Light() {
		t.Error("a light theme does not get the light palette")
	}
}
