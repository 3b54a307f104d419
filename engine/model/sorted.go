package model

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// series names the readings that one side took of one way in one phase.
type series struct {
	phase int
	side  Side
	dir   Direction
}

// connection names the readings of a single connection.
type connection struct {
	series
	flow int
}

// sorted is the log of a Result taken apart by what was read, each part in
// order of time: the two sides' samples reach the log in bursts.
type sorted struct {
	sums  map[series][]Sample
	flows map[connection][]Sample
	pings map[int][]Sample
	hosts map[Side][]Sample
}

func sortLog(r *Result) *sorted {
	log := &sorted{
		sums:  map[series][]Sample{},
		flows: map[connection][]Sample{},
		pings: map[int][]Sample{},
		hosts: map[Side][]Sample{},
	}
	for i := range r.Samples {
		log.add(&r.Samples[i])
	}
	sortEach(log.sums)
	sortEach(log.flows)
	sortEach(log.pings)
	sortEach(log.hosts)
	return log
}

func (l *sorted) add(s *Sample) {
	key := series{s.Phase, s.Side, s.Dir}
	if s.Ping > 0 {
		l.pings[s.Phase] = append(l.pings[s.Phase], *s)
	}
	if s.Host != nil {
		l.hosts[s.Side] = append(l.hosts[s.Side], *s)
	}
	switch {
	case s.Dir != Send && s.Dir != Receive:
	case s.Flow == SumFlow:
		l.sums[key] = append(l.sums[key], *s)
	case s.TCP != nil:
		l.flows[connection{key, s.Flow}] = append(l.flows[connection{key, s.Flow}], *s)
	}
}

func sortEach[K comparable](parts map[K][]Sample) {
	for _, samples := range parts {
		slices.SortStableFunc(samples, func(a, b Sample) int { return cmp.Compare(a.At, b.At) })
	}
}

// within gives the samples at from or later and at to or earlier.
func within(samples []Sample, from, to time.Duration) []Sample {
	at := func(s Sample, t time.Duration) int { return cmp.Compare(s.At, t) }
	start, _ := slices.BinarySearchFunc(samples, from, at)
	end := start
	for end < len(samples) && samples[end].At <= to {
		end++
	}
	return samples[start:end]
}

// end is when payload was last counted in phase i.
func (l *sorted) end(i int) time.Duration {
	var last time.Duration
	for key, samples := range l.sums {
		if key.phase == i {
			last = max(last, samples[len(samples)-1].At)
		}
	}
	return last
}

// retransmits adds up what the sender's connections sent again between from
// and to, and is nil when no connection tells.
func (l *sorted) retransmits(phase int, way Direction, from, to time.Duration) *uint64 {
	var sum uint64
	known := false
	for key, samples := range l.flows {
		if key.series != (series{phase, Receiver(way).Flip(), way}) {
			continue
		}
		if in := within(samples, from, to); len(in) > 0 {
			known = true
			sum += gain(in[0].TCP.Retransmits, in[len(in)-1].TCP.Retransmits)
		}
	}
	if !known {
		return nil
	}
	return &sum
}

func (l *sorted) idlePings(phases []Phase) []Sample {
	var pings []Sample
	for i, p := range phases {
		if p.Direction == Idle {
			from, to := p.Window()
			pings = append(pings, within(l.pings[i], from, to)...)
		}
	}
	return pings
}

// delaysOf is nil without probes.
func delaysOf(pings []Sample) *Delays {
	if len(pings) == 0 {
		return nil
	}
	network := sortedDelays(pings, func(s Sample) time.Duration { return s.Ping })
	d := Delays{Median: rank(network, 0.50), P95: rank(network, 0.95), P99: rank(network, 0.99), Count: len(network)}
	if program := sortedDelays(pings, func(s Sample) time.Duration { return s.PingProgram }); len(program) > 0 {
		d.ProgramMedian, d.ProgramP99 = rank(program, 0.50), rank(program, 0.99)
	}
	return &d
}

// sortedDelays gives those that are known, the shortest first.
func sortedDelays(pings []Sample, of func(Sample) time.Duration) []time.Duration {
	var known []time.Duration
	for _, s := range pings {
		if d := of(s); d > 0 {
			known = append(known, d)
		}
	}
	slices.Sort(known)
	return known
}

// rank is the quantile q of the nearest rank.
func rank(ordered []time.Duration, q float64) time.Duration {
	return ordered[int(math.Ceil(q*float64(len(ordered))))-1]
}
