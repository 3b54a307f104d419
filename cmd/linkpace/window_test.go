package main

import (
	"bufio"
	"os"
	"strings"
	"testing"
	"time"

	"linkpace/platform"
	"linkpace/platform/settings"
)

// place is where something stands in the window at its first size.
type place struct{ x, y int }

// Places that the tests press.
func consentYes() place { return place{474, 434} }
func testSelf() place   { return place{923, 64} }
func firstTest() place  { return place{962, 214} }
func historyItem() place {
	return place{74, 115}
}

// runLimit is how long the usual test may take on a busy computer.
const runLimit = time.Minute

// agree answers the question of the first start.
func (w *realWindow) agree() {
	w.t.Helper()
	at := consentYes()
	w.clickUntil(at.x, at.y, "the consent is kept", func() bool {
		kept, err := settings.Load(w.home + "/config")
		return err == nil && kept.Consent == settings.ConsentLocal
	})
}

// awaitResult waits for the result of a test with a computer. The title carries
// its figures then, and says "Testing" before.
func (w *realWindow) awaitResult(name string) {
	w.t.Helper()
	w.await("the result is shown", runLimit, func() bool {
		title := w.title()
		return !strings.HasPrefix(title, "Testing") && strings.Contains(title, "to "+name)
	})
}

func TestWindowTestsThisComputer(t *testing.T) {
	w := openWindow(t, "desk", here)
	w.agree()
	home := w.picture("home")
	at := testSelf()
	w.clickUntil(at.x, at.y, "the test begins", func() bool { return w.title() != "Linkpace" })
	w.await("a speed is shown", runLimit, func() bool { return strings.Contains(w.title(), "from desk") })
	running := w.picture("running")
	if n := different(home, running); n < 10000 {
		t.Errorf("only %d pixels change from home to a running test", n)
	}
	w.await("the chart moves", patience, func() bool { return different(running, w.picture("running")) > 500 })
	w.awaitResult("desk")
	result := w.picture("result")
	if n := different(running, result); n < 10000 {
		t.Errorf("only %d pixels change from a running test to its result", n)
	}
	at = historyItem()
	w.clickUntil(at.x, at.y, "the history is open", func() bool { return strings.HasPrefix(w.title(), "History") })
	w.await("the history lists the test", patience, func() bool { return different(home, w.picture("history")) > 5000 })
	w.quit()
}

func TestWindowFindsAndTestsAnother(t *testing.T) {
	w := openWindow(t, "desk", here)
	w.agree()
	before := w.picture("alone")
	const name = "Attic" // stands first: the list is sorted by name, and others may be on this network
	serve(t, name, here)
	w.await("the other computer is shown", patience, func() bool { return different(before, w.picture("found")) > 3000 })
	at := firstTest()
	w.clickUntil(at.x, at.y, "the test begins", func() bool { return strings.Contains(w.title(), name) })
	w.await("a speed is shown", runLimit, func() bool { return strings.Contains(w.title(), "from "+name) })
	w.awaitResult(name)
	w.picture("result-attic")
	w.quit()
}

// serve starts an agent with a home of its own, and returns when it can be found.
func serve(t *testing.T, name string, start starter) {
	t.Helper()
	cmd := start(programPath(t, "lpace"), "serve", "--name", name)
	cmd.Env = append(os.Environ(), platform.HomeVariable+"="+t.TempDir())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(line, name) {
		t.Fatalf("the agent said %q (%v)", line, err)
	}
}
