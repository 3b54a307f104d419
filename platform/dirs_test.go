package platform

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestUserDirsPerSystem(t *testing.T) {
	root := t.TempDir()
	config := filepath.Join(root, "cfg")
	join := func(parts ...string) string { return filepath.Join(append([]string{root}, parts...)...) }
	for name, c := range map[string]struct {
		goos string
		env  map[string]string
		want Dirs
	}{
		"linux with XDG":        {"linux", map[string]string{"XDG_DATA_HOME": join("xdg"), "HOME": join("home")}, Dirs{join("cfg", "linkpace"), join("xdg", "linkpace")}},
		"linux without XDG":     {"linux", map[string]string{"HOME": join("home")}, Dirs{join("cfg", "linkpace"), join("home", ".local", "share", "linkpace")}},
		"linux relative XDG":    {"linux", map[string]string{"XDG_DATA_HOME": "rel", "HOME": join("home")}, Dirs{join("cfg", "linkpace"), join("home", ".local", "share", "linkpace")}},
		"linux without a home":  {"linux", nil, Dirs{join("cfg", "linkpace"), join("cfg", "linkpace")}},
		"windows":               {"windows", map[string]string{"LOCALAPPDATA": join("local")}, Dirs{join("cfg", "linkpace"), join("local", "linkpace")}},
		"darwin":                {"darwin", map[string]string{"HOME": join("home")}, Dirs{join("cfg", "linkpace"), join("cfg", "linkpace")}},
		"moved by the variable": {"linux", map[string]string{HomeVariable: join("stick"), "HOME": join("home")}, Dirs{join("stick", "config"), join("stick", "data")}},
	} {
		got, err := userDirs(c.goos, func(k string) string { return c.env[k] }, func() (string, error) { return config, nil })
		if err != nil || got != c.want {
			t.Errorf("%s: got %v, %v; want %v", name, got, err, c.want)
		}
	}
}

func TestUserDirsWithoutConfigFolderNamesTheVariable(t *testing.T) {
	cause := errors.New("neither $XDG_CONFIG_HOME nor $HOME are defined")
	_, err := userDirs("linux", func(string) string { return "" }, func() (string, error) { return "", cause })
	if !errors.Is(err, cause) || !strings.Contains(err.Error(), HomeVariable) {
		t.Errorf("got %v, want the cause and %s", err, HomeVariable)
	}
}

func TestMakeIsPrivateAndRepeatable(t *testing.T) {
	t.Setenv(HomeVariable, filepath.Join(t.TempDir(), "deep", "home"))
	dirs, err := UserDirs()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := dirs.Make(); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{dirs.Config, dirs.Data} {
		info, err := os.Stat(dir)
		if err != nil {
			t.Fatal(err)
		}
		if perm := info.Mode().Perm(); runtime.GOOS != "windows" && perm != 0o700 {
			t.Errorf("%s has mode %v, want 0700", dir, perm)
		}
	}
}

func TestMakeNamesFolderAndWayOut(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err := Dirs{Config: filepath.Join(file, "config"), Data: t.TempDir()}.Make()
	if err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), HomeVariable) {
		t.Errorf("got %v, want the folder and %s", err, HomeVariable)
	}
}
