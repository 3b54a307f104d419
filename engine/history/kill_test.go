package history

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

var writeInto = flag.String("write-into", "", "write into this history without end, for a test to kill")

// TestWriterProcess is not a test of its own: in the process that
// TestKilledWriterLosesNothing starts it writes without end.
func TestWriterProcess(t *testing.T) {
	if *writeInto == "" {
		return
	}
	s, err := Open(t.Context(), *writeInto)
	if err != nil {
		t.Fatal(err)
	}
	// The bound keeps an orphan from filling the disk.
	for i := range 20000 {
		id := fmt.Sprintf("id%06d", i)
		if err := s.Put(t.Context(), sample(id, noon)); err != nil {
			t.Fatal(err)
		}
		fmt.Println(id)
	}
}

func TestKilledWriterLosesNothing(t *testing.T) {
	path := dbPath(t)
	for round := range 3 {
		acknowledged := writeUntilKilled(t, path, 5+10*round)
		s := mustOpen(t, path)
		if s.Notice() != "" {
			t.Fatal(s.Notice())
		}
		for _, id := range acknowledged {
			if _, err := s.Get(t.Context(), id); err != nil {
				t.Errorf("%s was acknowledged: %v", id, err)
			}
		}
		entries, err := s.List(t.Context(), Filter{})
		if err != nil || len(entries) < len(acknowledged) {
			t.Errorf("%d entries (%v) after %d were acknowledged", len(entries), err, len(acknowledged))
		}
	}
}

// writeUntilKilled starts a writer, kills it after it acknowledged enough
// Results, and gives the IDs of all that it acknowledged until then.
func writeUntilKilled(t *testing.T, path string, enough int) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	writer := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestWriterProcess$", "-write-into="+path)
	out, err := writer.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := writer.Start(); err != nil {
		t.Fatal(err)
	}
	var ids []string
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		ids = append(ids, lines.Text())
		if len(ids) == enough {
			if err := writer.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := writer.Wait(); err == nil || len(ids) < enough {
		t.Fatalf("the writer ended by itself after %d results: %v", len(ids), err)
	}
	return ids
}
