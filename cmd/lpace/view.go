package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"linkpace/engine"
	"linkpace/engine/model"
	"linkpace/engine/units"
)

// view shows a run while it goes on: a live line for each phase where a
// terminal is, else a plain line when a phase has ended.
type view struct {
	out     io.Writer
	run     *engine.Run
	live    *mpb.Progress // nil without a terminal
	bar     *mpb.Bar
	text    *atomic.Value // what stands behind the bar
	state   engine.State
	phase   int
	figures figures
}

func newView(out io.Writer, run *engine.Run) *view {
	v := &view{out: out, run: run, phase: -1, state: engine.Connecting}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		v.live = mpb.New(mpb.WithOutput(out), mpb.WithWidth(24), mpb.WithRefreshRate(100*time.Millisecond))
	}
	return v
}

// add takes in what is new.
func (v *view) add(samples []model.Sample) {
	p := v.run.Progress()
	if p.State != v.state {
		v.state = p.State
		v.announce(p.State)
	}
	if p.Phase != v.phase {
		v.endPhase()
		v.phase = p.Phase
		v.figures = figures{limit: v.run.Spec().Limit}
		v.beginPhase(p)
	}
	for i := range samples {
		v.figures.add(samples[i], v.phase)
	}
	v.update(p)
}

// close ends the live lines.
func (v *view) close() {
	v.endPhase()
	if v.live != nil {
		v.live.Wait()
	}
}

// announce says why nothing is measured yet.
func (v *view) announce(s engine.State) {
	_, remote := v.run.Ends()
	switch s {
	case engine.Waiting:
		fmt.Fprintf(v.out, "Waiting for the answer of the person at %s ...\n", remote.Name)
	case engine.Queued:
		fmt.Fprintln(v.out, "Waiting for another test to end ...")
	}
}

func (v *view) beginPhase(p engine.Progress) {
	if v.live == nil || p.Phase < 0 {
		return
	}
	phase := p.Phases[p.Phase]
	text := new(atomic.Value)
	text.Store("")
	v.text = text
	v.bar = v.live.New(int64(phase.Duration/time.Millisecond), mpb.BarStyle().Lbound("").Rbound("").Filler("━").Tip("━").Padding("─"),
		mpb.PrependDecorators(decor.Name(phaseWord(phase.Direction), decor.WC{W: 10, C: decor.DindentRight})),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return text.Load().(string) })),
	)
}

func (v *view) update(p engine.Progress) {
	if v.bar == nil {
		return
	}
	phase := p.Phases[p.Phase]
	left := max(phase.Start+phase.Duration-v.figures.at, 0)
	v.text.Store(" " + v.figures.line(phase.Direction, v.figures.at-smooth) + "  " + leftWords(left))
	v.bar.SetCurrent(min(int64((v.figures.at-phase.Start)/time.Millisecond), int64(phase.Duration/time.Millisecond)-1))
}

// leftWords says how long a phase still takes; what takes hours needs no tenths.
func leftWords(left time.Duration) string {
	if left > time.Minute {
		return left.Round(time.Second).String() + " left"
	}
	return fmt.Sprintf("%.1f s left", left.Seconds())
}

func (v *view) endPhase() {
	if v.phase < 0 {
		return
	}
	phase := v.run.Progress().Phases[v.phase]
	from, to := phase.Window()
	v.figures.end(to)
	since := min(from, v.figures.at-smooth)
	if v.bar == nil {
		fmt.Fprintf(v.out, "%-9s %s\n", phaseWord(phase.Direction), v.figures.line(phase.Direction, since))
		return
	}
	v.text.Store(" " + v.figures.line(phase.Direction, since))
	v.bar.SetTotal(-1, true) // completes the bar where it stands
	v.bar = nil
}

func phaseWord(d model.Direction) string {
	switch d {
	case model.Send:
		return "sending"
	case model.Receive:
		return "receiving"
	case model.Both:
		return "both"
	}
	return "idle"
}

// figures are the latest of one phase.
type figures struct {
	limit       units.Bytes // of each direction; 0 is none
	at          time.Duration
	readings    map[model.Direction][]model.Sample
	ping        time.Duration
	here, there float64
	hosts       bool
}

// smooth is how far back the live figure looks.
const smooth = 500 * time.Millisecond

// add keeps the readings of each direction at its receiver.
func (f *figures) add(s model.Sample, phase int) {
	if s.Phase != phase {
		return
	}
	f.at = max(f.at, s.At)
	if s.Ping > 0 {
		f.ping = s.Ping
	}
	if s.Host != nil {
		f.hosts = true
		if s.Side == model.Local {
			f.here = s.Host.Mean()
		} else {
			f.there = s.Host.Mean()
		}
	}
	if s.Dir != "" && s.Flow == model.SumFlow && s.Side == model.Receiver(s.Dir) {
		if f.readings == nil {
			f.readings = map[model.Direction][]model.Sample{}
		}
		f.readings[s.Dir] = append(f.readings[s.Dir], s)
	}
}

// end leaves out what came after the measured window: what was still on its way,
// and the wait for it.
func (f *figures) end(window time.Duration) {
	for way, readings := range f.readings {
		for n := len(readings); n > 2 && readings[n-1].At > window; n-- {
			f.readings[way] = readings[:n-1]
		}
	}
	f.at = min(f.at, window)
}

// rate is the rate of a direction since a time.
func (f *figures) rate(way model.Direction, since time.Duration) units.BitRate {
	readings := f.readings[way]
	if f.limit > 0 {
		readings = untilLastByte(readings)
	}
	for i, first := range readings {
		if first.At >= since || i == len(readings)-2 {
			return model.Rate(first, readings[len(readings)-1])
		}
	}
	return 0
}

// untilLastByte leaves out the time in which nothing more came: a direction that
// has sent its bytes waits for the end of the phase.
func untilLastByte(readings []model.Sample) []model.Sample {
	n := len(readings)
	for n > 1 && readings[n-2].Bytes == readings[n-1].Bytes {
		n--
	}
	return readings[:n]
}

// lossWords tells which share of the phase's datagrams got lost, and nothing
// without datagrams.
func (f *figures) lossWords(way model.Direction) string {
	readings := f.readings[way]
	if len(readings) == 0 {
		return ""
	}
	last := readings[len(readings)-1]
	if all := float64(last.Packets) + float64(last.Lost); all > 0 {
		return ", " + units.Percent(float64(last.Lost)/all) + " lost"
	}
	return ""
}

// line gives the figures since a time in words.
func (f *figures) line(d model.Direction, since time.Duration) string {
	var parts []string
	for _, way := range []struct {
		dir   model.Direction
		arrow string
	}{{model.Send, "to "}, {model.Receive, "from "}} {
		if d.Has(way.dir) {
			arrow := ""
			if d == model.Both {
				arrow = way.arrow
			}
			parts = append(parts, arrow+f.rate(way.dir, since).Both()+f.lossWords(way.dir))
		}
	}
	if f.ping > 0 {
		parts = append(parts, "delay "+units.Delay(f.ping))
	}
	if f.hosts {
		parts = append(parts, fmt.Sprintf("processor %.0f %% here, %.0f %% there", f.here*100, f.there*100))
	}
	return strings.Join(parts, "  ")
}

// oneLine tells a Summary to somebody who watches an agent.
func oneLine(s model.Summary) string {
	words := map[model.Direction]string{model.Send: "sent", model.Receive: "received"}[s.Dir]
	line := fmt.Sprintf("%-9s %s", words, s.Rate.Both())
	if s.Direction == model.Both {
		line += " (both at once)"
	}
	if s.Loss != nil {
		line += ", " + units.Percent(*s.Loss) + " lost"
	}
	if s.DelayLoaded != nil {
		line += ", delay " + units.Delay(s.DelayLoaded.Median)
	}
	return line
}
