package export

import (
	"fmt"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// summary writes every figure of one way.
func (t *report) summary(s model.Summary) {
	// Two computers, or the two ends of a test with oneself, may share a name.
	does := map[model.Direction]string{model.Send: "Sending", model.Receive: "Receiving"}
	title := fmt.Sprintf("%s: %s to %s", does[s.Dir], t.name(s.Sender), t.name(s.Receiver))
	if s.Direction == model.Both {
		title += ", with both ways at once"
	}
	t.heading(title)
	t.row("rate", s.Rate.Both())
	t.row("between", fmt.Sprintf("%s and %s, deviation %s", s.Min.Both(), s.Max.Both(), s.Deviation))
	t.row("payload", fmt.Sprintf("%s in %s", s.Bytes, units.Delay(s.Duration)))
	t.datagrams(s)
	t.row("delay idle", delays(s.DelayIdle))
	t.row("delay loaded", delays(s.DelayLoaded))
	t.row("in programs", programDelays(s.DelayLoaded))
	t.connections(s)
	t.processors(s.CPU)
}

// datagrams says what became of what was sent over UDP.
func (t *report) datagrams(s model.Summary) {
	if s.Loss == nil {
		return
	}
	t.row("datagrams", fmt.Sprintf("%d arrived, %d late, %d more than once", s.Packets, s.Late, s.Duplicated))
	lost := fmt.Sprintf("%s (%d)", units.Percent(*s.Loss), s.Lost)
	if s.Dropped > 0 {
		lost += fmt.Sprintf(", %d of them dropped by %s, which had no room for them", min(s.Dropped, s.Lost), t.name(s.Receiver))
	}
	t.row("lost", lost)
	if s.Jitter != nil {
		t.row("jitter", units.Delay(*s.Jitter))
	}
}

// connections says what the sender's system knows of its connections.
func (t *report) connections(s model.Summary) {
	if s.Retransmits != nil {
		t.row("sent again", fmt.Sprintf("%d packets", *s.Retransmits))
	}
	if s.RTT > 0 {
		text := units.Delay(s.RTT)
		if s.MinRTT > 0 {
			text += ", smallest " + units.Delay(s.MinRTT)
		}
		t.row("round trip", text+", as "+t.name(s.Sender)+"'s system sees it")
	}
	if l := s.Limited; l != nil {
		t.row("held back", fmt.Sprintf("%s of the time by %s's receive window, %s by %s's send buffer",
			units.Percent(l.Receiver), t.name(s.Receiver), units.Percent(l.SendBuffer), t.name(s.Sender)))
	}
}

func (t *report) processors(c *model.CPU) {
	if c == nil {
		return
	}
	t.row("processor", t.name(model.Local)+": "+processor(c.LocalMean, c.LocalCoreMax, c.LocalInterrupts))
	t.row("", t.name(model.Remote)+": "+processor(c.RemoteMean, c.RemoteCoreMax, c.RemoteInterrupts))
	t.row("this program", t.name(model.Local)+": "+ownShare(c.LocalOwn, c.LocalPerByte))
	t.row("", t.name(model.Remote)+": "+ownShare(c.RemoteOwn, c.RemotePerByte))
}

func delays(d *model.Delays) string {
	if d == nil {
		return "not measured"
	}
	return fmt.Sprintf("%s, worst 1 %% %s (%d probes)", units.Delay(d.Median), units.Delay(d.P99), d.Count)
}

// programDelays is what a program on these computers waits for an answer.
func programDelays(d *model.Delays) string {
	if d == nil || d.ProgramMedian == 0 {
		return ""
	}
	return fmt.Sprintf("%s, worst 1 %% %s, with the time that the programs wait for a processor", units.Delay(d.ProgramMedian), units.Delay(d.ProgramP99))
}

func processor(mean, busiest, interrupts float64) string {
	if mean == 0 && busiest == 0 {
		return "not known"
	}
	text := fmt.Sprintf("%s busy, busiest core %s", units.Percent(mean), units.Percent(busiest))
	if interrupts > 0 {
		text += fmt.Sprintf(", %s for interrupts", units.Percent(interrupts))
	}
	return text
}

func ownShare(cores, perByte float64) string {
	if cores == 0 {
		return "not known"
	}
	text := fmt.Sprintf("%.2f cores", cores)
	if perByte > 0 {
		text += fmt.Sprintf(", %.2f ns for each byte", perByte)
	}
	return text
}
