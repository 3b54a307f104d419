package gui

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"linkpace/engine/model"
)

// Run with -update to draw the goldens anew, and look at them.
var update = flag.Bool("update", false, "write the golden pictures")

// Set LINKPACE_LOOK to a folder to get a picture of every screen in it.
const lookFolder = "LINKPACE_LOOK"

// fixed is our theme in one variant, whatever the system prefers.
type fixed struct {
	fyne.Theme
	variant fyne.ThemeVariant
}

func (f fixed) Color(name fyne.ThemeColorName, _ fyne.ThemeVariant) color.Color {
	return f.Theme.Color(name, f.variant)
}

// screens puts a window into each of its states.
func screens() map[string]func(*testing.T, *stage) {
	return map[string]func(*testing.T, *stage){
		"searching": func(*testing.T, *stage) {},
		"nobody":    func(_ *testing.T, s *stage) { s.ui.home.setSearching(false) },
		"home": func(_ *testing.T, s *stage) {
			s.ui.home.setPeers([]model.Peer{nas(), tv()})
			s.ui.home.address.entry.SetText("not an address!")
		},
		"connecting": func(_ *testing.T, s *stage) {
			s.ui.live.begin(nas(), model.DefaultSpec())
			s.ui.open(screenLive)
		},
		"live": func(_ *testing.T, s *stage) {
			run, r := newFakeRun(model.Initiator), gigabit()
			s.ui.live.begin(nas(), model.DefaultSpec())
			s.ui.open(screenLive)
			run.play(r, 0.6)
			s.ui.live.apply(run, batch{progress: run.Progress(), samples: run.samples})
		},
		"result": func(_ *testing.T, s *stage) {
			s.ui.result.show(gigabit(), nas(), true)
			s.ui.open(screenResult)
		},
		"partial": func(_ *testing.T, s *stage) {
			r := gigabit()
			r.Outcome, r.Problem = model.Partial, &model.Problem{Code: model.CodePeerLost, Text: "nas stopped answering 6 s into the test. Is it still switched on?"}
			r.Samples = r.Samples[:len(r.Samples)/2]
			s.ui.result.show(r, nas(), true)
			s.ui.open(screenResult)
		},
		"problem": func(_ *testing.T, s *stage) {
			s.ui.showProblem(nas(), &model.Problem{Code: model.CodeUnreachable, Text: "nas does not answer at 192.168.1.5. Check that Linkpace is open there and that its firewall lets Linkpace through."}, false)
			s.ui.open(screenProblem)
		},
		"history": func(_ *testing.T, s *stage) {
			s.ui.history.show([]Entry{
				{ID: "1", Started: gigabit().Started, Local: "desk", Remote: "nas", To: 941e6, From: 937e6, Outcome: model.Completed},
				{ID: "2", Started: gigabit().Started, Local: "desk", Remote: "tv-box", To: 94e6, Outcome: model.Partial},
				{ID: "3", Started: gigabit().Started, Local: "desk", SameMachine: true, To: 24e9, From: 23e9, Outcome: model.Completed},
			}, nil)
			s.ui.open(screenHistory)
		},
		"history-empty": func(_ *testing.T, s *stage) { s.ui.open(screenHistory) },
		"consent":       func(_ *testing.T, s *stage) { s.ui.askConsent() },
		"notice": func(_ *testing.T, s *stage) {
			s.ui.showNotice("laptop", noticeActions{})
			s.ui.home.setPeers([]model.Peer{nas()})
		},
	}
}

// TestLook compares screens with goldens, and draws the goldens anew with -update.
func TestLook(t *testing.T) {
	for name, prepare := range screens() {
		t.Run(name, func(t *testing.T) {
			img := draw(t, prepare, theme.VariantLight, fyne.NewSize(windowWidth, windowHeight))
			path := filepath.Join("testdata", name+".png")
			if *update {
				savePNG(t, path, img)
			}
			if err := differ(img, loadPNG(t, path)); err != nil {
				savePNG(t, failedPath(t, name), img)
				t.Errorf("%v; see testdata/failed", err)
			}
		})
	}
}

// failedPath is where a picture that is not as expected is left.
func failedPath(t *testing.T, name string) string {
	t.Helper()
	folder := filepath.Join("testdata", "failed")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(folder, name+".png")
}

// TestLookEverywhere leaves a picture of every screen, light and dark, large and
// small, for a person to look at.
func TestLookEverywhere(t *testing.T) {
	folder := os.Getenv(lookFolder)
	if folder == "" {
		t.Skip("set " + lookFolder + " to a folder to get pictures of all screens")
	}
	for name, prepare := range screens() {
		for variant, number := range map[string]fyne.ThemeVariant{"light": theme.VariantLight, "dark": theme.VariantDark} {
			for size, pixels := range map[string]fyne.Size{"large": fyne.NewSize(windowWidth, windowHeight), "small": fyne.NewSize(720, 480)} {
				savePNG(t, filepath.Join(folder, name+"-"+variant+"-"+size+".png"), draw(t, prepare, number, pixels))
			}
		}
	}
}

// draw draws one screen.
func draw(t *testing.T, prepare func(*testing.T, *stage), variant fyne.ThemeVariant, size fyne.Size) image.Image {
	t.Helper()
	s := newStage(t)
	test.ApplyTheme(t, fixed{newLook(), variant})
	s.ui.home.setSelf(desk())
	s.ui.home.setSearching(true)
	prepare(t, s)
	s.ui.window.Resize(size.AddWidthHeight(1, 1)) // so that what was shown is laid out again
	s.ui.window.Resize(size)
	img := s.ui.window.Canvas().Capture()
	s.ui.window.Close()
	return img
}

func savePNG(t *testing.T, path string, img image.Image) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, img); err != nil {
		t.Fatal(err)
	}
}

func loadPNG(t *testing.T, path string) image.Image {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// differ lets the edges of letters pass, which depend on the last bit of
// floating point: at most half a percent of all pixels may differ to be seen.
func differ(got, want image.Image) error {
	if got.Bounds() != want.Bounds() {
		return fmt.Errorf("size %v, want %v", got.Bounds(), want.Bounds())
	}
	b, off := got.Bounds(), 0
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if !alike(got.At(x, y), want.At(x, y)) {
				off++
			}
		}
	}
	if most := b.Dx() * b.Dy() / 200; off > most {
		return fmt.Errorf("%d pixels differ, at most %d may", off, most)
	}
	return nil
}

func alike(a, b color.Color) bool {
	const most = 0x1800
	r1, g1, b1, _ := a.RGBA()
	r2, g2, b2, _ := b.RGBA()
	for _, d := range []int{int(r1) - int(r2), int(g1) - int(g2), int(b1) - int(b2)} {
		if d > most || d < -most {
			return false
		}
	}
	return true
}
