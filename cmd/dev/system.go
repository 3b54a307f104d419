package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// system is the computer that the verbs run on. Tests give it another root and
// another PATH.
type system struct {
	goos string
	root string // where the file system begins: "/"
	path string // folders to look for programs in
	user int    // 0 is root
	out  io.Writer
}

func thisSystem(out io.Writer) system {
	path := os.Getenv("PATH")
	if runtime.GOOS == "linux" {
		// Where tools such as ip and nft are; not every user has it in PATH.
		path += ":/usr/sbin:/sbin"
	}
	return system{goos: runtime.GOOS, root: "/", path: path, user: os.Getuid(), out: out}
}

// manager is a program that installs packages of the system.
type manager struct {
	name    string
	refresh []string // brings its list of packages up to date; nil when install does
	install []string // the packages are added to it
	env     []string
}

func managers() []manager {
	return []manager{
		{
			name:    "apt-get",
			refresh: []string{"apt-get", "update"},
			// A computer that has just started may be installing updates.
			install: []string{"apt-get", "-o", "DPkg::Lock::Timeout=300", "install", "-y", "--no-install-recommends"},
			env:     []string{"DEBIAN_FRONTEND=noninteractive"},
		},
		{name: "dnf", install: []string{"dnf", "install", "-y"}},
		{name: "pacman", install: []string{"pacman", "-Sy", "--needed", "--noconfirm"}},
		{name: "zypper", install: []string{"zypper", "--non-interactive", "install"}},
	}
}

// program finds a program in PATH, or where its name says that it is, and
// returns "" when there is none.
func (s system) program(name string) string {
	if filepath.IsAbs(name) {
		found, _ := exec.LookPath(name)
		return found
	}
	for _, dir := range filepath.SplitList(s.path) {
		candidate := filepath.Join(dir, name)
		if found, err := exec.LookPath(candidate); err == nil {
			return found
		}
	}
	return ""
}

// exists tells whether a file is there; the name may hold wildcards.
func (s system) exists(pattern string) bool {
	found, err := filepath.Glob(filepath.Join(s.root, filepath.FromSlash(pattern)))
	return err == nil && len(found) > 0
}

// header tells whether a C header is there.
func (s system) header(name string) bool {
	return s.exists("usr/include/"+name) || s.exists("usr/include/*/"+name)
}

// library tells whether a file of the system's libraries is there, in the
// places where the different systems keep them.
func (s system) library(name string) bool {
	return slices.ContainsFunc([]string{"usr/lib/*/", "usr/lib64/", "usr/lib/"}, func(dir string) bool {
		return s.exists(dir + name)
	})
}

func (s system) manager() (manager, bool) {
	for _, m := range managers() {
		if s.program(m.name) != "" {
			return m, true
		}
	}
	return manager{}, false
}

// provide installs what is missing of the needs, after saying what that is.
func (s system) provide(needs []need) error {
	missing := s.missing(needs)
	if len(missing) == 0 {
		return nil
	}
	if s.goos != "linux" {
		return fmt.Errorf("this needs %s\n%s", names(missing), advice(missing))
	}
	m, found := s.manager()
	if !found {
		return fmt.Errorf("this needs %s, and there is no package manager here that is known (apt, dnf, pacman, zypper): install them by hand", names(missing))
	}
	return s.install(m, missing)
}

func (s system) install(m manager, missing []need) error {
	packages := packagesFor(m.name, missing)
	fmt.Fprintf(s.out, "Missing: %s.\nInstalling with %s: %s\n", names(missing), m.name, strings.Join(packages, " "))
	for _, words := range [][]string{m.refresh, append(slices.Clone(m.install), packages...)} {
		if err := s.asRoot(m, words); err != nil {
			return fmt.Errorf("installing %s failed: %w", names(missing), err)
		}
	}
	if still := s.missing(missing); len(still) > 0 {
		return fmt.Errorf("%s installed %s, and %s cannot be found all the same", m.name, strings.Join(packages, " "), names(still))
	}
	return nil
}

// asRoot runs a package manager; who is not root is asked for a password by
// sudo, in the terminal.
func (s system) asRoot(m manager, words []string) error {
	if len(words) == 0 {
		return nil
	}
	if s.user != 0 {
		if s.program("sudo") == "" {
			return fmt.Errorf("this needs root and there is no sudo: run as root: %s", strings.Join(words, " "))
		}
		words = append(append([]string{"sudo"}, m.env...), words...)
	}
	c := command{env: m.env, limit: 30 * time.Minute, name: s.program(words[0]), args: words[1:]}
	return c.attach()
}
