package main

import (
	"fmt"
	"slices"
)

// tally is what the rounds of one table came to.
type tally struct {
	contest
	who []contender
	// runs holds a measurement for each contender and round; nil where it
	// failed, for the reason in failures.
	runs     [][]*measurement
	failures map[string][]string // by contender
}

func newTally(c contest, who []contender, rounds int) tally {
	t := tally{contest: c, who: who, failures: map[string][]string{}}
	for range who {
		t.runs = append(t.runs, make([]*measurement, rounds))
	}
	return t
}

func (t tally) keep(i, round int, m measurement, err error) {
	if err != nil {
		name := t.who[i].name
		t.failures[name] = append(t.failures[name], err.Error())
		return
	}
	t.runs[i][round] = &m
}

// turns is the order of a round: each begins one further.
func turns(n, round int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = (i + round) % n
	}
	return order
}

// figure is one number of a measurement.
type figure func(measurement) float64

func rateOf(m measurement) float64 { return float64(m.rate) }

// spread is the median of some values and their bounds.
type spread struct{ median, least, most float64 }

// spreadOf is zero without values.
func spreadOf(values []float64) spread {
	if len(values) == 0 {
		return spread{}
	}
	return spread{median(values), slices.Min(values), slices.Max(values)}
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// values collects a figure of the rounds of a contender that did not fail.
func (t tally) values(i int, f figure) []float64 {
	var all []float64
	for _, m := range t.runs[i] {
		if m != nil {
			all = append(all, f(*m))
		}
	}
	return all
}

// losses collects the known losses of a contender.
func (t tally) losses(i int) []float64 {
	var all []float64
	for _, m := range t.runs[i] {
		if m != nil && m.loss != nil {
			all = append(all, *m.loss)
		}
	}
	return all
}

// ratio is the median of the ratios of a figure of two contenders in each round
// in which both were measured, and false without any.
func (t tally) ratio(of, to int, f figure) (float64, bool) {
	var ratios []float64
	for round, m := range t.runs[of] {
		other := t.runs[to][round]
		if m != nil && other != nil && f(*other) > 0 {
			ratios = append(ratios, f(*m)/f(*other))
		}
	}
	if len(ratios) == 0 {
		return 0, false
	}
	return median(ratios), true
}

// find gives the contender with a role, and -1 without one.
func (t tally) find(r role) int {
	return slices.IndexFunc(t.who, func(c contender) bool { return r != "" && c.role == r })
}

// lastFailure says how often a contender failed and why it did at last.
func (t tally) lastFailure(c contender) string {
	reasons := t.failures[c.name]
	if len(reasons) == 0 {
		return ""
	}
	return fmt.Sprintf("%s failed in %d of %d rounds: %s", c.name, len(reasons), len(t.runs[0]), reasons[len(reasons)-1])
}
