//go:build linux

package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"linkpace/cmd/internal/netlab"
	"linkpace/engine/model"
	"linkpace/engine/units"
)

// tcpHeaders are what a segment has around its payload as an adapter counts it:
// Ethernet, IPv4, TCP with time stamps. What the kernel passes on as one packet
// has them once.
const tcpHeaders = 14 + 20 + 32

// truth is one way of moving payload that has to agree with the adapters.
type truth struct {
	name    string
	rate    string
	flags   []string
	headers float64
}

func truths() (all []truth) {
	for rate, times := range map[string][]string{
		"10mbit":  {"--time", "3s", "--interval", "100ms"}, // packets and messages are large pieces of little
		"100mbit": {"--time", "2s", "--interval", "50ms"},
		"1gbit":   {"--time", "2s", "--interval", "50ms"},
	} {
		for _, backend := range []string{"auto", "portable"} {
			// Small buffers of connections keep the queue in front of a slow link short.
			for _, c := range []truth{
				{"link", rate, []string{"--mode", "link", "--buffer", "96K"}, tcpHeaders},
				{"app", rate, []string{"--mode", "app", "--buffer", "96K"}, tcpHeaders},
				{"udp", rate, []string{"--udp"}, udpHeaders},
			} {
				c.name = rate + " " + backend + " " + c.name
				c.flags = append(append(c.flags, times...), "--backend", backend, "--streams", "2", "--warmup", "300ms")
				all = append(all, c)
			}
		}
	}
	return all
}

// TestNetnsTruth compares what every way of measuring says with what the adapter
// that received counted in the very same moments, and with what the sender says.
func TestNetnsTruth(t *testing.T) {
	if os.Getenv(netlab.Variable) == "" {
		netlab.New(t) // skips
	}
	lpace := compile(t)
	for _, c := range truths() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := newLabWith(t, lpace)
			for i := range 2 {
				// The queue never overflows: what is thrown away in front of the
				// receiving adapter is other tests' matter.
				l.Run(i, "tc", "qdisc", "add", "dev", netlab.Adapter, "root", "tbf", "rate", c.rate, "burst", "64kb", "limit", "16mb")
			}
			l.serve(0, "--name", "NAS")
			wraps := [2]*wrapping{l.wrapping(0, c.headers), l.wrapping(1, c.headers)}
			// A computer that is busy with other things can be off once, by chance.
			var off []string
			for range 3 {
				r := l.finished(c.flags...)
				checkSums(t, r)
				checkEnds(t, r)
				if off = differences(r, wraps); len(off) == 0 {
					return
				}
				t.Log(off)
			}
			t.Error(off)
		})
	}
}

// differences names the ways in which payload is not what the adapters carried.
func differences(r *model.Result, wraps [2]*wrapping) (off []string) {
	for _, s := range r.Summaries() {
		receiver := wraps[0]
		if model.Receiver(s.Dir) == model.Local {
			receiver = wraps[1]
		}
		if ratio := adapterRatio(r, s.Phase, s.Dir, receiver); !(math.Abs(ratio-1) < 0.005) {
			off = append(off, fmt.Sprintf("phase %d %s: payload is %.4f of what the adapter carried for it", s.Phase, s.Dir, ratio))
		}
	}
	return off
}

// finished runs a test from computer 1 to the end, as soon as the agent listens.
func (l *lab) finished(args ...string) *model.Result {
	l.t.Helper()
	args = append([]string{"test", l.Address(0), "--json"}, args...)
	out, errOut, code := l.output(1, args...)
	for began := time.Now(); code == exitUnreachable && time.Since(began) < 20*time.Second; {
		out, errOut, code = l.output(1, args...)
	}
	if code != exitDone {
		l.t.Fatalf("exit code %d\n%s", code, errOut)
	}
	r := l.result(out)
	for _, n := range r.Notes {
		if n.Code == "late_payload_dropped" || n.Code == "counts_differ" {
			l.t.Errorf("%s: %s", n.Side, n.Text)
		}
	}
	return r
}

// checkSums checks that connections add up to what is said of all together.
func checkSums(t *testing.T, r *model.Result) {
	t.Helper()
	type moment struct {
		at   time.Duration
		side model.Side
		way  model.Direction
	}
	sums, flows := map[moment]units.Bytes{}, map[moment]units.Bytes{}
	for _, s := range r.Samples {
		switch m := (moment{s.At, s.Side, s.Dir}); {
		case s.Dir == "" || s.Ping > 0:
		case s.Flow == model.SumFlow:
			sums[m] = s.Bytes
		default:
			flows[m] += s.Bytes
		}
	}
	if len(sums) < 20 || len(flows) != len(sums) {
		t.Errorf("%d sums, %d moments of single connections", len(sums), len(flows))
	}
	for m, sum := range sums {
		if flows[m] != sum {
			t.Errorf("%+v: connections add up to %d bytes, the sum is %d", m, flows[m], sum)
		}
	}
}

// checkEnds checks that receivers ended with what the senders sent.
func checkEnds(t *testing.T, r *model.Result) {
	t.Helper()
	sums := r.Summaries()
	if len(sums) != 4 {
		t.Fatalf("%d summaries, want sending, receiving and two of both", len(sums))
	}
	for _, s := range sums {
		sent, came := counted(t, r, s.Phase, s.Dir)
		if r.Transport == model.TCP && (sent.Bytes != came.Bytes || sent.Bytes == 0) {
			t.Errorf("phase %d %s: %d bytes sent, %d came", s.Phase, s.Dir, sent.Bytes, came.Bytes)
		}
	}
}

// reading is what had come at one moment: payload as the receiver counted it, and
// as its adapter did.
type reading struct{ payload, carried float64 }

// adapterRatio compares the payload of a measured window with what the receiving
// adapter carried meanwhile, minus what was wrapped around it. It is no number
// without readings.
func adapterRatio(r *model.Result, phase int, way model.Direction, wrapped *wrapping) float64 {
	readings := readingsOf(r, phase, way, wrapped)
	third := len(readings) / 3
	if third == 0 {
		return math.NaN()
	}
	a, b := truest(readings[:third]), truest(readings[len(readings)-third:])
	return (b.payload - a.payload) / (b.carried - a.carried)
}

// truest is the reading in which the adapter is least ahead. It counts first and is
// read last, so whatever stops the program or the system in between puts it
// ahead, and nothing puts it behind.
func truest(readings []reading) reading {
	return slices.MinFunc(readings, func(a, b reading) int {
		return cmp.Compare(a.carried-a.payload, b.carried-b.payload)
	})
}

// readingsOf lists what the receiver of a way and its adapter counted in the
// window. With datagrams, those that found the socket full count too: the adapter
// had carried them.
func readingsOf(r *model.Result, phase int, way model.Direction, wrapped *wrapping) (all []reading) {
	from, to := r.Phases[phase].Window()
	receiver := model.Receiver(way)
	carried := map[time.Duration]units.Bytes{}
	for _, s := range r.Samples {
		if s.Host != nil && s.Side == receiver {
			carried[s.At] = s.Host.AdapterRx
		}
	}
	for _, s := range r.Samples {
		if s.Side == receiver && s.Dir == way && s.Flow == model.SumFlow && s.At >= from && s.At <= to && carried[s.At] > 0 {
			lost := float64(s.Lost) * float64(r.Effective.Block)
			bytes := float64(carried[s.At])
			all = append(all, reading{float64(s.Bytes) + lost, bytes - wrapped.at(bytes)})
		}
	}
	return all
}
