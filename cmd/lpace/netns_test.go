//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"linkpace/cmd/internal/netlab"
	"linkpace/engine/export"
	"linkpace/engine/model"
)

// lab is two computers joined by a cable, with lpace on both.
type lab struct {
	*netlab.Lab
	t     *testing.T
	lpace string
	homes [2]string
}

func newLab(t *testing.T) *lab {
	t.Helper()
	return newLabWith(t, compile(t))
}

// newLabWith is newLab with a program that is there already.
func newLabWith(t *testing.T, lpace string) *lab {
	t.Helper()
	l := &lab{Lab: netlab.New(t), t: t, lpace: lpace}
	for i := range l.homes {
		l.homes[i] = t.TempDir()
	}
	return l
}

// compile builds lpace once for a test.
func compile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lpace")
	cmd := exec.Command("go", "build", "-trimpath", "-o", path, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build lpace: %v\n%s", err, out)
	}
	return path
}

// command prepares lpace on computer i.
func (l *lab) command(i int, args ...string) *exec.Cmd {
	cmd := l.Command(i, append([]string{l.lpace}, args...)...)
	cmd.Env = append(os.Environ(), "LINKPACE_HOME="+l.homes[i])
	return cmd
}

// serve starts an agent on computer i and ends it with the test.
func (l *lab) serve(i int, args ...string) *exec.Cmd {
	l.t.Helper()
	cmd := l.command(i, append([]string{"serve"}, args...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			cmd.Process.Kill()
			l.t.Error("the agent did not end when asked")
		}
		if l.t.Failed() {
			l.t.Logf("agent %d said:\n%s", i, out.String())
		}
	})
	return cmd
}

// output runs lpace on computer i and returns what it printed and its exit code.
func (l *lab) output(i int, args ...string) (out, errOut string, code int) {
	l.t.Helper()
	cmd := l.command(i, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		l.t.Fatal(err)
	}
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// waitFor waits until computer i sees a peer of a name, and returns the time
// it took.
func (l *lab) waitFor(i int, name string) time.Duration {
	l.t.Helper()
	began := time.Now()
	for time.Since(began) < 30*time.Second {
		out, _, _ := l.output(i, "peers", "--json")
		var peers []model.Peer
		if err := json.Unmarshal([]byte(out), &peers); err != nil {
			l.t.Fatalf("%v in %q", err, out)
		}
		for _, p := range peers {
			if p.Name == name {
				return time.Since(began)
			}
		}
	}
	l.t.Fatalf("%s was not found in 30 s", name)
	return 0
}

func (l *lab) result(text string) *model.Result {
	l.t.Helper()
	r, err := export.Load(strings.NewReader(text))
	if err != nil {
		l.t.Fatalf("%v in %.300q", err, text)
	}
	return r
}

func TestNetnsShapedLink(t *testing.T) {
	l := newLab(t)
	l.Shape("100mbit")
	l.serve(0, "--name", "NAS")
	t.Logf("found after %v", l.waitFor(1, "NAS"))
	out, errOut, code := l.output(1, "test", "NAS", "--json")
	if code != exitDone {
		t.Fatalf("exit code %d\n%s", code, errOut)
	}
	r := l.result(out)
	if r.Outcome != model.Completed || len(r.Phases) != 4 || r.Effective.DelayPath != "udp" {
		t.Errorf("%s, %d phases, delay by %q", r.Outcome, len(r.Phases), r.Effective.DelayPath)
	}
	sums := r.Summaries()
	if len(sums) != 4 {
		t.Fatalf("%d summaries, want sending, receiving and two of both", len(sums))
	}
	for _, s := range sums {
		t.Logf("%s %s: %v, idle %v, loaded %v", s.Direction, s.Dir, s.Rate, s.DelayIdle, s.DelayLoaded)
		// The shaper counts 1514 bytes for 1448 of payload, so 95.6 % of its rate
		// is the most; a little more is what a late retransmission brings along.
		if s.Rate > 98e6 || s.Rate == 0 {
			t.Errorf("%s %s: %v through 100 Mbit/s", s.Direction, s.Dir, s.Rate)
		}
		if s.DelayIdle == nil || s.DelayLoaded == nil || s.CPU == nil {
			t.Errorf("%s %s: delay %v, %v, processor %v", s.Direction, s.Dir, s.DelayIdle, s.DelayLoaded, s.CPU)
		}
	}
	compareWithAdapter(t, r)
	for i, way := range []string{"NAS", "test"} {
		list, _, _ := l.output(i, "history", "list", "--json")
		if !strings.Contains(list, r.ID) {
			t.Errorf("the history of the side that %s has no run %s:\n%s", way, r.ID, list)
		}
	}
}

// compareWithAdapter checks the payload of the receive phase against what the
// receiving adapter counted meanwhile. Headers are at most 66 of 1514 bytes and
// next to nothing where the kernel passes many segments on as one.
func compareWithAdapter(t *testing.T, r *model.Result) {
	t.Helper()
	from, to := r.Phases[2].Window()
	var first, last *model.Sample
	for i, s := range r.Samples {
		if s.Side == model.Local && s.Host != nil && s.At >= from && s.At <= to {
			if first == nil {
				first = &r.Samples[i]
			}
			last = &r.Samples[i]
		}
	}
	if first == nil || last == first {
		t.Fatal("no adapter counters in the receive phase")
	}
	carried := float64(last.Host.AdapterRx - first.Host.AdapterRx)
	payload := float64(last.Bytes - first.Bytes)
	if ratio := payload / carried; ratio < 0.945 || ratio > 1.005 {
		t.Errorf("payload is %.3f of what the adapter carried", ratio)
	}
}

func TestNetnsStartedFromTheOtherSide(t *testing.T) {
	l := newLab(t)
	l.serve(1, "--name", "DESK")
	out, errOut, code := l.output(0, "test", "DESK", "--time", "500ms", "--json")
	if code != exitDone {
		t.Fatalf("exit code %d\n%s", code, errOut)
	}
	r := l.result(out)
	for i := range 2 {
		if list, _, _ := l.output(i, "history", "list"); !strings.Contains(list, r.ID) {
			t.Errorf("computer %d does not know run %s:\n%s", i, r.ID, list)
		}
	}
}

// measuring starts a long test in the background and waits until payload flows.
func (l *lab) measuring(i int, args ...string) (*exec.Cmd, *bytes.Buffer) {
	l.t.Helper()
	cmd := l.command(i, append([]string{"test", "NAS", "--direction", "send", "--time", "30s", "--json"}, args...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := cmd.Start(); err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { cmd.Process.Kill() })
	counter := func() string {
		text, _ := l.Command(i, "cat", "/sys/class/net/"+netlab.Adapter+"/statistics/tx_bytes").Output()
		return string(text)
	}
	for began := time.Now(); time.Since(began) < 30*time.Second; time.Sleep(50 * time.Millisecond) {
		if len(strings.TrimSpace(counter())) > 6 { // a megabyte and more
			return cmd, &out
		}
	}
	l.t.Fatal("no payload in 30 s")
	return nil, nil
}

// ended waits for a program and returns its exit code and the time it took.
func (l *lab) ended(cmd *exec.Cmd) (int, time.Duration) {
	l.t.Helper()
	began := time.Now()
	timer := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer timer.Stop()
	cmd.Wait()
	return cmd.ProcessState.ExitCode(), time.Since(began)
}

func TestNetnsPeerKilled(t *testing.T) {
	l := newLab(t)
	agent := l.command(0, "serve", "--name", "NAS")
	if err := agent.Start(); err != nil {
		t.Fatal(err)
	}
	cmd, out := l.measuring(1)
	agent.Process.Kill()
	agent.Wait()
	code, took := l.ended(cmd)
	t.Logf("ended %v after the kill", took)
	l.checkPartial(out.String(), code, model.Partial, exitPartial)
}

func TestNetnsCableCut(t *testing.T) {
	l := newLab(t)
	l.serve(0, "--name", "NAS")
	cmd, out := l.measuring(1)
	l.Run(0, "ip", "link", "set", netlab.Adapter, "down")
	code, took := l.ended(cmd)
	t.Logf("ended %v after the cut", took)
	l.checkPartial(out.String(), code, model.Partial, exitPartial)
}

func TestNetnsInterrupted(t *testing.T) {
	l := newLab(t)
	l.serve(0, "--name", "NAS")
	cmd, out := l.measuring(1)
	cmd.Process.Signal(syscall.SIGINT)
	code, _ := l.ended(cmd)
	r := l.checkPartial(out.String(), code, model.Cancelled, exitInterrupted)
	if list, _, _ := l.output(1, "history", "list"); !strings.Contains(list, r.ID) {
		t.Errorf("the partial result is not in the history:\n%s", list)
	}
}

func (l *lab) checkPartial(text string, code int, outcome model.Outcome, wantCode int) *model.Result {
	l.t.Helper()
	r := l.result(text)
	if code != wantCode || r.Outcome != outcome || !r.Measured() || r.Problem == nil {
		l.t.Errorf("exit code %d, %s, measured %v, problem %v", code, r.Outcome, r.Measured(), r.Problem)
	}
	return r
}

func TestNetnsUDPBlocked(t *testing.T) {
	l := newLab(t)
	l.Run(0, "nft", "add table inet f; add chain inet f in { type filter hook input priority 0; }; add rule inet f in meta l4proto udp iifname veth0 drop")
	l.serve(0, "--name", "NAS")
	var out, errOut string
	code := exitUnreachable
	for range 50 { // until the agent listens
		if out, errOut, code = l.output(1, "test", l.Address(0), "--time", "1s", "--json"); code != exitUnreachable {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if code != exitDone {
		t.Fatalf("exit code %d\n%s", code, errOut)
	}
	r := l.result(out)
	if r.Effective.DelayPath != "control" || len(r.Notes) == 0 {
		t.Errorf("delay by %q, notes %v", r.Effective.DelayPath, r.Notes)
	}
	if s := r.Summaries(); s[0].DelayIdle == nil || s[0].DelayLoaded == nil {
		t.Errorf("no delay: %+v", s[0])
	}
}

func TestNetnsTwoOnOneComputer(t *testing.T) {
	l := newLab(t)
	l.serve(0, "--name", "ONE")
	second := *l
	second.homes[0] = t.TempDir()
	second.serve(0, "--name", "TWO")
	for i := range 2 {
		l.waitFor(i, "ONE")
		l.waitFor(i, "TWO")
	}
}

func TestNetnsLinkLocalIPv6(t *testing.T) {
	l := newLab(t)
	l.serve(0, "--name", "NAS")
	l.waitFor(1, "NAS")
	l.linkLocal(1) // its own has to be there, too
	address := l.linkLocal(0)
	out, errOut, code := l.output(1, "test", "["+address+"%"+netlab.Adapter+"]:47820", "--time", "500ms", "--json")
	if code != exitDone {
		t.Fatalf("exit code %d\n%s", code, errOut)
	}
	if r := l.result(out); r.Effective.DelayPath != "udp" || !strings.Contains(r.Remote.Address, address) {
		t.Errorf("with %s, delay by %q", r.Remote.Address, r.Effective.DelayPath)
	}
}

// linkLocal waits until the link-local address of computer i is found to be its
// own (RFC 4862, duplicate address detection takes a second), and returns it.
func (l *lab) linkLocal(i int) string {
	l.t.Helper()
	for began := time.Now(); time.Since(began) < 30*time.Second; time.Sleep(100 * time.Millisecond) {
		out, err := l.Command(i, "ip", "-6", "-o", "addr", "show", "dev", netlab.Adapter, "scope", "link", "-tentative").Output()
		if fields := strings.Fields(string(out)); err == nil && len(fields) > 3 {
			address, _, _ := strings.Cut(fields[3], "/")
			return address
		}
	}
	l.t.Fatal("no link-local address in 30 s")
	return ""
}
