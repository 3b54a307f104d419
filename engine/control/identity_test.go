package control_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"linkpace/engine/control"
	"linkpace/engine/model"
)

func TestIdentityIsKept(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new")
	first, err := control.LoadIdentity(folder)
	if err != nil {
		t.Fatal(err)
	}
	again, err := control.LoadIdentity(folder)
	if err != nil || again.ID != first.ID || len(first.ID) != 52 {
		t.Errorf("first %q, again %q, %v", first.ID, again.ID, err)
	}
	if code := control.ShortCode(first.ID); len(code) != 9 || code[4] != '-' {
		t.Errorf("short code %q", code)
	}
	other, err := control.NewIdentity()
	if err != nil || other.ID == first.ID {
		t.Errorf("another identity has ID %q, %v", other.ID, err)
	}
}

func TestProgramsStartedAtOnceShareOneKey(t *testing.T) {
	folder := t.TempDir()
	ids := make([]string, 8)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			if id, err := control.LoadIdentity(folder); err == nil {
				ids[i] = id.ID
			}
		})
	}
	all.Wait()
	for _, id := range ids {
		if id == "" || id != ids[0] {
			t.Fatalf("IDs %q", ids)
		}
	}
	if left, _ := os.ReadDir(folder); len(left) != 1 {
		t.Errorf("%d files left, want the key alone", len(left))
	}
}

func TestDamagedIdentityIsNotReplaced(t *testing.T) {
	for name, content := range map[string]string{
		"empty": "", "text": "hello",
		"other": "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
	} {
		folder := t.TempDir()
		path := filepath.Join(folder, "identity.pem")
		os.WriteFile(path, []byte(content), 0o600)
		_, err := control.LoadIdentity(folder)
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want an error that names the file", name, err)
		}
		if kept, _ := os.ReadFile(path); string(kept) != content {
			t.Errorf("%s: the file was changed", name)
		}
	}
}

func TestPins(t *testing.T) {
	folder := t.TempDir()
	pins, err := control.LoadPins(folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := pins.Remember("KEY1KEY1", "NAS", "NAS@10.0.0.2", "nas.local:47820"); err != nil {
		t.Fatal(err)
	}
	if pins, err = control.LoadPins(folder); err != nil {
		t.Fatal(err)
	}
	if !pins.Known("KEY1KEY1") || pins.Known("KEY2KEY2") {
		t.Error("the kept computer is unknown, or a strange one known")
	}
	if err := pins.Check("KEY1KEY1", "NAS@10.0.0.2"); err != nil {
		t.Errorf("the same computer: %v", err)
	}
	if err := pins.Check("KEY2KEY2", "NAS@10.0.0.3"); err != nil {
		t.Errorf("a computer of that name elsewhere: %v", err)
	}
	var problem *model.Problem
	if err = pins.Check("KEY2KEY2", "nas.local:47820"); !errors.As(err, &problem) || problem.Code != model.CodeIdentityChanged {
		t.Errorf("another key in the same place: %v", err)
	}
	if n, err := pins.Forget("NAS"); n != 2 || err != nil {
		t.Errorf("forgot %d, %v", n, err)
	}
	if err := pins.Check("KEY2KEY2", "nas.local:47820"); err != nil {
		t.Errorf("after forgetting: %v", err)
	}
}

func TestDamagedPinsAreAnError(t *testing.T) {
	for _, content := range []string{"", "{", `{"pins":[{}]}`} {
		folder := t.TempDir()
		os.WriteFile(filepath.Join(folder, "pins.json"), []byte(content), 0o600)
		if _, err := control.LoadPins(folder); err == nil {
			t.Errorf("%q: no error", content)
		}
	}
}

func FuzzPins(f *testing.F) {
	f.Add([]byte(`{"pins":[{"key":"a","id":"b","name":"c"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		folder := t.TempDir()
		os.WriteFile(filepath.Join(folder, "pins.json"), text, 0o600)
		pins, err := control.LoadPins(folder)
		if err == nil && pins.Known("") {
			t.Error("the empty ID is known")
		}
	})
}
