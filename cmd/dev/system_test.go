//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fakeSystem is a computer with nothing on it but the given programs, which
// are shell scripts. Its package manager writes what it is told to into the
// file that is returned.
func fakeSystem(t *testing.T, scripts map[string]string) (s system, said *bytes.Buffer, calls string) {
	t.Helper()
	dir := t.TempDir()
	calls = filepath.Join(dir, "calls")
	for name, script := range scripts {
		text := "#!/bin/sh\necho \"$0 $*\" | sed 's|.*/||' >> " + calls + "\n" + script + "\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	said = new(bytes.Buffer)
	return system{goos: "linux", root: dir, path: dir, out: said}, said, calls
}

func tool() need {
	return need{name: "a tool", here: programs("tool"), packages: packages("tool-deb", "tool-rpm", "tool-arch", "tool-suse")}
}

// makeTool is what a package manager does that works.
const makeTool = `case "$*" in *tool-*) printf '#!/bin/sh\n' > "${0%/*}/tool"; chmod +x "${0%/*}/tool";; esac`

func TestProvideInstallsWhatIsMissing(t *testing.T) {
	for _, c := range []struct{ manager, want string }{
		{"apt-get", "apt-get update\napt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends tool-deb\n"},
		{"dnf", "dnf install -y tool-rpm\n"},
		{"pacman", "pacman -Sy --needed --noconfirm tool-arch\n"},
		{"zypper", "zypper --non-interactive install tool-suse\n"},
	} {
		t.Run(c.manager, func(t *testing.T) {
			s, said, calls := fakeSystem(t, map[string]string{c.manager: makeTool})
			if err := s.provide([]need{tool()}); err != nil {
				t.Fatal(err)
			}
			if got := readFile(t, filepath.Dir(calls), "calls"); string(got) != c.want {
				t.Errorf("called\n%s, want\n%s", got, c.want)
			}
			if !strings.Contains(said.String(), "Missing: a tool.") || !strings.Contains(said.String(), "Installing with "+c.manager) {
				t.Errorf("it said %q", said)
			}
		})
	}
}

func TestProvideLeavesACompleteSystemAlone(t *testing.T) {
	s, said, calls := fakeSystem(t, map[string]string{"apt-get": "exit 1", "tool": ""})
	if err := s.provide([]need{tool()}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(calls); err == nil || said.Len() > 0 {
		t.Errorf("it did something, and said %q", said)
	}
}

func TestProvideUsesSudo(t *testing.T) {
	s, _, calls := fakeSystem(t, map[string]string{"dnf": makeTool, "sudo": `"${0%/*}/$1" "$2" "$3" "$4"`})
	s.user = 1000
	if err := s.provide([]need{tool()}); err != nil {
		t.Fatal(err)
	}
	if got := string(readFile(t, filepath.Dir(calls), "calls")); got != "sudo dnf install -y tool-rpm\ndnf install -y tool-rpm\n" {
		t.Errorf("called %q", got)
	}
}

func TestProvideSaysWhatStandsInTheWay(t *testing.T) {
	for name, c := range map[string]struct {
		scripts map[string]string
		user    int
		goos    string
		want    string
	}{
		"no package manager":     {nil, 0, "linux", "install them by hand"},
		"failing manager":        {map[string]string{"apt-get": "exit 100"}, 0, "linux", "installing a tool failed"},
		"useless package":        {map[string]string{"apt-get": ""}, 0, "linux", "cannot be found all the same"},
		"neither root nor sudo":  {map[string]string{"apt-get": ""}, 1000, "linux", "run as root: apt-get update"},
		"another kind of system": {nil, 0, "windows", "Install a tool by hand"},
	} {
		t.Run(name, func(t *testing.T) {
			s, _, _ := fakeSystem(t, c.scripts)
			s.user, s.goos = c.user, c.goos
			if err := s.provide([]need{tool()}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

func TestCompilerOnWindowsIsExplained(t *testing.T) {
	t.Setenv("CC", "")
	s := system{goos: "windows", root: t.TempDir(), path: t.TempDir(), out: io.Discard}
	if err := s.provide([]need{compiler()}); err == nil || !strings.Contains(err.Error(), "winget install") {
		t.Errorf("the error is %v", err)
	}
}

// TestEveryNeedHasPackages keeps a need from being forgotten for one of the
// package managers.
func TestEveryNeedHasPackages(t *testing.T) {
	needs := append(windowBuild("linux"), windowShow("linux")...)
	needs = append(needs, mingw(), wine(), screen(), network())
	s, _, _ := fakeSystem(t, nil)
	for _, n := range needs {
		for _, m := range managers() {
			if len(n.packages[m.name]) == 0 {
				t.Errorf("%s names no packages for %s", n.name, m.name)
			}
		}
		if n.here(s) {
			t.Errorf("%s is found on a computer with nothing on it", n.name)
		}
	}
}
