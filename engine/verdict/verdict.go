// Package verdict says in plain words what a Result means: what limits the
// link, and how sure that is. It is a pure table of rules over the figures and
// facts of the Result.
package verdict

import (
	"slices"

	"linkpace/engine/model"
)

// The codes of the findings.
const (
	Failed          = "failed"
	EndedEarly      = "ended_early"
	NothingMeasured = "nothing_measured"
	SameMachine     = "same_machine"
	ForeignTraffic  = "foreign_traffic"
	SlowLink        = "slow_link"
	HalfDuplex      = "half_duplex"
	LinkFull        = "link_full"
	ProcessorLimit  = "processor_limit"
	OneWaySlow      = "one_way_slow"
	DelayUnderLoad  = "delay_under_load"
	LinkRateWrong   = "link_rate_wrong"
	Unexplained     = "unexplained"

	DatagramsDropped = "datagrams_dropped"
	DatagramsLost    = "datagrams_lost"
	RateAsked        = "rate_asked"
	ProcessorTaken   = "processor_taken"
	ReceiverLimit    = "receiver_limit"
	SenderLimit      = "sender_limit"
	SlowPacing       = "slow_pacing"
)

// rule looks at the facts and finds nothing (nil) or something.
type rule func(f *facts) *model.Finding

// rules are asked in this order: what makes all other figures meaningless
// comes first, then what is certain before what is only likely.
func rules() []rule {
	return []rule{
		sameMachine, foreignTraffic, slowLink, halfDuplex, linkFull, datagramsLost, rateAsked,
		processor, heldBack, oneWaySlow, delayUnderLoad, slowPacing, linkRateWrong,
	}
}

// Findings gives what there is to say about r, the verdict first. It is never
// empty.
func Findings(r *model.Result) []model.Finding {
	f := gather(r)
	ended := howItEnded(f)
	if len(f.summaries) == 0 {
		return []model.Finding{unmeasured(ended)}
	}
	found := slices.Clone(ended)
	for _, ask := range rules() {
		if finding := ask(f); finding != nil {
			found = append(found, *finding)
		}
	}
	if len(found) == 0 {
		found = append(found, unexplained())
	}
	return found
}

func sameMachine(f *facts) *model.Finding {
	if !f.result.SameMachine {
		return nil
	}
	return &model.Finding{
		Code: SameMachine, Certainty: model.Certain,
		Headline: "This is " + f.name(model.Local) + " talking to itself",
		Detail:   "The figures show what the computer and this program can do. They say nothing about a network.",
		Fix:      "Start Linkpace on another computer and test with that one.",
	}
}

func unexplained() model.Finding {
	return model.Finding{
		Code: Unexplained, Certainty: model.Possible,
		Headline: "Nothing on these two computers limits the link",
		Detail:   "No processor was busy all the time, and what is known of the adapters does not explain the speed either.",
		Fix:      "If you expected more, look between them: switch, router, power-line adapter, mesh, Wi-Fi.",
	}
}
