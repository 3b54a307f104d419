package verdict

import (
	"fmt"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// processor looks for a phase with one core at its stop most of the time, and
// tells whether the test itself kept it busy. The busiest core of each reading
// counts: the system moves work between cores.
func processor(f *facts) *model.Finding {
	var foreign *model.Finding
	for _, phase := range f.phases() {
		for _, side := range sides() {
			readings := f.hosts(side, phase)
			if !atStop(readings) {
				continue
			}
			share, known := ownShare(readings)
			if !known || share >= explains {
				return f.processorFinding(phase, side)
			}
			if foreign == nil {
				foreign = f.takenFinding(phase, side, share)
			}
		}
	}
	return foreign
}

const (
	// stop is the busy share at which a core has nothing left.
	stop = 0.95
	// explains is the part of a busy core that the test must have used itself to
	// be what keeps it busy. Readings are not exact, so it is not all of it.
	explains = 0.8
)

func atStop(readings []model.Sample) bool {
	const fewest = 3
	busy := 0
	for _, s := range readings {
		if s.Host.Busiest() >= stop {
			busy++
		}
	}
	return len(readings) >= fewest && 2*busy > len(readings)
}

// ownShare is what the test itself used of a core at its stop: all of this
// program's time, because it is not known which core it ran on, and that core's
// interrupts, which are the network's work. It is not known where a system does
// not tell interrupts apart.
func ownShare(readings []model.Sample) (share float64, known bool) {
	var sum, n float64
	for _, s := range readings {
		core := busiestCore(s.Host)
		if s.Host.Busiest() < stop {
			continue
		}
		if s.Host.Own <= 0 || core >= len(s.Host.Interrupts) {
			return 0, false
		}
		sum, n = sum+s.Host.Own+s.Host.Interrupts[core], n+1
	}
	return sum / n, n > 0
}

func busiestCore(h *model.Host) int {
	busiest := 0
	for i, share := range h.Cores {
		if share > h.Cores[busiest] {
			busiest = i
		}
	}
	return busiest
}

func (f *facts) processorFinding(phase int, side model.Side) *model.Finding {
	return &model.Finding{
		Code: ProcessorLimit, Certainty: model.Likely,
		Headline: f.subject(side) + "'s processor is the limit",
		Detail:   fmt.Sprintf("At least one of its cores was fully busy for most of the time while %s.", f.doing(phase, side)),
		Fix:      "Close other programs there, plug in a laptop's power supply, and test again.",
	}
}

func (f *facts) takenFinding(phase int, side model.Side, share float64) *model.Finding {
	return &model.Finding{
		Code: ProcessorTaken, Certainty: model.Likely,
		Headline: "Another program keeps " + f.name(side) + "'s processor busy",
		Detail: fmt.Sprintf("At least one of its cores was fully busy for most of the time while %s, but the test used only %s of a core there.",
			f.doing(phase, side), units.Percent(share)),
		Fix: "Close other programs there, and test again.",
	}
}

// doing is what one side does in a phase.
func (f *facts) doing(phase int, side model.Side) string {
	way := f.result.Phases[phase].Direction
	if side == model.Remote {
		way = way.Flip()
	}
	return map[model.Direction]string{model.Send: "sending", model.Receive: "receiving", model.Both: "sending and receiving"}[way]
}
