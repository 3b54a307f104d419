package verdict

import (
	"fmt"
	"time"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// processorLimit looks for a phase with one core at its stop most of the time.
// The busiest core of each reading counts: the system moves work between cores.
func processorLimit(f *facts) *model.Finding {
	for _, phase := range f.phases() {
		for _, side := range sides() {
			if f.coreAtStop(phase, side) {
				return f.processorFinding(phase, side)
			}
		}
	}
	return nil
}

func (f *facts) coreAtStop(phase int, side model.Side) bool {
	const stop, fewest = 0.95, 3
	readings := f.hosts(side, phase)
	busy := 0
	for _, s := range readings {
		if s.Host.Busiest() >= stop {
			busy++
		}
	}
	return len(readings) >= fewest && 2*busy > len(readings)
}

func (f *facts) processorFinding(phase int, side model.Side) *model.Finding {
	doing := map[model.Direction]string{model.Send: "sending", model.Receive: "receiving", model.Both: "sending and receiving"}
	way := f.result.Phases[phase].Direction
	if side == model.Remote {
		way = way.Flip()
	}
	return &model.Finding{
		Code: ProcessorLimit, Certainty: model.Likely,
		Headline: f.subject(side) + "'s processor is the limit",
		Detail:   fmt.Sprintf("At least one of its cores was fully busy for most of the time while %s.", doing[way]),
		Fix:      "Close other programs there, plug in a laptop's power supply, and test again.",
	}
}

func oneWaySlow(f *facts) *model.Finding {
	const much = 0.25
	slow, sent := f.alone(model.Send)
	fast, received := f.alone(model.Receive)
	if f.result.SameMachine || !sent || !received {
		return nil
	}
	if slow.Rate > fast.Rate {
		slow, fast = fast, slow
	}
	if slow.Rate >= units.BitRate(1-much)*fast.Rate {
		return nil
	}
	return &model.Finding{
		Code: OneWaySlow, Certainty: model.Possible,
		Headline: fmt.Sprintf("One direction is slow: %s", f.route(slow)),
		Detail:   fmt.Sprintf("It reaches %s, the other way %s.", slow.Rate.Both(), fast.Rate.Both()),
		Fix:      "Try another cable and port, update the network driver, and switch off virtual switches and security filters for a test.",
	}
}

func delayUnderLoad(f *facts) *model.Finding {
	const much = 60 * time.Millisecond
	if f.result.SameMachine {
		return nil
	}
	var worst model.Summary
	var rise time.Duration
	for _, s := range f.summaries {
		if s.DelayIdle == nil || s.DelayLoaded == nil {
			continue
		}
		if r := s.DelayLoaded.Median - s.DelayIdle.Median; r > rise {
			worst, rise = s, r
		}
	}
	if rise < much {
		return nil
	}
	return &model.Finding{
		Code: DelayUnderLoad, Certainty: model.Certain,
		Headline: "Fast, but it stutters when busy",
		Detail: fmt.Sprintf("An answer takes %s on the idle link and %s under load.",
			units.Delay(worst.DelayIdle.Median), units.Delay(worst.DelayLoaded.Median)),
		Fix: "Calls and games suffer while something large is copied. A router with queue management (SQM) helps.",
	}
}
