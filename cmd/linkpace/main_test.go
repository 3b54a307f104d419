package main

import (
	"errors"
	"strings"
	"testing"

	"linkpace/cmd/internal/build"
)

// started runs the program without opening a window.
func started(t *testing.T, args ...string) (code int, out, problems string) {
	t.Helper()
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	var o, p strings.Builder
	code = run(args, &o, &p)
	return code, o.String(), p.String()
}

func TestVersion(t *testing.T) {
	if code, out, _ := started(t, "--version"); code != exitDone || !strings.HasPrefix(out, "linkpace "+build.Version) {
		t.Errorf("ends with %d and says %q", code, out)
	}
}

func TestMistakesAreNamed(t *testing.T) {
	for args, want := range map[string]string{
		"--bogus":      "-bogus",
		"nas":          `"nas"`,
		"--port=70000": "70000",
		"--port=-1":    "-1",
	} {
		code, _, problems := started(t, args)
		if code != exitUsage || !strings.Contains(problems, want) {
			t.Errorf("%s ends with %d and says %q", args, code, problems)
		}
	}
}

func TestHelpIsNoFailure(t *testing.T) {
	if code, _, problems := started(t, "--help"); code != exitDone || !strings.Contains(problems, "lpace") {
		t.Errorf("ends with %d and says %q", code, problems)
	}
}

func TestMissingDisplayIsASentence(t *testing.T) {
	if err := display("linux", func(string) string { return "" }); !errors.Is(err, errNoDisplay) {
		t.Errorf("got %v", err)
	}
	for _, name := range []string{"DISPLAY", "WAYLAND_DISPLAY"} {
		set := func(asked string) string { return map[string]string{name: ":0"}[asked] }
		if err := display("linux", set); err != nil {
			t.Errorf("with %s set: %v", name, err)
		}
	}
	if err := display("windows", func(string) string { return "" }); err != nil {
		t.Errorf("on Windows: %v", err)
	}
}

func TestCrashIsASentence(t *testing.T) {
	if err := crash("NotInitialized: The GLFW library is not initialized"); !errors.Is(err, errNoDisplay) {
		t.Errorf("got %v", err)
	}
	if err := crash("boom"); !strings.HasPrefix(err.Error(), "the window ended unexpectedly: boom\n") {
		t.Errorf("got %v", err)
	}
}
