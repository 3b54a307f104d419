package verdict

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// facts are what the rules look at, worked out once.
type facts struct {
	result    *model.Result
	summaries []model.Summary
	// link is the slower of the cable links at both ends, and 0 when there is
	// none, it is not known, or it cannot be true.
	link units.BitRate
	// wrong is true when more came through than the links claim to carry.
	wrong bool
}

func gather(r *model.Result) *facts {
	f := &facts{result: r, summaries: r.Summaries(), link: cableRate(r)}
	if f.link > 0 && f.fastest() > mostPossible(r, f.link) {
		f.wrong, f.link = true, 0
	}
	return f
}

// name is what to call a computer within a sentence.
func (f *facts) name(side model.Side) string {
	if side == model.Local {
		return cmp.Or(f.end(side).Name, "this computer")
	}
	return cmp.Or(f.end(side).Name, "the other computer")
}

// subject is what to call a computer at the beginning of a sentence.
func (f *facts) subject(side model.Side) string {
	if side == model.Local {
		return cmp.Or(f.end(side).Name, "This computer")
	}
	return cmp.Or(f.end(side).Name, "The other computer")
}

func (f *facts) end(side model.Side) model.Endpoint {
	if side == model.Local {
		return f.result.Local
	}
	return f.result.Remote
}

func (f *facts) fastest() units.BitRate {
	var top units.BitRate
	for _, s := range f.summaries {
		top = max(top, s.Rate)
	}
	return top
}

// alone gives the summary of a phase in which only one way was used.
func (f *facts) alone(way model.Direction) (model.Summary, bool) {
	i := slices.IndexFunc(f.summaries, func(s model.Summary) bool { return s.Direction == way })
	if i < 0 {
		return model.Summary{}, false
	}
	return f.summaries[i], true
}

// figures is "DESK to NAS: 941 Mb/s (118 MB/s)" for each way on its own, and
// where there is none for both at once.
func (f *facts) figures() string {
	summaries, behind := f.judged(), ""
	if len(summaries) == 0 {
		summaries, behind = f.summaries, " with both ways at once"
	}
	var parts []string
	for _, s := range summaries {
		parts = append(parts, f.route(s)+": "+s.Rate.Both()+behind)
	}
	return strings.Join(parts, "; ") + "."
}

func (f *facts) route(s model.Summary) string {
	return f.name(s.Sender) + " to " + f.name(s.Receiver)
}

// hosts gives the load readings of one side within the measured part of a
// phase, in order of time.
func (f *facts) hosts(side model.Side, phase int) []model.Sample {
	from, to := f.window(phase)
	var readings []model.Sample
	for _, s := range f.result.Samples {
		if s.Host != nil && s.Side == side && s.At >= from && s.At <= to {
			readings = append(readings, s)
		}
	}
	slices.SortStableFunc(readings, func(a, b model.Sample) int { return cmp.Compare(a.At, b.At) })
	return readings
}

// window is the measured part of a phase. A phase that ends by its amount of
// bytes is over when they have come; a reading tells of the time before it.
func (f *facts) window(phase int) (from, to time.Duration) {
	from, to = f.result.Phases[phase].Window()
	if f.result.Effective.Limit <= 0 {
		return from, to
	}
	var longest time.Duration
	for _, s := range f.summaries {
		if s.Phase == phase {
			longest = max(longest, s.Duration)
		}
	}
	return from, min(to, from+longest)
}

// phases lists the phases that have summaries.
func (f *facts) phases() []int {
	var list []int
	for _, s := range f.summaries {
		if !slices.Contains(list, s.Phase) {
			list = append(list, s.Phase)
		}
	}
	return list
}

func sides() []model.Side { return []model.Side{model.Local, model.Remote} }
