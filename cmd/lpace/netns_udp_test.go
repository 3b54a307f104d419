//go:build linux

package main

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"linkpace/cmd/internal/netlab"
	"linkpace/engine/model"
)

// udpHeaders are what a datagram has around its payload on the wire: Ethernet,
// IPv4 and UDP.
const udpHeaders = 14 + 20 + 8

// datagrams runs a test over UDP from computer 1 and gives its Result.
func (l *lab) datagrams(args ...string) *model.Result {
	l.t.Helper()
	out, errOut, code := l.output(1, append([]string{"test", l.Address(0), "--udp", "--json"}, args...)...)
	for began := time.Now(); code == exitUnreachable && time.Since(began) < 20*time.Second; { // until the agent listens
		out, errOut, code = l.output(1, append([]string{"test", l.Address(0), "--udp", "--json"}, args...)...)
	}
	if code != exitDone {
		l.t.Fatalf("exit code %d\n%s", code, errOut)
	}
	return l.result(out)
}

// counted gives the last reading of one way of a phase on both sides.
func counted(t *testing.T, r *model.Result, phase int, way model.Direction) (sent, came model.Sample) {
	t.Helper()
	for _, s := range r.Samples {
		if s.Phase != phase || s.Dir != way || s.Flow != model.SumFlow || s.Ping > 0 {
			continue
		}
		if s.Side == model.Receiver(way) {
			came = s
		} else {
			sent = s
		}
	}
	if r.Transport == model.UDP && (sent.Packets == 0 || sent.Packets != came.Packets+came.Lost) {
		t.Errorf("phase %d %s: %d sent, %d came and %d lost", phase, way, sent.Packets, came.Packets, came.Lost)
	}
	return sent, came
}

// lose has computer i throw away 1 % of the full datagrams that come to it.
func (l *lab) lose(i int) {
	l.t.Helper()
	l.Run(i, "nft", "add table inet f; add counter inet f lost; add chain inet f in { type filter hook input priority 0; }; "+
		"add rule inet f in meta l4proto udp iifname "+netlab.Adapter+" meta length > 500 numgen random mod 100 < 1 counter name lost drop")
}

// lost gives what computer i threw away, in packets and bytes of IP.
func (l *lab) lost(i int) (packets, bytes uint64) {
	l.t.Helper()
	out, err := l.Command(i, "nft", "-j", "list", "counter", "inet", "f", "lost").Output()
	var list struct {
		Items []struct {
			Counter struct {
				Packets, Bytes uint64
			} `json:"counter"`
		} `json:"nftables"`
	}
	if err == nil {
		err = json.Unmarshal(out, &list)
	}
	if err != nil || len(list.Items) == 0 {
		l.t.Fatalf("counter: %v in %q", err, out)
	}
	last := list.Items[len(list.Items)-1].Counter
	return last.Packets, last.Bytes
}

func TestNetnsLossIsCountedExactly(t *testing.T) {
	for name, flags := range map[string][]string{
		"runs":   {"--rate", "400M"},
		"single": {"--rate", "40M", "--plain-datagrams"},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			for i := range 2 {
				l.lose(i)
			}
			l.serve(0, "--name", "NAS")
			r := l.datagrams(append(flags, "--block", "1000", "--direction", "both", "--time", "3s", "--streams", "2")...)
			for _, c := range []struct {
				way      model.Direction
				receiver int
			}{{model.Send, 0}, {model.Receive, 1}} {
				sent, came := counted(t, r, 1, c.way)
				packets, bytes := l.lost(c.receiver)
				dropped := (bytes - packets*(udpHeaders-14)) / 1000
				t.Logf("%s: %d sent, %d came, %d lost; %d packets of %d datagrams thrown away", c.way, sent.Packets, came.Packets, came.Lost, packets, dropped)
				if dropped == 0 || came.Lost != dropped || came.Late+came.Duplicated != 0 {
					t.Errorf("%s: %d lost, %d late, %d doubled, thrown away %d", c.way, came.Lost, came.Late, came.Duplicated, dropped)
				}
			}
			for _, s := range r.Summaries() {
				checkBinomial(t, s)
			}
		})
	}
}

// checkBinomial checks that the loss of a summary is 1 % give or take five
// standard deviations, with up to 64 datagrams lost together.
func checkBinomial(t *testing.T, s model.Summary) {
	t.Helper()
	if s.Loss == nil {
		t.Errorf("%s: no loss", s.Dir)
		return
	}
	n := float64(s.Packets+s.Lost) / 64
	if deviation := math.Sqrt(0.01 * 0.99 / n); math.Abs(*s.Loss-0.01) > 5*deviation {
		t.Errorf("%s: loss %.4f of %d, want 0.01 +- %.4f", s.Dir, *s.Loss, s.Packets+s.Lost, 5*deviation)
	}
}

func TestNetnsPacedDatagramsAllArrive(t *testing.T) {
	l := newLab(t)
	l.Shape("100mbit")
	l.serve(0, "--name", "NAS")
	r := l.datagrams("--rate", "50M", "--time", "2s", "--streams", "2")
	for _, s := range r.Summaries() {
		t.Logf("%s %s: %v, loss %v, jitter %v, %d dropped", s.Direction, s.Dir, s.Rate, *s.Loss, *s.Jitter, s.Dropped)
		if s.Rate < 47.5e6 || s.Rate > 50.25e6 || s.Lost != 0 { // a busy computer may send less
			t.Errorf("%s %s: %v, %d lost", s.Direction, s.Dir, s.Rate, s.Lost)
		}
	}
}

// TestNetnsDatagramsAsFastAsTheLink compares the payload with what the receiving
// adapter counted, and with what the shaper lets through at most, minus headers.
func TestNetnsDatagramsAsFastAsTheLink(t *testing.T) {
	for name, flags := range map[string][]string{"runs": nil, "single": {"--plain-datagrams"}} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.Shape("100mbit")
			l.serve(0, "--name", "NAS")
			r := l.datagrams(append(flags, "--direction", "receive", "--time", "3s", "--streams", "1")...)
			s := r.Summaries()[0]
			// The shaper counts 1514 bytes for 1472 of payload. A busy computer may
			// leave it without work for a moment.
			if ratio := float64(s.Rate) / (100e6 * 1472 / 1514); ratio > 1.005 || ratio < 0.9 {
				t.Errorf("%v through 100 Mbit/s", s.Rate)
			}
			payload, carried := l.received(r)
			size := float64(r.Effective.Block)
			ratio := payload / (carried * size / (size + udpHeaders))
			t.Logf("%v, %d lost; %.4f of what the adapter carried", s.Rate, s.Lost, ratio)
			if math.Abs(ratio-1) > 0.005 {
				t.Errorf("payload is %.4f of what the adapter carried", ratio)
			}
		})
	}
}

// received gives what the first phase after the idle one brought to this side, and
// what the adapter counted meanwhile.
func (l *lab) received(r *model.Result) (payload, carried float64) {
	l.t.Helper()
	from, to := r.Phases[1].Window()
	var first, last *model.Sample
	for i, s := range r.Samples {
		if s.Side == model.Local && s.Host != nil && s.At >= from && s.At <= to {
			if first == nil {
				first = &r.Samples[i]
			}
			last = &r.Samples[i]
		}
	}
	if first == nil || first == last {
		l.t.Fatal("no adapter counters in the window")
	}
	return float64(last.Bytes - first.Bytes), float64(last.Host.AdapterRx - first.Host.AdapterRx)
}

func TestNetnsUDPTestBlocked(t *testing.T) {
	for name, rule := range map[string]string{
		"there": "udp dport 47820 drop", "back": "meta l4proto udp meta length > 40 meta length < 200 drop",
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.serve(0, "--name", "NAS")
			l.waitFor(1, "NAS")
			l.Run(map[string]int{"there": 0, "back": 1}[name], "nft", "add table inet f; add chain inet f in { type filter hook input priority 0; }; add rule inet f in iifname "+netlab.Adapter+" "+rule)
			out, errOut, code := l.output(1, "test", l.Address(0), "--udp", "--direction", "send", "--time", "1s", "--json")
			r := l.result(out)
			t.Logf("exit code %d: %v", code, r.Problem)
			if r.Problem == nil || r.Problem.Code != model.CodeUnreachable || !strings.Contains(r.Problem.Text, "UDP") || code != exitUnreachable {
				t.Errorf("exit code %d, %v\n%s", code, r.Problem, errOut)
			}
		})
	}
}

func TestNetnsDatagramsByIPv6(t *testing.T) {
	l := newLab(t)
	l.serve(0, "--name", "NAS")
	l.waitFor(1, "NAS")
	l.linkLocal(1)
	address := l.linkLocal(0)
	out, errOut, code := l.output(1, "test", "["+address+"%"+netlab.Adapter+"]:47820", "--udp", "--rate", "20M", "--time", "500ms", "--warmup", "100ms", "--json")
	if code != exitDone {
		t.Fatalf("exit code %d\n%s", code, errOut)
	}
	r := l.result(out)
	if r.Effective.Block != 1452 {
		t.Errorf("datagrams of %v, want 1452 bytes", r.Effective.Block)
	}
	for i, way := range []model.Direction{model.Send, model.Receive} {
		if _, came := counted(t, r, i+1, way); came.Lost != 0 {
			t.Errorf("%s: %d lost", way, came.Lost)
		}
	}
}

func TestNetnsDatagramsLargerThanThePath(t *testing.T) {
	l := newLab(t)
	l.serve(0, "--name", "NAS")
	r := l.datagrams("--block", "8000", "--rate", "50M", "--direction", "both", "--time", "1s", "--warmup", "200ms")
	for _, way := range []model.Direction{model.Send, model.Receive} {
		sent, came := counted(t, r, 1, way)
		if came.Lost != 0 || int64(came.Bytes) != int64(sent.Packets)*8000 {
			t.Errorf("%s: %d lost, %d bytes in %d datagrams", way, came.Lost, came.Bytes, came.Packets)
		}
	}
}

// TestNetnsDatagramsKeepToTheirRateBothWays has the queue of the adapter spread
// the datagrams out where the kernel has one that can (fq; tc-fq(8)).
func TestNetnsDatagramsKeepToTheirRateBothWays(t *testing.T) {
	l := newLab(t)
	for i := range 2 {
		if out, err := l.Command(i, "tc", "qdisc", "add", "dev", netlab.Adapter, "root", "fq").CombinedOutput(); err != nil {
			t.Logf("this kernel has no fair queue, so the usual one has to do: %s", out)
		}
	}
	l.serve(0, "--name", "NAS")
	r := l.datagrams("--rate", "200M", "--time", "2s", "--direction", "both", "--streams", "2")
	for _, s := range r.Summaries() {
		t.Logf("%s: %v, %d lost, jitter %v", s.Dir, s.Rate, s.Lost, *s.Jitter)
		if s.Rate > 201e6 || s.Packets == 0 {
			t.Errorf("%s: %v, %d datagrams", s.Dir, s.Rate, s.Packets)
		}
	}
}

// As fast as possible through a path that carries a thousandth of it: nearly all
// is lost, of the conversation too, and the test ends whole all the same.
func TestNetnsDatagramsFloodASlowPath(t *testing.T) {
	l := newLab(t)
	l.Shape("5mbit")
	l.serve(0, "--name", "NAS")
	l.waitFor(1, "NAS")
	r := l.datagrams("--time", "3s", "--direction", "send", "--streams", "1")
	sums := r.Summaries()
	if len(sums) != 1 || sums[0].Loss == nil || *sums[0].Loss < 0.5 || sums[0].Packets == 0 {
		t.Fatalf("%+v", sums)
	}
	t.Logf("%v, %.2f %% lost", sums[0].Rate, 100**sums[0].Loss)
}

func TestNetnsUDPBroken(t *testing.T) {
	for name, breakIt := range map[string]func(*lab, *os.Process){
		"peer killed": func(_ *lab, agent *os.Process) { agent.Kill() },
		"cable cut":   func(l *lab, _ *os.Process) { l.Run(0, "ip", "link", "set", netlab.Adapter, "down") },
		"own cable":   func(l *lab, _ *os.Process) { l.Run(1, "ip", "link", "set", netlab.Adapter, "down") },
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			agent := l.command(0, "serve", "--name", "NAS")
			if err := agent.Start(); err != nil {
				t.Fatal(err)
			}
			defer agent.Wait()
			defer agent.Process.Kill()
			cmd, out := l.measuring(1, "--udp", "--rate", "50M")
			breakIt(l, agent.Process)
			code, took := l.ended(cmd)
			t.Logf("ended after %v", took)
			l.checkPartial(out.String(), code, model.Partial, exitPartial)
			if took > 15*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}
