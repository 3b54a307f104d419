//go:build linux

package main

import (
	"bytes"
	"os/exec"
	"testing"
	"time"

	"linkpace/engine/model"
)

// TestNetnsOwnShareIsWhatTheSystemCharges compares the processor time that a
// Result accounts for with what the system charged the program, with another
// program beside it that takes what it can.
func TestNetnsOwnShareIsWhatTheSystemCharges(t *testing.T) {
	l := newLab(t)
	l.serve(0, "--name", "NAS")
	l.finished("--time", "300ms", "--warmup", "100ms") // the first test makes files
	// What a test charges that no sample covers, beginning and end, shows in one
	// that hardly moves anything.
	charged, accounted := l.charged("--rate", "1M")
	apart := charged - accounted
	t.Logf("charged %v, accounted for %v", charged, accounted)

	busy := l.Command(1, "sh", "-c", "while :; do :; done")
	if err := busy.Start(); err != nil {
		t.Fatal(err)
	}
	defer busy.Wait()
	defer busy.Process.Kill()
	charged, accounted = l.charged()
	t.Logf("charged %v, accounted for %v", charged, accounted)
	if own := charged - apart; accounted < own*95/100 || accounted > own*105/100 {
		t.Errorf("accounted for %v, charged %v and %v for beginning and end", accounted, own, apart)
	}
}

// charged runs a test and returns what the system charged for the program and what
// its samples account for.
func (l *lab) charged(flags ...string) (charged, accounted time.Duration) {
	l.t.Helper()
	cmd := l.command(1, append([]string{"test", l.Address(0), "--direction", "both", "--time", "3s", "--mode", "app", "--json"}, flags...)...)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil {
		l.t.Fatalf("%v\n%s", err, errOut.String())
	}
	var at time.Duration
	for _, s := range l.result(out.String()).Samples {
		if s.Host != nil && s.Side == model.Local {
			accounted += time.Duration(s.Host.Own * float64(s.At-at))
			at = s.At
		}
	}
	return usedBy(cmd), accounted
}

// usedBy is the processor time of a program that has ended.
func usedBy(cmd *exec.Cmd) time.Duration {
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}
