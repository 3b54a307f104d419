//go:build linux

package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"linkpace/engine/model"
)

// TestNetnsRetransmitsAreTheKernels loses segments of payload and compares what
// the connections of a whole test say they sent again with what the kernels of
// both computers counted.
func TestNetnsRetransmitsAreTheKernels(t *testing.T) {
	for name, c := range map[string]struct {
		loss  int // of 1000
		flags []string
	}{
		"fast":     {1, []string{"--mode", "link"}},
		"portable": {10, []string{"--mode", "app", "--backend", "portable"}},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.Shape("200mbit")
			for i := range 2 {
				ports := l.flowsOf(i)
				l.Run(i, "nft", fmt.Sprintf("add rule inet flows in %s @open meta length > 1000 numgen random mod 1000 < %d drop", ports, c.loss))
			}
			files := [2]*os.File{l.Statistics(0, "snmp"), l.Statistics(1, "snmp")}
			l.serve(0, "--name", "NAS")
			l.waitFor(1, "NAS")
			before := [2]uint64{retransmitted(t, files[0]), retransmitted(t, files[1])}
			r := l.finished(append(c.flags, "--streams", "3", "--time", "1500ms", "--warmup", "300ms")...)
			for i, side := range []model.Side{model.Remote, model.Local} {
				kernel := retransmitted(t, files[i]) - before[i]
				own := lastRetransmits(r, side)
				t.Logf("%s: the connections sent %d segments again, the kernel %d", side, own, kernel)
				// The conversation's own connection loses nothing, but on a busy
				// computer an acknowledgement may be late for the kernel's patience.
				if own == 0 || own > kernel || kernel-own > 5 {
					t.Errorf("%s: the connections sent %d segments again, the kernel %d", side, own, kernel)
				}
			}
		})
	}
}

// lastRetransmits adds up what all connections of a side that sent had sent again
// when each phase was over.
func lastRetransmits(r *model.Result, side model.Side) (sum uint64) {
	type connection struct {
		phase int
		flow  int
		way   model.Direction
	}
	last := map[connection]uint64{}
	for _, s := range r.Samples {
		if s.Side == side && s.Flow != model.SumFlow && s.TCP != nil && side != model.Receiver(s.Dir) {
			last[connection{s.Phase, s.Flow, s.Dir}] = s.TCP.Retransmits
		}
	}
	for _, n := range last {
		sum += n
	}
	return sum
}

// retransmitted reads the counter of segments sent again from /proc/net/snmp: a
// line of names, then one of numbers.
func retransmitted(t *testing.T, file *os.File) uint64 {
	t.Helper()
	var text [8192]byte
	n, _ := file.ReadAt(text[:], 0)
	var names []string
	for line := range strings.Lines(string(text[:n])) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || fields[0] != "Tcp:":
		case names == nil:
			names = fields
		default:
			for i, name := range names {
				if name == "RetransSegs" && i < len(fields) {
					count, err := strconv.ParseUint(fields[i], 10, 64)
					if err != nil {
						t.Fatal(err)
					}
					return count
				}
			}
		}
	}
	t.Fatalf("no RetransSegs in %q", text[:n])
	return 0
}
