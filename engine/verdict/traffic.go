package verdict

import (
	"fmt"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// What a test itself puts on the adapter, so that the rest is foreign.
const (
	// headerShare covers the headers of full packets (6 % with IPv6) and
	// packets that were sent again.
	headerShare = 0.07
	// answerShare covers the acknowledgements of payload that goes the other
	// way, one for every two packets.
	answerShare = 0.03
	// chatter covers delay probes and control messages, per second.
	chatter = units.Bytes(100_000)
)

// carried is what an adapter moved in one way during a stretch of a phase.
type carried struct {
	side    model.Side
	total   units.Bytes
	foreign units.Bytes
	rate    units.BitRate // of the foreign part
}

func (c carried) share() float64 { return float64(c.foreign) / float64(c.total) }

func foreignTraffic(f *facts) *model.Finding {
	const much = 0.1
	// The share of headers is known for full TCP packets only, and loopback
	// counts every byte of a test with itself twice.
	if f.result.SameMachine || f.result.Transport != model.TCP || f.result.Asked.MSS > 0 {
		return nil
	}
	var worst carried
	for _, phase := range f.phases() {
		for _, side := range sides() {
			for _, c := range f.adapterTraffic(phase, side) {
				if c.total > 0 && c.share() > much && c.rate > worst.rate {
					worst = c
				}
			}
		}
	}
	if worst.rate == 0 {
		return nil
	}
	return &model.Finding{
		Code: ForeignTraffic, Certainty: model.Certain,
		Headline: fmt.Sprintf("Something else was using the network at %s, at about %s", f.name(worst.side), worst.rate.Both()),
		Detail:   fmt.Sprintf("%s of what the adapter moved did not belong to the test.", units.Percent(worst.share())),
		Fix:      "Pause downloads, backups and video, then test again.",
	}
}

// adapterTraffic compares the counters of one side's adapter with the payload
// of the test, both ways. It is empty where counters are not known.
func (f *facts) adapterTraffic(phase int, side model.Side) []carried {
	readings := f.hosts(side, phase)
	if len(readings) < 2 {
		return nil
	}
	first, last := readings[0], readings[len(readings)-1]
	took := last.At - first.At
	if first.Host.AdapterRx == 0 && first.Host.AdapterTx == 0 || took <= 0 {
		return nil
	}
	in, out := f.payload(phase, side)
	own := func(with, against units.BitRate) units.Bytes {
		return units.BitRate(float64(with)*(1+headerShare)+float64(against)*answerShare).In(took) + units.Bytes(float64(chatter)*took.Seconds())
	}
	measure := func(total, own units.Bytes) carried {
		foreign := max(0, total-own)
		return carried{side: side, total: total, foreign: foreign, rate: units.RateOf(foreign, took)}
	}
	return []carried{
		measure(last.Host.AdapterRx-first.Host.AdapterRx, own(in, out)),
		measure(last.Host.AdapterTx-first.Host.AdapterTx, own(out, in)),
	}
}

// payload gives the rates of the test into and out of one side in a phase.
func (f *facts) payload(phase int, side model.Side) (in, out units.BitRate) {
	for _, s := range f.summaries {
		switch {
		case s.Phase != phase:
		case s.Receiver == side:
			in = s.Rate
		default:
			out = s.Rate
		}
	}
	return in, out
}
