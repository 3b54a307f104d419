package plot

import (
	"math"
	"time"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// Chart says what the samples so far look like. It shares the series with the
// Log, so it is valid until the next Add.
func (l *Log) Chart() Chart {
	c := Chart{Span: l.axis()}
	c.Bands = l.bands(c.Span)
	c.Times = timeTicks(c.Span)
	c.Speed = l.speedPane()
	c.Delay = l.delayPane()
	c.Load = l.loadPane()
	return c
}

// shortAxis is a time axis that is short enough to show the whole test from its
// beginning.
const shortAxis = 2 * time.Minute

// axis is how much time the chart has room for. A test that goes on for hours
// gets more each time the room is used up, or its first minutes were a dash.
func (l *Log) axis() time.Duration {
	axis := shortAxis
	for axis < l.last {
		axis *= 2
	}
	return min(axis, l.Span())
}

func (l *Log) bands(span time.Duration) []Band {
	bands := make([]Band, 0, len(l.phases))
	for i, p := range l.phases {
		bands = append(bands, Band{
			From: p.Start, Warm: p.Start + p.Warmup, To: min(p.End(), span),
			Text: PhaseWord(p.Direction), Shaded: i%2 == 0,
		})
	}
	return bands
}

func (l *Log) speedPane() Pane {
	to, from := "to "+shorten(l.remote.Name), "from "+shorten(l.remote.Name)
	if l.same {
		to, from = "sent", "received"
	}
	pane := Pane{Title: "Speed", Lines: []Line{
		{Text: to, Ink: InkSend, Points: l.sent.points, Filled: true},
		{Text: from, Ink: InkReceive, Points: l.received.points, Filled: true, Dashed: true},
	}}
	largest := l.fastest(pane.Lines)
	if link := l.link(); link > 0 && float64(link) < largest*tallest {
		pane.Marks = []Mark{{Value: float64(link), Text: link.Nominal() + " link"}}
		largest = max(largest, float64(link))
	}
	pane.Top, pane.Ticks = scale(largest*1.02, 6, rateText)
	return pane
}

// fastest is the highest speed of the lines that was measured. Queues that fill
// at the start of a phase can take in far more than the link carries; such a
// peak may leave the chart, or it would press the rest to the floor.
func (l *Log) fastest(lines []Line) float64 {
	if top := highest(lines, func(at time.Duration) bool { return !l.warming(at) }); top > 0 {
		return top
	}
	return highest(lines, always)
}

func always(time.Duration) bool { return true }

// warming reports whether a time falls into the warm-up of a phase.
func (l *Log) warming(at time.Duration) bool {
	for _, p := range l.phases {
		if at >= p.Start && at < p.Start+p.Warmup {
			return true
		}
	}
	return false
}

// tallest is how many times higher than the fastest sample the link's own rate
// may be before its line would press the data to the floor.
const tallest = 2.5

// link is the slower of the two cables' rates; 0 where either end is unknown or
// no cable, because other adapters' rates say little about what is possible.
func (l *Log) link() units.BitRate {
	here, there := l.local.Adapter, l.remote.Adapter
	if l.same || here.Kind != model.Ethernet || there.Kind != model.Ethernet {
		return 0
	}
	return min(here.Link, there.Link)
}

func (l *Log) delayPane() Pane {
	pane := Pane{Title: "Delay", Lines: []Line{
		{Text: "round trip", Ink: InkDelay, Points: l.delay, Filled: true},
	}}
	pane.Top, pane.Ticks = scale(max(highest(pane.Lines, always), float64(100*time.Microsecond)), 2, delayText)
	return pane
}

func (l *Log) loadPane() Pane {
	pane := Pane{Title: "Processor, busiest core", Lines: []Line{
		{Text: shorten(l.local.Name), Ink: InkLocal, Points: l.localLoad},
	}}
	if !l.same {
		pane.Lines = append(pane.Lines, Line{Text: shorten(l.remote.Name), Ink: InkRemote, Points: l.remoteLoad, Dashed: true})
	}
	pane.Top, pane.Ticks = scale(1, 2, loadText)
	return pane
}

// highest is the largest value of the lines at times that count.
func highest(lines []Line, counts func(at time.Duration) bool) float64 {
	var top float64
	for _, line := range lines {
		for _, p := range line.Points {
			if p.Value > top && counts(p.At) { // false for NaN
				top = p.Value
			}
		}
	}
	if math.IsInf(top, 0) {
		return 0
	}
	return top
}

// shorten keeps a name short enough to stand beside a chart.
func shorten(name string) string {
	const most = 12
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return name
}
