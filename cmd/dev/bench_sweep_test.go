package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestBenchFindsWhatAnEarlierRunLeft(t *testing.T) {
	list := "linkpace-bench-12-0 (id: 3)\nlinkpace-bench-12-1\nlinkpace-bench-34-0\nother\nmy-linkpace-bench-12-0\n"
	got := abandoned(list, func(pid string) bool { return pid == "34" })
	if strings.Join(got, " ") != "linkpace-bench-12-0 linkpace-bench-12-1" {
		t.Error(got)
	}
}

func TestBenchRemovesFoldersOfKilledRuns(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("who is alive is known on Linux alone")
	}
	dir := t.TempDir()
	own := runName("1")
	// No process has this number.
	for _, name := range []string{runPrefix + "999999999-1", own, "other"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	sweepFolders(dir)
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) != 2 || filepath.Base(left[0]) != own || filepath.Base(left[1]) != "other" {
		t.Errorf("%v, %v", left, err)
	}
}
