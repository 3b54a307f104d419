//go:build linux

package main

import (
	"os/exec"
	"strings"
	"testing"

	"linkpace/cmd/internal/netlab"
)

// TestCabledWindow tests with an agent on another computer, over a link of
// a known rate. Its pictures are those of the README.
func TestCabledWindow(t *testing.T) {
	lab := netlab.New(t)
	lab.Shape("300mbit")
	on := func(i int) starter {
		return func(program string, args ...string) *exec.Cmd {
			return lab.Command(i, append([]string{program}, args...)...)
		}
	}
	serve(t, "NAS", on(1))
	w := openWindow(t, "DESK", on(0))
	w.agree()
	at := firstTest()
	w.clickUntil(at.x, at.y, "the test with the other computer begins", func() bool { return strings.Contains(w.title(), "NAS") })
	w.await("a speed is shown", runLimit, func() bool { return strings.Contains(w.title(), "from NAS") })
	running := w.picture("cable-running")
	w.await("the chart moves", patience, func() bool { return different(running, w.picture("cable-running")) > 500 })
	w.awaitResult("NAS")
	w.picture("cable-result")
	w.quit()
}
