package history

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// sample is a Result that was measured in all three ways: 800, 400 and 80+40
// bits per second.
func sample(id string, started time.Time) *model.Result {
	r := &model.Result{
		Schema: 1, ID: id, Started: started, Role: model.Initiator, Protocol: model.Linkpace, Transport: model.TCP, Mode: model.ModeLink,
		Local: model.Endpoint{Name: "DESK"}, Remote: model.Endpoint{Name: "NAS"}, Outcome: model.Completed,
	}
	add := func(direction model.Direction, rates map[model.Direction]units.Bytes) {
		start := time.Duration(len(r.Phases)) * time.Second
		r.Phases = append(r.Phases, model.Phase{Direction: direction, Start: start, Duration: time.Second})
		for way, bytes := range rates {
			s := model.Sample{Phase: len(r.Phases) - 1, Side: model.Receiver(way), Dir: way, Flow: model.SumFlow, At: start}
			r.Samples = append(r.Samples, s)
			s.At, s.Bytes = start+time.Second, bytes
			r.Samples = append(r.Samples, s)
		}
	}
	add(model.Send, map[model.Direction]units.Bytes{model.Send: 100})
	add(model.Receive, map[model.Direction]units.Bytes{model.Receive: 50})
	add(model.Both, map[model.Direction]units.Bytes{model.Send: 10, model.Receive: 5})
	return r
}

var noon = time.Date(2026, 11, 30, 12, 0, 0, 123456789, time.UTC)

func mustOpen(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func mustPut(t *testing.T, s *Store, results ...*model.Result) {
	t.Helper()
	for _, r := range results {
		if err := s.Put(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
}

func dbPath(t *testing.T) string { return filepath.Join(t.TempDir(), FileName) }

func TestPutAndGet(t *testing.T) {
	// A name with everything that has a meaning in the address of a file.
	name := "50% of #1 & what?.db"
	if runtime.GOOS == "windows" {
		name = strings.ReplaceAll(name, "?", "")
	}
	path := filepath.Join(t.TempDir(), name)
	s := mustOpen(t, path)
	want := sample("a1b2c3d4", noon)
	want.Notes = []model.Note{{At: 1, Side: model.Local, Code: "x", Text: "y"}}
	want.Problem = &model.Problem{Side: model.Remote, Op: "o", Code: model.CodePeerLost, Text: "t"}
	mustPut(t, s, want)
	for _, prefix := range []string{"a1b2", "a1b2c3d4"} {
		got, err := s.Get(t.Context(), prefix)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(got.Samples, got.Phases, got.Notes, *got.Problem, got.Started) != fmt.Sprint(want.Samples, want.Phases, want.Notes, *want.Problem, want.Started) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

func TestListIsNewestFirst(t *testing.T) {
	s := mustOpen(t, dbPath(t))
	if got, err := s.List(t.Context(), Filter{}); err != nil || len(got) != 0 {
		t.Errorf("an empty history lists %v, %v", got, err)
	}
	mustPut(t, s, sample("bbbb", noon), sample("cccc", noon.Add(time.Hour)), sample("aaaa", noon.Add(-time.Hour)))
	for _, c := range []struct {
		filter Filter
		want   string
	}{
		{Filter{}, "cccc bbbb aaaa"}, {Filter{Limit: 2}, "cccc bbbb"}, {Filter{Limit: 1, Offset: 1}, "bbbb"}, {Filter{Offset: 2}, "aaaa"}, {Filter{Offset: 9}, ""}, {Filter{Limit: -1, Offset: -1}, "cccc bbbb aaaa"},
	} {
		entries, err := s.List(t.Context(), c.filter)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, e := range entries {
			ids = append(ids, e.ID)
		}
		if got := strings.Join(ids, " "); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.filter, got, c.want)
		}
	}
	entries, err := s.List(t.Context(), Filter{Offset: 1, Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	e := entries[0]
	if !e.Started.Equal(noon) {
		t.Errorf("started: got %v, want %v", e.Started, noon)
	}
	e.Started = time.Time{}
	if want := (Entry{ID: "bbbb", Role: model.Initiator, Local: "DESK", Remote: "NAS", Outcome: model.Completed, Send: 800, Receive: 400, Both: 120}); e != want {
		t.Errorf("got %+v, want %+v", e, want)
	}
}

func TestTheInitiatorsCopyWins(t *testing.T) {
	s := mustOpen(t, dbPath(t))
	as := func(role model.Role, remote string) *model.Result {
		r := sample("same1", noon)
		r.Role, r.Remote.Name = role, remote
		return r
	}
	for _, c := range []struct {
		role model.Role
		name string
		want string
	}{
		{model.Responder, "first", "first"},
		{model.Responder, "again", "again"},
		{model.Initiator, "initiator", "initiator"},
		{model.Responder, "late", "initiator"},
		{model.Initiator, "anew", "anew"},
	} {
		mustPut(t, s, as(c.role, c.name))
		got, err := s.Get(t.Context(), "same1")
		if err != nil {
			t.Fatal(err)
		}
		entries, err := s.List(t.Context(), Filter{})
		if err != nil || len(entries) != 1 {
			t.Fatalf("list: %v, %v", entries, err)
		}
		if got.Remote.Name != c.want || entries[0].Remote != c.want {
			t.Errorf("after %s: got %s, listed as %s; want %s", c.name, got.Remote.Name, entries[0].Remote, c.want)
		}
	}
}

func TestPrefixes(t *testing.T) {
	s := mustOpen(t, dbPath(t))
	mustPut(t, s, sample("abcd1111", noon), sample("abcd2222", noon), sample("abcd", noon.Add(1)), sample("xyz", noon))
	for _, c := range []struct {
		prefix string
		cause  error
		code   model.Code
	}{
		{"abcd1", nil, ""}, {"abcd", nil, ""}, {"xyz", nil, ""},
		{"abc", ErrAmbiguous, model.CodeBadInput}, {"", ErrAmbiguous, model.CodeBadInput},
		{"abcd9", ErrNotFound, model.CodeNotFound}, {"a%%%", ErrNotFound, model.CodeNotFound}, {"ABCD1", ErrNotFound, model.CodeNotFound},
	} {
		_, err := s.Get(t.Context(), c.prefix)
		if !errors.Is(err, c.cause) {
			t.Errorf("%q: got %v, want %v", c.prefix, err, c.cause)
		}
		var p *model.Problem
		if errors.As(err, &p) && p.Code != c.code {
			t.Errorf("%q: got code %s, want %s", c.prefix, p.Code, c.code)
		}
	}
	mustPut(t, s, sample("efgh1", noon), sample("efgh2", noon))
	if _, err := s.Get(t.Context(), "efgh"); !errors.Is(err, ErrAmbiguous) {
		t.Errorf("got %v", err)
	}
}

func TestDelete(t *testing.T) {
	s := mustOpen(t, dbPath(t))
	mustPut(t, s, sample("aaaa1", noon), sample("bbbb1", noon))
	if err := s.Delete(t.Context(), "aaaa"); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), "aaaa"); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if entries, err := s.List(t.Context(), Filter{}); err != nil || len(entries) != 1 || entries[0].ID != "bbbb1" {
		t.Errorf("got %v, %v", entries, err)
	}
}

func TestTwoStoresWriteTheSameFile(t *testing.T) {
	path := dbPath(t)
	const each = 25
	var open, done sync.WaitGroup
	open.Add(2)
	for _, name := range []string{"left", "right"} {
		done.Go(func() {
			s, err := Open(t.Context(), path)
			open.Done()
			if err != nil {
				t.Error(err)
				return
			}
			open.Wait()
			for i := range each {
				if err := s.Put(t.Context(), sample(fmt.Sprint(name, i), noon)); err != nil {
					t.Error(err)
				}
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
	if entries, err := mustOpen(t, path).List(t.Context(), Filter{}); err != nil || len(entries) != 2*each {
		t.Errorf("got %d entries (%v), want %d", len(entries), err, 2*each)
	}
}

func TestCancelledContext(t *testing.T) {
	s := mustOpen(t, dbPath(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Put(ctx, sample("aaaa", noon)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := Open(ctx, dbPath(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestPutRefusesAResultWithoutID(t *testing.T) {
	if err := mustOpen(t, dbPath(t)).Put(t.Context(), sample("", noon)); err == nil {
		t.Error("it was kept")
	}
}
