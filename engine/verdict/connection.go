package verdict

import (
	"fmt"
	"strings"
	"time"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// rateAsked explains a test that went as fast as it was told to.
func rateAsked(f *facts) *model.Finding {
	const reached = 0.97
	rate := f.result.Asked.Rate
	if rate <= 0 {
		return nil
	}
	for _, s := range f.judged() {
		if s.Rate < reached*rate {
			return nil
		}
	}
	return &model.Finding{
		Code: RateAsked, Certainty: model.Certain,
		Headline: "The test sent no faster than it was asked to: " + rate.Both() + " each way",
		Detail:   f.figures(),
		Fix:      "To see what the link can do, test without a limit on the rate.",
	}
}

// heldBack looks for connections that waited for an end and not for the
// network. The times are the sender's system's.
func heldBack(f *facts) *model.Finding {
	const most = 0.5
	if f.result.SameMachine || f.full() {
		return nil
	}
	for _, s := range f.judged() {
		switch l := s.Limited; {
		case l == nil || queued(s):
		case l.Receiver > most && l.Receiver >= l.SendBuffer:
			return f.receiverFinding(s)
		case l.SendBuffer > most:
			return f.senderFinding(s)
		}
	}
	return nil
}

// queued reports whether data piled up on the way. A window that is full then
// says only that the network is.
func queued(s model.Summary) bool {
	const times, atLeast = 4, time.Millisecond
	return s.MinRTT > 0 && s.RTT > times*s.MinRTT && s.RTT-s.MinRTT > atLeast
}

func (f *facts) receiverFinding(s model.Summary) *model.Finding {
	return &model.Finding{
		Code: ReceiverLimit, Certainty: model.Likely,
		Headline: fmt.Sprintf("%s holds %s back: most of the time it had no room for more", f.subject(s.Receiver), f.name(s.Sender)),
		Detail:   fmt.Sprintf("%s: its receive window was full for %s of the time that there was something to send.", f.route(s), units.Percent(s.Limited.Receiver)),
		Fix:      bufferFix(f.result.Asked.ReceiveBuffer, "receive", "Its processor may be too busy to take the data, or its receive buffer is small for the delay. More connections help."),
	}
}

func (f *facts) senderFinding(s model.Summary) *model.Finding {
	return &model.Finding{
		Code: SenderLimit, Certainty: model.Likely,
		Headline: fmt.Sprintf("%s's send buffer is the limit", f.subject(s.Sender)),
		Detail:   fmt.Sprintf("%s: it was too small for %s of the time that there was something to send.", f.route(s), units.Percent(s.Limited.SendBuffer)),
		Fix:      bufferFix(f.result.Asked.SendBuffer, "send", "Let its system use larger send buffers. More connections help."),
	}
}

// bufferFix tells a person who chose the buffer to leave it.
func bufferFix(asked units.Bytes, which, otherwise string) string {
	if asked == 0 {
		return otherwise
	}
	return fmt.Sprintf("The test asked for a %s buffer of %s. Leave it to the system, and test again.", which, asked.Buffer())
}

// slowPacing warns of congestion control that paces with timers: on paths
// faster than these it takes several times as long as the path needs.
func slowPacing(f *facts) *model.Finding {
	const fast = units.BitRate(5_000_000_000)
	algorithm := f.result.Effective.Congestion
	if !strings.HasPrefix(algorithm, "bbr") || f.full() || !f.result.SameMachine && f.fastest() <= fast {
		return nil
	}
	return &model.Finding{
		Code: SlowPacing, Certainty: model.Possible,
		Headline: fmt.Sprintf("The congestion control in use, %s, may slow this fast path down", algorithm),
		Detail:   "It sends at a pace of its own that timers keep, and on a short and fast path these cost more than the data.",
		Fix:      "See what another one does, in a terminal: lpace test PEER --congestion cubic",
	}
}
