package main

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"linkpace/platform"
)

// Variables that switch the tests of the real window on.
const (
	windowVariable      = "LINKPACE_WINDOW"      // 1: run them on the display that DISPLAY names
	binVariable         = "LINKPACE_BIN"         // the folder with linkpace and lpace
	screenshotsVariable = "LINKPACE_SCREENSHOTS" // a folder that gets the pictures taken
)

// patience is how long the window may take for anything but the test itself.
const patience = 30 * time.Second

// realWindow is a linkpace that runs on a display, with a home of its own.
type realWindow struct {
	t    *testing.T
	id   string
	home string
	cmd  *exec.Cmd
	done chan struct{} // closed when it ended
	log  bytes.Buffer
}

func programPath(t *testing.T, name string) string {
	t.Helper()
	folder := os.Getenv(binVariable)
	if folder == "" {
		folder = filepath.Join("..", "..", "bin")
	}
	path, err := filepath.Abs(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%v: build it first, or name its folder in %s", err, binVariable)
	}
	return path
}

// starter prepares a program, on this computer or on another one.
type starter func(program string, args ...string) *exec.Cmd

func here(program string, args ...string) *exec.Cmd { return exec.Command(program, args...) }

// openWindow starts the program and waits for its window.
func openWindow(t *testing.T, name string, start starter) *realWindow {
	t.Helper()
	if os.Getenv(windowVariable) != "1" || os.Getenv("DISPLAY") == "" {
		t.Skip("set " + windowVariable + "=1 and DISPLAY to drive the real window")
	}
	w := &realWindow{t: t, home: t.TempDir(), done: make(chan struct{})}
	if err := os.Mkdir(filepath.Join(w.home, ".cache"), 0o700); err != nil {
		t.Fatal(err)
	}
	w.cmd = start(programPath(t, "linkpace"), "--name", name)
	w.cmd.Env = append(os.Environ(), platform.HomeVariable+"="+w.home, "HOME="+w.home, "FYNE_THEME=light", "FYNE_SCALE=1")
	w.cmd.Stdout, w.cmd.Stderr = &w.log, &w.log
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(w.done)
		_ = w.cmd.Wait() // the exit code is asked for in quit
	}()
	t.Cleanup(w.kill)
	w.await("the window opens", patience, func() bool {
		ids := strings.Fields(w.tool("search", "--onlyvisible", "--pid", strconv.Itoa(w.cmd.Process.Pid), "--name", "Linkpace"))
		if len(ids) > 0 {
			w.id = ids[len(ids)-1]
		}
		return w.id != ""
	})
	return w
}

// kill ends a window that a failed test left behind.
func (w *realWindow) kill() {
	select {
	case <-w.done:
	default:
		_ = w.cmd.Process.Kill()
		<-w.done
	}
	if w.t.Failed() {
		w.t.Logf("the program printed:\n%s", w.log.String())
	}
}

// tool runs xdotool and gives what it printed; nothing where it failed, such as
// when a search finds nothing.
func (w *realWindow) tool(args ...string) string {
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	out, err := exec.CommandContext(ctx, "xdotool", args...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

func (w *realWindow) title() string { return w.tool("getwindowname", w.id) }

// await looks again and again until what is expected has come.
func (w *realWindow) await(what string, limit time.Duration, come func() bool) {
	w.t.Helper()
	end := time.After(limit)
	for !come() {
		select {
		case <-end:
			w.t.Fatalf("waited %v in vain until %s; the title is %q", limit, what, w.title())
		case <-w.done:
			w.t.Fatalf("the program ended before %s", what)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// clickUntil presses a place in the window, again where a press got lost, until
// it has had its effect.
func (w *realWindow) clickUntil(x, y int, what string, come func() bool) {
	w.t.Helper()
	presses := 0
	w.await(what, patience, func() bool {
		if come() {
			return true
		}
		// The pointer moves first and presses in the next round, because the
		// toolkit looks only once a frame where it is.
		if presses++; presses%8 == 1 {
			w.tool("mousemove", "--window", w.id, strconv.Itoa(x), strconv.Itoa(y))
		}
		if presses%8 == 3 {
			w.tool("click", "1")
		}
		return false
	})
}

// picture takes a picture of the window, keeps it where the person wants them
// kept, and fails when it is blank.
func (w *realWindow) picture(name string) image.Image {
	w.t.Helper()
	path := filepath.Join(w.t.TempDir(), name+".png")
	if folder := os.Getenv(screenshotsVariable); folder != "" {
		path = filepath.Join(folder, name+".png")
	}
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	if out, err := exec.CommandContext(ctx, "import", "-window", w.id, path).CombinedOutput(); err != nil {
		w.t.Fatalf("taking a picture: %v\n%s", err, out)
	}
	f, err := os.Open(path)
	if err != nil {
		w.t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		w.t.Fatal(err)
	}
	if n := colours(img); n < 50 {
		w.t.Errorf("the picture %s has %d colours: the window is blank", name, n)
	}
	return img
}

func colours(img image.Image) int {
	seen := map[[3]uint32]bool{}
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			r, g, blue, _ := img.At(x, y).RGBA()
			seen[[3]uint32{r, g, blue}] = true
		}
	}
	return len(seen)
}

// different counts the pixels in which two pictures differ.
func different(a, b image.Image) (count int) {
	box := a.Bounds().Intersect(b.Bounds())
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if a.At(x, y) != b.At(x, y) {
				count++
			}
		}
	}
	return count
}

// quit closes the window as a person does and wants a clean end.
func (w *realWindow) quit() {
	w.t.Helper()
	ended := false
	for end := time.Now().Add(patience); !ended && time.Now().Before(end); {
		w.tool("windowactivate", w.id)
		w.tool("key", "alt+F4") // again where the window manager was busy
		select {
		case <-w.done:
			ended = true
		case <-time.After(3 * time.Second):
		}
	}
	if !ended {
		w.t.Fatal("the window does not close")
	}
	if code := w.cmd.ProcessState.ExitCode(); code != 0 {
		w.t.Errorf("the program ended with %d", code)
	}
}
