package verdict

import (
	"fmt"
	"time"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

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
		Detail: fmt.Sprintf("An answer takes %s on the idle link and %s under load.%s",
			units.Delay(worst.DelayIdle.Median), units.Delay(worst.DelayLoaded.Median), programsWait(worst.DelayLoaded)),
		Fix: "Calls and games suffer while something large is copied. A router with queue management (SQM) helps.",
	}
}

// programsWait is a sentence for where programs wait much longer for an answer
// than the network takes, because they wait for a processor too.
func programsWait(d *model.Delays) string {
	const times, atLeast = 3, 5 * time.Millisecond
	if d.ProgramP99 < times*d.P99 || d.ProgramP99-d.P99 < atLeast {
		return ""
	}
	return fmt.Sprintf(" That is the network alone: while these computers are busy, a program on them may wait %s.", units.Delay(d.ProgramP99))
}
