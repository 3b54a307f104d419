package main

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"linkpace/engine/export"
	"linkpace/engine/model"
)

// parsed gives the Spec of a command line of lpace test.
func parsed(line string) (model.Spec, error) {
	o := defaultOptions()
	cmd := (&app{}).testCommand()
	cmd.ResetFlags()
	addFlags(cmd, testFlags(&o))
	if err := cmd.ParseFlags(strings.Fields(line)); err != nil {
		return o.spec, err
	}
	err := o.complete(cmd.Flags().Changed)
	return o.spec, err
}

func TestFlagsMakeASpec(t *testing.T) {
	for line, change := range map[string]func(*model.Spec){
		"":                             func(*model.Spec) {},
		"--udp":                        func(s *model.Spec) { s.Transport = model.UDP },
		"--udp --rate 100M":            func(s *model.Spec) { s.Transport, s.Rate = model.UDP, 100_000_000 },
		"--udp --block 1448":           func(s *model.Spec) { s.Transport, s.Block = model.UDP, 1448 },
		"--block 1":                    func(s *model.Spec) { s.Block = 1 },
		"--buffer 4M":                  func(s *model.Spec) { s.SendBuffer, s.ReceiveBuffer = 4<<20, 4<<20 },
		"--send-buffer 64K":            func(s *model.Spec) { s.SendBuffer = 64 << 10 },
		"--no-delay --mss 1400":        func(s *model.Spec) { s.NoDelay, s.MSS = true, 1400 },
		"--dscp EF":                    func(s *model.Spec) { s.DSCP = 46 },
		"--congestion BBR":             func(s *model.Spec) { s.Congestion = "bbr" },
		"--cpu 0,2-3/1":                func(s *model.Spec) { s.CPUs, s.PeerCPUs = []int{0, 2, 3}, []int{1} },
		"--threads 2":                  func(s *model.Spec) { s.Threads = 2 },
		"--probe 5ms":                  func(s *model.Spec) { s.Probe = 5 * time.Millisecond },
		"--probe 0 --idle 0":           func(s *model.Spec) { s.Probe, s.Phases = 0, s.Phases[1:] },
		"--idle 2":                     func(s *model.Spec) { s.Phases[0].Duration = 2 * time.Second },
		"--outstanding 8":              func(s *model.Spec) { s.Outstanding = 8 },
		"--backend portable":           func(s *model.Spec) { s.Backend = model.BackendPortable },
		"--backend auto":               func(*model.Spec) {},
		"--syscalls plain":             func(s *model.Spec) { s.Syscalls = model.SyscallsPlain },
		"--udp --plain-datagrams":      func(s *model.Spec) { s.Transport, s.PlainDatagrams = model.UDP, true },
		"-4":                           func(s *model.Spec) { s.Family = model.IPv4 },
		"-6":                           func(s *model.Spec) { s.Family = model.IPv6 },
		"--mode app --verify":          func(s *model.Spec) { s.Mode, s.Verify = model.ModeApp, true },
		"--buffer 4M --send-buffer 1M": func(s *model.Spec) { s.SendBuffer, s.ReceiveBuffer = 1<<20, 4<<20 },
	} {
		want := model.DefaultSpec()
		change(&want)
		if got, err := parsed(line); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v\ngot  %+v\nwant %+v", line, err, got, want)
		}
	}
}

func TestFlagsMakePhases(t *testing.T) {
	type phase struct {
		direction                model.Direction
		length, warmup, cooldown time.Duration
	}
	for line, c := range map[string]struct {
		phases   int // besides the idle link
		last     phase
		interval time.Duration
	}{
		"":                              {3, phase{model.Both, 4 * time.Second, time.Second, 0}, model.DefaultInterval},
		"--direction send --time 900ms": {1, phase{model.Send, 900 * time.Millisecond, 300 * time.Millisecond, 0}, model.DefaultInterval},
		"--direction receive --warmup 2s --cooldown 1s": {1, phase{model.Receive, 4 * time.Second, 2 * time.Second, time.Second}, model.DefaultInterval},
		"--endless": {1, phase{model.Both, 10 * time.Hour, time.Second, 0}, time.Second},
		"--endless --direction send --interval 2s": {1, phase{model.Send, 10 * time.Hour, time.Second, 0}, 2 * time.Second},
		"--bytes 10G": {3, phase{model.Both, 10 * time.Minute, 0, 0}, model.DefaultInterval},
		"--bytes 10G --time 1m --warmup 2s --direction both": {1, phase{model.Both, time.Minute, 2 * time.Second, 0}, model.DefaultInterval},
	} {
		s, err := parsed(line)
		if err != nil {
			t.Errorf("%q: %v", line, err)
			continue
		}
		p := s.Phases[len(s.Phases)-1]
		if got := (phase{p.Direction, p.Duration, p.Warmup, p.Cooldown}); got != c.last || len(s.Phases) != c.phases+1 || s.Interval != c.interval {
			t.Errorf("%q: got %d phases, %+v, a sample each %v", line, len(s.Phases)-1, got, s.Interval)
		}
		if idle := s.Phases[0]; idle.Direction != model.Idle || idle.Cooldown != 0 {
			t.Errorf("%q: the test begins with %+v", line, idle)
		}
	}
}

func TestFlagsThatDoNotGoTogether(t *testing.T) {
	values := map[string]string{"time": "2s", "bytes": "1G", "cooldown": "1s", "mss": "1400", "congestion": "cubic"}
	write := func(flag string) string { return strings.TrimSpace("--" + flag + " " + values[flag]) }
	for _, c := range conflicts() {
		for _, line := range []string{write(c.one) + " " + write(c.other), write(c.other) + " " + write(c.one)} {
			_, err := parsed(line)
			if exitCode(err) != exitUsage || !strings.Contains(err.Error(), "--"+c.one) || !strings.Contains(err.Error(), "--"+c.other) {
				t.Errorf("%s: %v", line, err)
			}
		}
		if _, err := parsed(write(c.one)); err != nil {
			t.Errorf("%s alone: %v", c.one, err)
		}
		if _, err := parsed(write(c.other)); err != nil {
			t.Errorf("%s alone: %v", c.other, err)
		}
	}
	for line, names := range map[string]string{
		"--plain-datagrams": "--udp", "--udp --block 31": "--block is 31 B", "--udp --block 64K": "--block is 64 KiB", "--warmup 4s": "warmup is 4s", "--idle 50ms": "--idle is 50ms", "--probe 1us": "probe interval is 1µs",
	} {
		if _, err := parsed(line); exitCode(err) != exitUsage || !strings.Contains(err.Error(), names) || !strings.Contains(err.Error(), "use ") {
			t.Errorf("%s: %v, want it to name %q", line, err, names)
		}
	}
}

func TestHelpShowsEveryFlagOnceInItsGroup(t *testing.T) {
	out, _, code := lpace(t, t.TempDir(), "test", "--help")
	if code != exitDone {
		t.Fatalf("exit code %d", code)
	}
	at := 0
	for _, g := range testFlags(new(testOptions)) {
		next := strings.Index(out, "\n"+g.title+":\n")
		if next < at {
			t.Errorf("%q is missing or not in its place", g.title)
		}
		at = next
	}
	explained := regexp.MustCompile(`(?m)^ +(-\w, )?--([a-z0-9-]+)`).FindAllStringSubmatch(out, -1)
	times := map[string]int{}
	for _, match := range explained {
		times[match[2]]++
	}
	for _, flag := range []string{"direction", "bytes", "endless", "idle", "probe", "udp", "rate", "ipv4", "buffer", "mss", "dscp", "cpu", "json", "help", "verbose"} {
		if times[flag] != 1 {
			t.Errorf("--%s is explained %d times", flag, times[flag])
		}
	}
	for line := range strings.Lines(out) {
		if len([]rune(line)) > 101 {
			t.Errorf("%d characters: %s", len([]rune(line)), line)
		}
	}
}

// What is asked for reaches both computers and the Result, whatever they grant.
func TestWishesReachTheResult(t *testing.T) {
	out, errOut, code := lpace(t, t.TempDir(), "test", "self", "--time", "300ms", "--direction", "send", "--json", "-4",
		"--buffer", "1M", "--dscp", "EF", "--threads", "1", "--cpu", "0/0", "--no-delay", "--cooldown", "50ms", "--backend", "portable", "--syscalls", "plain")
	if code != exitDone {
		t.Fatalf("exit code %d\n%s", code, errOut)
	}
	r, err := export.Load(strings.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	want, err := parsed("--time 300ms --direction send -4 --buffer 1M --dscp EF --threads 1 --cpu 0/0 --no-delay --cooldown 50ms --backend portable --syscalls plain")
	if err != nil || !reflect.DeepEqual(r.Asked, want) {
		t.Errorf("%v\ngot  %+v\nwant %+v", err, r.Asked, want)
	}
	if r.Effective.Backend != "portable" || len(r.Summaries()) != 1 {
		t.Errorf("backend %q, %d summaries", r.Effective.Backend, len(r.Summaries()))
	}
}
