package history

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var writeGolden = flag.Bool("write-v1", false, "write testdata/v1.db anew; files of released versions are never changed")

// The file of version 1 holds two Results and one that cannot be read, and no
// entries for lists yet.
func TestFileOfVersion1(t *testing.T) {
	golden := filepath.Join("testdata", "v1.db")
	if *writeGolden {
		writeV1(t, golden)
	}
	text, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	path := dbPath(t)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, path)
	entries, err := s.List(t.Context(), Filter{})
	if err != nil || s.Notice() != "" {
		t.Fatal(err, s.Notice())
	}
	if len(entries) != 2 || entries[0].ID != "0002new" || entries[1].ID != "0001old" {
		t.Fatalf("got %+v", entries)
	}
	if e := entries[1]; e.Send != 800 || e.Receive != 400 || e.Both != 120 || !e.Started.Equal(noon) || e.Remote != "NAS" {
		t.Errorf("got %+v", e)
	}
	r, err := s.Get(t.Context(), "0001")
	if err != nil || len(r.Samples) != 8 {
		t.Errorf("got %+v, %v", r, err)
	}
}

func writeV1(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", source(path, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := migrate(t.Context(), db, steps()[:1]); err != nil {
		t.Fatal(err)
	}
	for id, started := range map[string]time.Time{"0001old": noon, "0002new": noon.Add(time.Hour), "0003bad": noon} {
		body, err := encode(sample(id, started))
		if err != nil {
			t.Fatal(err)
		}
		if id == "0003bad" {
			body = []byte("bad")
		}
		if _, err := db.ExecContext(t.Context(), `INSERT INTO results VALUES (?, 'initiator', ?, ?)`, id, started.UnixNano(), body); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFileOfANewerVersionIsLeftAlone(t *testing.T) {
	path := dbPath(t)
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.ExecContext(t.Context(), "PRAGMA user_version=99"); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), path)
	if text := problemOf(t, err); !strings.Contains(text, "newer") || !errors.Is(err, errNewer) {
		t.Errorf("got %q (%v)", text, err)
	}
	if aside, err := filepath.Glob(path + ".damaged-*"); err != nil || len(aside) != 0 {
		t.Errorf("set aside: %v, %v", aside, err)
	}
}

func TestFailedMigrationChangesNothing(t *testing.T) {
	s := mustOpen(t, dbPath(t))
	mustPut(t, s, sample("aaaa", noon))
	broken := errors.New("broken")
	err := migrate(t.Context(), s.db, append(steps(),
		statement("DROP TABLE entries"),
		func(context.Context, *sql.Tx) error { return broken }))
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if entries, err := s.List(t.Context(), Filter{}); err != nil || len(entries) != 1 {
		t.Errorf("got %v, %v", entries, err)
	}
}
