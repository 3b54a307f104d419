package verdict

import (
	"fmt"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// fewLost is the share of datagrams that may get lost without a word: calls and
// games do not notice it.
const fewLost = 0.001

// fate is where the datagrams of one way got lost, as shares of all.
type fate struct {
	way     model.Summary
	dropped float64 // they reached the receiver, which had no room
	missing float64 // they did not reach it, as far as is known
}

func fateOf(s model.Summary) fate {
	if s.Loss == nil {
		return fate{way: s}
	}
	all := float64(s.Packets) + float64(s.Lost)
	dropped := min(*s.Loss, float64(s.Dropped)/all)
	return fate{s, dropped, *s.Loss - dropped}
}

// datagramsLost tells a receiver that cannot keep up from a network that loses
// datagrams, for the way that lost most.
func datagramsLost(f *facts) *model.Finding {
	var worst fate
	for _, s := range f.summaries {
		if now := fateOf(s); now.dropped+now.missing > worst.dropped+worst.missing {
			worst = now
		}
	}
	switch {
	case worst.dropped+worst.missing < fewLost:
		return nil
	case worst.dropped > worst.missing:
		return f.droppedFinding(worst)
	}
	return f.missingFinding(worst)
}

func (f *facts) droppedFinding(w fate) *model.Finding {
	detail := f.counted(w.way)
	if w.missing >= fewLost {
		detail += fmt.Sprintf(" Another %s got lost on the way.", units.Percent(w.missing))
	}
	return &model.Finding{
		Code: DatagramsDropped, Certainty: model.Certain,
		Headline: fmt.Sprintf("%s could not keep up: %s of the datagrams arrived there and found no room", f.subject(w.way.Receiver), units.Percent(w.dropped)),
		Detail:   detail,
		Fix:      "Send at a lower rate, or ask for a larger receive buffer. The network is not to blame for these.",
	}
}

// missingFinding is certain only where the receiver counts what it dropped: a
// system that does not tell may have dropped all of them.
func (f *facts) missingFinding(w fate) *model.Finding {
	detail, certainty := f.counted(w.way), model.Likely
	if w.dropped > 0 {
		detail += fmt.Sprintf(" Another %s arrived at %s and found no room.", units.Percent(w.dropped), f.name(w.way.Receiver))
		certainty = model.Certain
	}
	return &model.Finding{
		Code: DatagramsLost, Certainty: certainty,
		Headline: fmt.Sprintf("%s of the datagrams got lost on the way from %s", units.Percent(w.missing), f.route(w.way)),
		Detail:   detail,
		Fix:      "Send at a lower rate: UDP does not slow down by itself. Loss that stays points to Wi-Fi, a bad cable, or a switch that is too busy.",
	}
}

func (f *facts) counted(s model.Summary) string {
	return fmt.Sprintf("%d of %d did not come; %s arrived.", s.Lost, s.Packets+s.Lost, s.Rate.Both())
}
