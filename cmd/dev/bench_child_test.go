//go:build linux

package main

import (
	"bytes"
	"context"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hanging is a program that does not end when asked, with a child of its own.
// It writes the numbers of both processes into a file.
func hanging(t *testing.T) (p program, pids func() []int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "pids")
	script := `trap "" INT; sleep 1000 & echo "$$ $! ." > "$1"; wait; wait`
	pids = func() []int {
		text, _ := os.ReadFile(file)
		fields := strings.Fields(string(text))
		if len(fields) != 3 {
			return nil
		}
		var all []int
		for _, word := range fields[:2] {
			pid, err := strconv.Atoi(word)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, pid)
		}
		return all
	}
	return program{words: []string{"sh", "-c", script, "sh", file}}, pids
}

func TestBenchEndsHangingPrograms(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	receiver, receivers := hanging(t)
	sender, senders := hanging(t)
	// The receiver is taken to be the one that listens: it is in the same network.
	d := duel{receiver: receiver, sender: sender, port: listener.Addr().(*net.TCPAddr).Port}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := d.run(ctx, venue{}, time.Minute)
		ended <- err
	}()
	for len(senders()) == 0 || len(receivers()) == 0 {
		select {
		case err := <-ended:
			t.Fatalf("it ended by itself: %v", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
	cancel()
	if err := <-ended; err == nil {
		t.Error("an interrupted measurement is a success")
	}
	for _, pid := range append(senders(), receivers()...) {
		awaitGone(t, pid)
	}
}

// awaitGone waits for a process that was killed, and whose parent may be init.
func awaitGone(t *testing.T, pid int) {
	t.Helper()
	for began := time.Now(); time.Since(began) < 30*time.Second; time.Sleep(10 * time.Millisecond) {
		if syscall.Kill(pid, 0) != nil || zombie(pid) {
			return
		}
	}
	t.Errorf("process %d is still there", pid)
}

// zombie tells whether a process has ended and nobody asked for its result.
func zombie(pid int) bool {
	text, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	_, state, _ := bytes.Cut(text, []byte(") "))
	return bytes.HasPrefix(state, []byte("Z"))
}

func TestBenchEndsAProgramThatIgnoresTheInterrupt(t *testing.T) {
	p, pids := hanging(t)
	c, err := startChild(t.Context(), nil, p)
	if err != nil {
		t.Fatal(err)
	}
	for len(pids()) == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	c.end(0)
	for _, pid := range pids() {
		awaitGone(t, pid)
	}
}

func TestBenchTellsOfAReceiverThatEnds(t *testing.T) {
	d := duel{receiver: program{words: []string{"sh", "-c", "echo 'port is taken' >&2; exit 3"}}, port: 1}
	if _, err := d.run(t.Context(), venue{}, time.Second); err == nil || !strings.Contains(err.Error(), "port is taken") {
		t.Error(err)
	}
}

func TestBenchCountsTheProcessorTimeOfAProgram(t *testing.T) {
	c, err := startChild(t.Context(), nil, program{words: []string{"sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.await(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	if u := c.usage(); u.processor <= 0 || u.peak <= 0 {
		t.Errorf("%+v", u)
	}
}

func TestBenchFindsListeners(t *testing.T) {
	table := []byte("  sl  local_address rem_address   st\n" +
		"   0: 0200C70A:1388 00000000:0000 0A 00000000:00000000\n" +
		"   1: 0200C70A:1451 0100C70A:B0A2 01 00000000:00000000\n")
	if !listens(table, 5000) || listens(table, 5201) || listens(table, 88) {
		t.Error("listeners are not told from connections or other ports")
	}
}
