package history

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"linkpace/engine/model"
)

// filled makes a history of several pages and gives its bytes.
func filled(t *testing.T, path string) []byte {
	t.Helper()
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 12 {
		mustPut(t, s, sample(fmt.Sprintf("id%06d", i), noon))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestDamagedFileIsSetAside(t *testing.T) {
	const page = 4096
	for name, damage := range map[string]func(good []byte) []byte{
		"not a database":   func([]byte) []byte { return []byte(strings.Repeat("these are my photos. ", 500)) },
		"cut in half":      func(good []byte) []byte { return good[:len(good)/2] },
		"cut in a page":    func(good []byte) []byte { return good[:page+100] },
		"a page scribbled": func(good []byte) []byte { copy(good[page:2*page], bytes.Repeat([]byte{0xa5}, page)); return good },
		"header scribbled": func(good []byte) []byte { copy(good[16:100], bytes.Repeat([]byte{0xff}, 84)); return good },
	} {
		t.Run(name, func(t *testing.T) {
			path := dbPath(t)
			bad := damage(filled(t, path))
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			s := mustOpen(t, path)
			aside, err := filepath.Glob(path + ".damaged-*")
			if err != nil || len(aside) != 1 {
				t.Fatalf("set aside: %v, %v", aside, err)
			}
			if !strings.Contains(s.Notice(), aside[0]) || !strings.Contains(s.Notice(), path) {
				t.Errorf("the notice %q does not name both files", s.Notice())
			}
			if kept, err := os.ReadFile(aside[0]); err != nil || !bytes.Equal(kept, bad) {
				t.Errorf("the damaged file changed: %d bytes, %v", len(kept), err)
			}
			mustPut(t, s, sample("fresh", noon))
			if entries, err := s.List(t.Context(), Filter{}); err != nil || len(entries) != 1 {
				t.Errorf("the new history lists %v, %v", entries, err)
			}
		})
	}
}

func TestCompanionsOfADamagedFileAreKept(t *testing.T) {
	path := dbPath(t)
	for suffix, text := range map[string]string{"": "my photos", "-wal": "log", "-shm": "index"} {
		if err := os.WriteFile(path+suffix, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := mustOpen(t, path)
	for suffix, want := range map[string]string{"": "my photos", "-wal": "log", "-shm": "index"} {
		aside, err := filepath.Glob(path + ".damaged-????????-??????" + suffix)
		if err != nil || len(aside) != 1 {
			t.Fatalf("%q: %v, %v", suffix, aside, err)
		}
		if text, err := os.ReadFile(aside[0]); err != nil || string(text) != want {
			t.Errorf("%s holds %q, %v", aside[0], text, err)
		}
	}
	mustPut(t, s, sample("fresh", noon))
}

func TestGoodFileHasNoNotice(t *testing.T) {
	path := dbPath(t)
	filled(t, path)
	if s := mustOpen(t, path); s.Notice() != "" {
		t.Errorf("got %q", s.Notice())
	}
}

func TestSetAsideNeverReplacesAFile(t *testing.T) {
	path := dbPath(t)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	want := []string{path + ".damaged-20260102-030405", path + ".damaged-20260102-030405-2", path + ".damaged-20260102-030405-3"}
	for i, name := range want {
		if err := os.WriteFile(path, []byte{byte(i)}, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := setAside(path, at); err != nil || got != name {
			t.Fatalf("got %s, %v; want %s", got, err, name)
		}
	}
	for i, name := range want {
		if text, err := os.ReadFile(name); err != nil || !bytes.Equal(text, []byte{byte(i)}) {
			t.Errorf("%s holds %v, %v", name, text, err)
		}
	}
}

// problemOf checks that err is one sentence about storage.
func problemOf(t *testing.T, err error) string {
	t.Helper()
	var p *model.Problem
	if !errors.As(err, &p) || p.Code != model.CodeStorage {
		t.Fatalf("got %v, want a storage problem", err)
	}
	return p.Text
}

func TestFullDisk(t *testing.T) {
	path := dbPath(t)
	const pages = 12
	s, err := open(t.Context(), path, fmt.Sprintf("max_page_count(%d)", pages))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	kept, err := fill(t, s)
	if text := problemOf(t, err); !strings.Contains(text, "full") || !strings.Contains(text, filepath.Dir(path)) {
		t.Errorf("got %q", text)
	}
	if entries, err := s.List(t.Context(), Filter{}); err != nil || len(entries) != kept {
		t.Errorf("%d entries (%v) after %d were kept", len(entries), err, kept)
	}
}

// fill keeps Results until that fails.
func fill(t *testing.T, s *Store) (kept int, err error) {
	t.Helper()
	const most = 5000
	for kept < most {
		if err := s.Put(t.Context(), sample(fmt.Sprintf("id%06d", kept), noon)); err != nil {
			return kept, err
		}
		kept++
	}
	t.Fatalf("%d results did not fill it", most)
	return 0, nil
}

func TestFolderThatCannotBeUsed(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(dir, "missing", FileName), filepath.Join(file, FileName), dir} {
		_, err := Open(t.Context(), path)
		if text := problemOf(t, err); !strings.Contains(text, filepath.Dir(path)) || !strings.Contains(text, "LINKPACE_HOME") {
			t.Errorf("%s: got %q", path, text)
		}
	}
}

func TestDamagedResultDoesNotHideTheOthers(t *testing.T) {
	s := mustOpen(t, dbPath(t))
	mustPut(t, s, sample("good1", noon), sample("bad11", noon))
	if _, err := s.db.ExecContext(t.Context(), `UPDATE results SET body = x'00' WHERE id = 'bad11'`); err != nil {
		t.Fatal(err)
	}
	_, err := s.Get(t.Context(), "bad11")
	if text := problemOf(t, err); !strings.Contains(text, "bad11") {
		t.Errorf("got %q", text)
	}
	if _, err := s.Get(t.Context(), "good1"); err != nil {
		t.Error(err)
	}
	if entries, err := s.List(t.Context(), Filter{}); err != nil || len(entries) != 2 {
		t.Errorf("got %v, %v", entries, err)
	}
}
