package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// runPrefix begins the names of all that a run makes: namespaces and folders.
// The number of the process follows.
const runPrefix = "linkpace-bench-"

func runName(what string) string { return fmt.Sprint(runPrefix, os.Getpid(), "-", what) }

// sweepVenues removes the namespaces that a killed earlier run left behind, and
// ends what still runs in them.
func (s system) sweepVenues(ctx context.Context) error {
	list, err := s.networkTool(ctx, "ip", "netns", "list")
	if err != nil {
		return fmt.Errorf("look for what an earlier run left: %w", err)
	}
	for _, name := range abandoned(list, alive) {
		fmt.Fprintf(s.out, "Removing %s, which an earlier run left behind.\n", name)
		if err := s.dropVenue(ctx, name); err != nil {
			return fmt.Errorf("remove what an earlier run left: %w", err)
		}
	}
	return nil
}

// sweepFolders removes the folders that killed earlier runs left in dir.
func sweepFolders(dir string) {
	found, _ := filepath.Glob(filepath.Join(dir, runPrefix+"*"))
	for _, folder := range found {
		if len(abandoned(filepath.Base(folder), alive)) > 0 {
			_ = os.RemoveAll(folder)
		}
	}
}

// abandoned picks the names that belong to runs that are not alive any more,
// each of which begins a line.
func abandoned(list string, alive func(pid string) bool) []string {
	var found []string
	for _, m := range regexp.MustCompile(`(?m)^(`+runPrefix+`(\d+)-\d+)(?:\s|$)`).FindAllStringSubmatch(list, -1) {
		if !alive(m[2]) {
			found = append(found, m[1])
		}
	}
	return found
}

// alive tells whether a process is there; where the system does not tell, it
// may be.
func alive(pid string) bool {
	if _, err := os.Stat("/proc/self"); err != nil {
		return true
	}
	_, err := os.Stat(filepath.Join("/proc", pid))
	return err == nil
}
