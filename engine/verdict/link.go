package verdict

import (
	"fmt"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// fastEthernet is the rate that a gigabit port falls back to over a bad cable.
const fastEthernet = units.BitRate(100_000_000)

// cableRate is the slower of the two ends' cable links, as far as they are
// known. Virtual adapters, bridges and tunnels make their rates up, and a
// wireless rate is no bound that can be reached.
func cableRate(r *model.Result) units.BitRate {
	var slowest units.BitRate
	for _, a := range []model.Adapter{r.Local.Adapter, r.Remote.Adapter} {
		if isCable(a) && (slowest == 0 || a.Link < slowest) {
			slowest = a.Link
		}
	}
	return slowest
}

func isCable(a model.Adapter) bool { return a.Kind == model.Ethernet && a.Link > 0 }

// Bytes around the payload of one full packet: Ethernet's preamble, header,
// checksum and gap are not part of the MTU, the headers of IP and TCP are.
const (
	frameBytes      = 38
	headerBytes     = 40 // IPv4 and TCP
	timestampsBytes = 12
	usualMTU        = 1500
)

// ceiling is the payload that a link carries when it is full, with the usual
// TCP timestamps: 94.1 % at an MTU of 1500.
func ceiling(r *model.Result, link units.BitRate) units.BitRate {
	mtu := float64(mtuOf(r))
	return link * units.BitRate((mtu-headerBytes-timestampsBytes)/(mtu+frameBytes))
}

// mostPossible is what a link cannot exceed, with room for the inexactness of
// a measurement that starts and ends between packets.
func mostPossible(r *model.Result, link units.BitRate) units.BitRate {
	const room = 1.02
	mtu := float64(mtuOf(r))
	return link * units.BitRate((mtu-headerBytes)/(mtu+frameBytes)*room)
}

// mtuOf is the smaller MTU of the two ends.
func mtuOf(r *model.Result) int {
	mtu := 0
	for _, a := range []model.Adapter{r.Local.Adapter, r.Remote.Adapter} {
		const least = 576
		if a.MTU >= least && (mtu == 0 || a.MTU < mtu) {
			mtu = a.MTU
		}
	}
	if mtu == 0 {
		return usualMTU
	}
	return mtu
}

func slowLink(f *facts) *model.Finding {
	if f.link == 0 || f.link > fastEthernet {
		return nil
	}
	who := f.ends(func(a model.Adapter) bool { return isCable(a) && a.Link == f.link })
	return &model.Finding{
		Code: SlowLink, Certainty: model.Certain,
		Headline: fmt.Sprintf("%s linked at %s, and that caps everything at about %s", who, f.link.Nominal(), ceiling(f.result, f.link)),
		Detail:   f.figures(),
		Fix:      "If the ports can do more, try another cable first, then another port: a single broken wire in the cable has this effect.",
	}
}

func halfDuplex(f *facts) *model.Finding {
	isHalf := func(a model.Adapter) bool { return a.Kind == model.Ethernet && a.Duplex == "half" }
	who := f.ends(isHalf)
	if who == "" {
		return nil
	}
	return &model.Finding{
		Code: HalfDuplex, Certainty: model.Certain,
		Headline: who + " linked at half duplex, so the cable carries only one direction at a time",
		Fix:      "Set both the adapter and the switch port to automatic negotiation, or replace a very old hub.",
	}
}

func linkFull(f *facts) *model.Finding {
	if !f.full() {
		return nil
	}
	return &model.Finding{
		Code: LinkFull, Certainty: model.Certain,
		Headline: fmt.Sprintf("Your cable is the limit, and it is full. That is as good as %s gets", f.link.Nominal()),
		Detail:   f.figures(),
	}
}

// full reports whether the cable link carried what it can.
func (f *facts) full() bool {
	const full = 0.9
	if f.link == 0 {
		return false
	}
	for _, s := range f.judged() {
		if s.Rate < full*ceiling(f.result, f.link) {
			return false
		}
	}
	return true
}

// judged are the summaries that a full link is judged by: the ways on their
// own, because the acknowledgements of one way take from the other.
func (f *facts) judged() []model.Summary {
	var alone []model.Summary
	for _, s := range f.summaries {
		if s.Direction != model.Both {
			alone = append(alone, s)
		}
	}
	if len(alone) == 0 {
		return f.summaries
	}
	return alone
}

func linkRateWrong(f *facts) *model.Finding {
	if !f.wrong {
		return nil
	}
	return &model.Finding{
		Code: LinkRateWrong, Certainty: model.Certain,
		Headline: "The link rate is reported wrongly",
		Detail: fmt.Sprintf("%s came through, but an adapter claims a link of %s. It is not used to judge the result.",
			f.fastest().Both(), cableRate(f.result)),
	}
}

// ends begins a sentence with the computers whose adapter is such: "DESK is",
// "DESK and NAS are", or nothing.
func (f *facts) ends(such func(model.Adapter) bool) string {
	var names []string
	for _, side := range sides() {
		if such(f.end(side).Adapter) {
			names = append(names, f.subject(side))
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0] + " is"
	}
	return f.subject(model.Local) + " and " + f.name(model.Remote) + " are"
}
