package engine

import (
	"strings"
	"testing"

	"linkpace/engine/internal/sock"
	"linkpace/engine/model"
)

func TestAProcessorThatIsNotThereIsNotedOnce(t *testing.T) {
	if sock.Best().Name() == (sock.Portable{}).Name() {
		t.Skip("the portable backend has no threads of its own")
	}
	p := newPair(t, sock.Best())
	spec := short()
	spec.Phases, spec.CPUs, spec.PeerCPUs = spec.Phases[1:3], []int{model.MaxCPU}, []int{0}
	a, b := p.run(t, spec)
	for name, r := range map[string]*model.Result{"initiator": a, "responder": b} {
		if r.Outcome != model.Completed {
			t.Fatalf("%s: %s, %v", name, r.Outcome, r.Problem)
		}
		notes := map[model.Side]int{}
		for _, n := range r.Notes {
			if n.Code == "not_granted" && strings.Contains(n.Text, "processor") {
				notes[n.Side]++
			}
		}
		from := map[string]model.Side{"initiator": model.Local, "responder": model.Remote}[name]
		if len(notes) != 1 || notes[from] != 1 {
			t.Errorf("%s: %v, want one note about %s", name, notes, from)
		}
	}
}
