//go:build linux

package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNetnsBench runs the whole verb with lpace and whatever peers are in PATH.
func TestNetnsBench(t *testing.T) {
	if os.Getenv("LINKPACE_NETNS") == "" {
		t.Skip("makes network namespaces: set LINKPACE_NETNS=1 and run as root")
	}
	s := thisSystem(io.Discard)
	// No process has this number, so it looks like a run that was killed.
	left := runPrefix + "999999999-0"
	if _, err := s.networkTool(t.Context(), "ip", "netns", "add", left); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = s.networkTool(t.Context(), "ip", "netns", "del", left) })
	file := filepath.Join(t.TempDir(), "tables.md")
	var out bytes.Buffer
	args := []string{"bench", "--rounds", "1", "--time", "200ms", "--only", "link-1,loopback-app,memory", "--out", file}
	if code := start(t.Context(), args, &out, &out); code != 0 {
		t.Fatalf("exit code %d\n%s", code, out.String())
	}
	text := string(readFile(t, filepath.Dir(file), filepath.Base(file)))
	for _, want := range []string{"`link-1`", "`loopback-app`", "`memory`", "\n| lpace | ", "\n| lpace --mode app | ", "\n## Goals\n"} {
		if !strings.Contains(text, want) || !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "lpace failed") {
		t.Error(text)
	}
	list, err := s.networkTool(t.Context(), "ip", "netns", "list")
	if err != nil || strings.Contains(list, left) || len(abandoned(list, func(string) bool { return false })) > 0 {
		t.Errorf("namespaces are left: %q, %v", list, err)
	}
}
