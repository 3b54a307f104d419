package engine

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"linkpace/engine/internal/sock"
	"linkpace/engine/model"
)

// The wishes of a test reach the sockets of both computers, and what came of
// them stands in both Results.
func TestWishesReachTheSockets(t *testing.T) {
	p := newPair(t, sock.Best())
	spec := short()
	spec.Phases = spec.Phases[1:2]
	spec.SendBuffer, spec.ReceiveBuffer, spec.MSS, spec.Congestion = 100_000, 120_000, 1000, "no-such-thing"
	a, b := p.run(t, spec)
	for name, r := range map[string]*model.Result{"initiator": a, "responder": b} {
		if r.Outcome != model.Completed {
			t.Fatalf("%s: %s, %v", name, r.Outcome, r.Problem)
		}
		e := r.Effective
		if e.SendBuffer < 100_000 || e.SendBuffer > 200_000 || e.ReceiveBuffer < 120_000 || e.ReceiveBuffer > 240_000 {
			t.Errorf("%s: buffers of %d and %d bytes", name, e.SendBuffer, e.ReceiveBuffer)
		}
		refused := false
		for _, n := range r.Notes {
			refused = refused || n.Code == "not_granted" && strings.Contains(n.Text, "no-such-thing")
		}
		if !refused {
			t.Errorf("%s: nothing says that the algorithm was refused: %v", name, r.Notes)
		}
	}
	if mss := a.Effective.MSS; mss == 0 || mss > 1000 {
		t.Errorf("segments of %d bytes, want at most 1000", mss)
	}
}

func TestPortableBackendOnRequest(t *testing.T) {
	p := newPair(t, sock.Best())
	spec := short()
	spec.Phases, spec.Backend = spec.Phases[1:2], model.BackendPortable
	a, b := p.run(t, spec)
	for name, r := range map[string]*model.Result{"initiator": a, "responder": b} {
		if e := r.Effective; r.Outcome != model.Completed || e.Backend != "portable" || e.Syscalls != "plain" {
			t.Errorf("%s: %s by %s with %s system calls", name, r.Outcome, e.Backend, e.Syscalls)
		}
	}
}

func TestConnectionsTellWhatTheKernelSays(t *testing.T) {
	p := newPair(t, sock.Best())
	spec := short()
	spec.Phases, spec.Rate, spec.Streams = spec.Phases[1:2], 0, 3
	a, b := p.run(t, spec)
	if runtime.GOOS != "linux" {
		t.Skip("whether this system tells depends on its version")
	}
	for name, r := range map[string]*model.Result{"initiator": a, "responder": b} {
		sides := map[model.Side]int{}
		for _, s := range r.Samples {
			if s.TCP != nil && s.Flow == model.SumFlow && s.TCP.RTT > 0 && s.TCP.RTT < time.Minute {
				sides[s.Side]++
			}
		}
		if sides[model.Local] == 0 || sides[model.Remote] == 0 {
			t.Errorf("%s: sums with kernel figures: %v", name, sides)
		}
		if s := r.Summaries(); len(s) != 1 || s[0].Retransmits == nil {
			t.Errorf("%s: no retransmits in %+v", name, s)
		}
	}
}
