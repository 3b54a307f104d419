package settings

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, text string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, FileName), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestMissingFileGivesDefaults(t *testing.T) {
	s, err := Load(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if s.Consent != ConsentUnasked || s.Port != 0 || s.Name == "" || strings.Contains(s.Name, ".") {
		t.Errorf("got %+v", s)
	}
}

func TestShortName(t *testing.T) {
	for in, want := range map[string]string{
		"desk.home.arpa": "desk", "DESK": "DESK", "": "unnamed", ".x": "unnamed",
		strings.Repeat("ö", 80): strings.Repeat("ö", MaxName),
	} {
		if got := shortName(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestSaveKeepsUnknownFields(t *testing.T) {
	dir := write(t, `{"name":"desk","consent":"ask","port":5000,"theme":{"dark":true},"PORTAL":1}`)
	s, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	s.Name, s.Consent = "nas", ConsentNo
	if err := s.Save(dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	theme, _ := got["theme"].(map[string]any)
	if got["name"] != "nas" || got["consent"] != "no" || got["port"] != 5000.0 || theme["dark"] != true || got["PORTAL"] != 1.0 {
		t.Errorf("got %s", text)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%d files left, want 1", len(entries))
	}
}

func TestDamagedFileIsNamedAndLeftAlone(t *testing.T) {
	for name, text := range map[string]string{
		"not JSON": "name = desk", "empty": "", "cut off": `{"name":"de`, "an array": `[]`, "wrong type": `{"port":"x"}`,
		"consent": `{"consent":"maybe"}`, "port": `{"port":70000}`, "negative port": `{"port":-1}`, "trailing": `{} {}`,
		"long name": `{"name":"` + strings.Repeat("x", MaxName+1) + `"}`, "control": `{"name":"a\u001b[2Jb"}`,
		"huge": `{"name":"` + strings.Repeat(" ", maxFile) + `"}`,
	} {
		dir := write(t, text)
		path := filepath.Join(dir, FileName)
		if s, err := Load(dir); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "move it away") {
			t.Errorf("%s: Load gave %+v, %v", name, s, err)
		}
		if err := Defaults().Save(dir); err == nil {
			t.Errorf("%s: Save replaced the file", name)
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != text {
			t.Errorf("%s: the file changed (%v)", name, err)
		}
	}
}

func TestUnreadableFileIsNamed(t *testing.T) {
	dir := t.TempDir()
	// A folder in its place cannot be read by anybody, not even by root.
	if err := os.Mkdir(filepath.Join(dir, FileName), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), FileName) {
		t.Errorf("got %v", err)
	}
}

func TestSaveRefusesBadValues(t *testing.T) {
	dir := t.TempDir()
	if err := (Settings{Consent: "perhaps"}).Save(dir); err == nil || !strings.Contains(err.Error(), "perhaps") {
		t.Errorf("got %v", err)
	}
	if err := Defaults().Save(filepath.Join(dir, "missing")); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("got %v", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{`{"name":"desk","consent":"local","port":1}`, `{"Name":"x","x":[1]}`, `{"conſent":"no"}`, `null`, `{}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := parse(text)
		if err != nil {
			return
		}
		saved, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		again, err := parse(saved)
		if err != nil || again.Name != s.Name || again.Consent != s.Consent || again.Port != s.Port || len(again.unknown) != len(s.unknown) {
			t.Errorf("%s came back as %+v (%v), want %+v", saved, again, err, s)
		}
	})
}
