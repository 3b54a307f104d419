//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"linkpace/cmd/internal/netlab"
	"linkpace/engine/model"
)

// ending is one way in which a test on computer 1 comes to its end.
type ending struct {
	name   string
	flags  []string
	end    func(l *lab, cmd *exec.Cmd)
	rarely bool // because it takes its time
	// here and there are the outcomes on the two sides; without, the test ends or
	// goes on, which both have to agree on.
	here, there model.Outcome
}

func endings() []ending {
	return []ending{
		{name: "killed", flags: []string{"--direction", "send"}, end: kill, there: model.Partial},
		{name: "killed while it receives", flags: []string{"--direction", "receive"}, end: kill, there: model.Partial},
		{name: "killed while datagrams go", flags: []string{"--udp", "--direction", "both"}, end: kill, there: model.Partial},
		{name: "interrupted", flags: []string{"--direction", "both", "--backend", "portable"}, here: model.Cancelled, there: model.Partial, end: func(_ *lab, cmd *exec.Cmd) {
			_ = cmd.Process.Signal(syscall.SIGINT)
		}},
		{name: "cable cut and back", flags: []string{"--direction", "both", "--time", "6s"}, rarely: true, end: func(l *lab, _ *exec.Cmd) {
			l.Run(0, "ip", "link", "set", netlab.Adapter, "down")
			time.Sleep(2 * time.Second)
			l.Run(0, "ip", "link", "set", netlab.Adapter, "up")
		}},
		{name: "address gone and back", flags: []string{"--direction", "send", "--time", "6s"}, rarely: true, end: func(l *lab, _ *exec.Cmd) {
			l.Run(1, "ip", "addr", "del", l.Address(1)+"/24", "dev", netlab.Adapter)
			time.Sleep(2 * time.Second)
			l.Run(1, "ip", "addr", "add", l.Address(1)+"/24", "dev", netlab.Adapter)
		}},
	}
}

func kill(_ *lab, cmd *exec.Cmd) { _ = cmd.Process.Kill() }

// TestNetnsAgentOutlivesItsTests ends one test after the other in bad ways. Both
// sides have to agree on what happened, and the agent to be as after the first few.
func TestNetnsAgentOutlivesItsTests(t *testing.T) {
	l := newLab(t)
	agent := l.serve(0, "--name", "NAS")
	l.finished("--time", "500ms", "--warmup", "100ms")
	var before held
	ended := 0
	for round := range 5 {
		for _, e := range endings() {
			if !e.rarely || round == 0 || round == 2 {
				l.bringToAnEnd(e)
				ended++
			}
		}
		if round == 0 {
			before, ended = l.held(agent, nil), 0
		}
	}
	// Discovery opens and closes files all the time. Threads that once were needed
	// together stay, and how many that were depends on chance.
	after := l.held(agent, func(h held) bool { return h.files <= before.files })
	t.Logf("%d ends: %+v before, %+v after", ended, before, after)
	if after.files > before.files || after.threads > before.threads+ended*2/3 || after.memory > before.memory+32<<20 {
		t.Errorf("%d ends: %+v before, %+v after", ended, before, after)
	}
	if r := l.finished("--time", "500ms", "--warmup", "100ms"); len(r.Summaries()) != 4 {
		t.Errorf("a test afterwards: %s, %v", r.Outcome, r.Problem)
	}
}

// bringToAnEnd begins a test and ends it.
func (l *lab) bringToAnEnd(e ending) {
	l.t.Helper()
	cmd := l.command(1, append([]string{"test", l.Address(0), "--time", "30s", "--json"}, e.flags...)...)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	from, before := l.cameIn(0)+l.cameIn(1), l.newest(0)
	if err := cmd.Start(); err != nil {
		l.t.Fatal(err)
	}
	for began := time.Now(); l.cameIn(0)+l.cameIn(1) < from+4<<20; time.Sleep(20 * time.Millisecond) {
		if time.Since(began) > 30*time.Second {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			l.t.Fatalf("%s: no payload in 30 s\n%s", e.name, errOut.String())
		}
	}
	e.end(l, cmd)
	code, took := l.ended(cmd)
	var here model.Outcome
	if out.Len() > 0 {
		here = l.result(out.String()).Outcome
	}
	there := l.newest(0)
	for began := time.Now(); there == before && time.Since(began) < 30*time.Second; time.Sleep(100 * time.Millisecond) {
		there = l.newest(0)
	}
	l.t.Logf("%s: exit code %d after %v, %q here, %q there", e.name, code, took.Round(time.Millisecond), here, there.Outcome)
	if e.there == "" {
		e.here, e.there = here, here
	}
	if there == before || here != e.here || there.Outcome != e.there {
		l.t.Errorf("%s: %q here, %+v there\n%s", e.name, here, there, errOut.String())
	}
}

// kept is what a history lists of a result.
type kept struct {
	ID      string
	Outcome model.Outcome
}

// newest is the result that computer i kept last.
func (l *lab) newest(i int) kept {
	l.t.Helper()
	out, errOut, code := l.output(i, "history", "list", "--limit", "1", "--json")
	var list []kept
	if err := json.Unmarshal([]byte(out), &list); err != nil || len(list) != 1 {
		l.t.Fatalf("exit code %d, %v in %q\n%s", code, err, out, errOut)
	}
	return list[0]
}

// cameIn is what the adapter of computer i has received, in bytes.
func (l *lab) cameIn(i int) int {
	l.t.Helper()
	text, err := l.Command(i, "cat", "/sys/class/net/"+netlab.Adapter+"/statistics/rx_bytes").Output()
	if err != nil {
		l.t.Fatal(err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		l.t.Fatal(err)
	}
	return n
}

// held is what a program has of the system.
type held struct{ files, threads, memory int }

// held reads what a program has, and waits up to 20 s for enough.
func (l *lab) held(cmd *exec.Cmd, enough func(held) bool) (h held) {
	l.t.Helper()
	folder := fmt.Sprintf("/proc/%d", cmd.Process.Pid)
	for began := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		files, err := os.ReadDir(filepath.Join(folder, "fd"))
		if err != nil {
			l.t.Fatal(err)
		}
		h = held{files: len(files), threads: l.status(folder, "Threads:"), memory: l.status(folder, "VmRSS:") << 10}
		if enough == nil || enough(h) || time.Since(began) > 20*time.Second {
			return h
		}
	}
}

// status reads one number of a program's status.
func (l *lab) status(folder, name string) int {
	l.t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "status"))
	if err != nil {
		l.t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == name {
			n, err := strconv.Atoi(fields[1])
			if err != nil {
				l.t.Fatal(err)
			}
			return n
		}
	}
	l.t.Fatalf("no %s in %q", name, text)
	return 0
}
