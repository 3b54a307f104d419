//go:build unix

package main

import (
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestSplitDisplay(t *testing.T) {
	for _, c := range []struct {
		display, host string
		number        int
		ok            bool
	}{
		{":0", "", 0, true}, {":99.1", "", 99, true}, {"localhost:10.0", "localhost", 10, true},
		{"unix:3", "unix", 3, true}, {"::1:2", "::1", 2, true},
		{"", "", 0, false}, {":", "", 0, false}, {":x", "", 0, false}, {":-1", "", 0, false}, {":99999", "", 0, false},
	} {
		host, number, err := splitDisplay(c.display)
		if (err == nil) != c.ok || c.ok && (host != c.host || number != c.number) {
			t.Errorf("splitDisplay(%q) = %q, %d, %v", c.display, host, number, err)
		}
	}
}

func TestReachable(t *testing.T) {
	dir := t.TempDir()
	wayland, err := net.Listen("unix", filepath.Join(dir, "wayland-7"))
	if err != nil {
		t.Fatal(err)
	}
	defer wayland.Close()
	for _, c := range []struct {
		name, goos string
		env        map[string]string
		problem    string
	}{
		{"nothing set", "linux", nil, "neither DISPLAY nor WAYLAND_DISPLAY is set"},
		{"windows", "windows", nil, ""},
		{"wayland", "linux", map[string]string{"WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": dir}, ""},
		{"wayland gone", "linux", map[string]string{"WAYLAND_DISPLAY": "wayland-8", "XDG_RUNTIME_DIR": dir}, "does not answer"},
		{"no such display", "linux", map[string]string{"DISPLAY": ":59000"}, "does not answer"},
		{"no display name", "linux", map[string]string{"DISPLAY": "screen"}, "it has no number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := reachable(t.Context(), c.goos, func(name string) string { return c.env[name] })
			if c.problem == "" && err != nil || c.problem != "" && (err == nil || !strings.Contains(err.Error(), c.problem)) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

func TestAnswersXWantsAnAnswer(t *testing.T) {
	for _, answer := range []string{"\x00", ""} {
		host, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- serveOnce(host, answer) }()
		port := host.Addr().(*net.TCPAddr).Port
		display := "127.0.0.1:" + strconv.Itoa(port-6000)
		got := reachable(t.Context(), "linux", func(name string) string {
			return map[string]string{"DISPLAY": display}[name]
		})
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if (got == nil) != (answer != "") {
			t.Errorf("with the answer %q the error is %v", answer, got)
		}
	}
}

// serveOnce takes one connection, reads the greeting of an X program and
// answers.
func serveOnce(host net.Listener, answer string) error {
	defer host.Close()
	conn, err := host.Accept()
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.Read(make([]byte, 12)); err != nil {
		return err
	}
	_, err = conn.Write([]byte(answer))
	return err
}
