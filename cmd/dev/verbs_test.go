package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func TestEveryVerbIsExplainedWithAnExample(t *testing.T) {
	for _, v := range verbs() {
		for _, args := range [][]string{{"help", v.name}, {v.name, "--help"}} {
			if v.name == "help" && args[0] == v.name && args[1] == "--help" {
				continue
			}
			var out bytes.Buffer
			if code := start(t.Context(), args, &out, io.Discard); code != 0 || !strings.Contains(out.String(), "go run ./cmd/dev "+v.name+" ") {
				t.Errorf("%v ends with %d and says %q", args, code, out.String())
			}
		}
		if !strings.Contains(overview(), v.name) {
			t.Errorf("the overview does not name %s", v.name)
		}
	}
}

func TestMistakesInTheArguments(t *testing.T) {
	for _, args := range [][]string{
		{}, {"bogus"}, {"help", "bogus"}, {"test", "--bogus"}, {"test", "extra"}, {"test", "--only", "bogus"},
		{"test", "--fuzz", "soon"}, {"run", "--", "bogus"}, {"bench", "extra"}, {"bench", "--only", "bogus"}, {"bench", "--rounds", "0"}, {"package", "extra"}, {"lint", "extra"}, {"generate", "extra"},
	} {
		var out, problems bytes.Buffer
		if code := start(t.Context(), args, &out, &problems); code != exitUsage || problems.Len() == 0 || out.Len() > 0 {
			t.Errorf("%v ends with %d, says %q and complains %q", args, code, out.String(), problems.String())
		}
	}
}

func TestPackageNames(t *testing.T) {
	for want, t2 := range map[string]target{
		"lpace-1.2.3-linux-arm64":          {terminal, "linux", "arm64"},
		"linkpace-1.2.3-windows-amd64.exe": {window, "windows", "amd64"},
	} {
		if got := t2.packageName("1.2.3"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestOfflineIsToldFromFindings(t *testing.T) {
	if !offline([]byte("fetching: dial tcp: lookup host: no such host")) || offline([]byte("Vulnerability #1: GO-2024-1")) {
		t.Error("a look-up without a network and one with findings are taken for one another")
	}
}
