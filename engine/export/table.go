package export

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// table writes the figures that matter most side by side, a line for each way.
func (t *report) table(summaries []model.Summary) {
	if len(summaries) == 0 {
		return
	}
	t.gap()
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	const narrow = 10
	udp := t.result.Transport == model.UDP
	heading, lost := "", ""
	if udp {
		heading = "lost\t"
	}
	fmt.Fprintf(w, "\tspeed\t%sdelay\tloaded\t%s busy\t%s busy\t\n", heading, short(t.name(model.Local), narrow), short(t.name(model.Remote), narrow))
	for _, s := range summaries {
		here, there := "-", "-"
		if c := s.CPU; c != nil {
			here, there = units.Percent(c.LocalMean), units.Percent(c.RemoteMean)
		}
		if udp {
			lost = lossWords(s.Loss) + "\t"
		}
		fmt.Fprintf(w, "%s\t%s\t%s%s\t%s\t%s\t%s\t\n", wayWords(s), s.Rate.Both(), lost, median(s.DelayIdle), median(s.DelayLoaded), here, there)
	}
	_ = w.Flush() // a strings.Builder takes everything
	for line := range strings.Lines(text.String()) {
		t.text.WriteString(indent + strings.TrimRight(line, " \n") + "\n")
	}
}

// wayWords says what a line of the table is about.
func wayWords(s model.Summary) string {
	words := map[model.Direction]string{model.Send: "sending", model.Receive: "receiving"}[s.Dir]
	if s.Direction == model.Both {
		words = "both, " + words
	}
	return words
}

func lossWords(ratio *float64) string {
	if ratio == nil {
		return "-"
	}
	return units.Percent(*ratio)
}

func median(d *model.Delays) string {
	if d == nil {
		return "-"
	}
	return units.Delay(d.Median)
}
