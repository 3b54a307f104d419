// Package meter counts payload. Each flow adds to a counter of its own and
// never waits for whoever reads it.
package meter

import (
	"sync/atomic"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// Counter is the payload of one flow in one direction. It only grows.
type Counter struct {
	bytes atomic.Int64
	_     [56]byte // keeps two flows' counters off one cache line
}

// Add counts n more bytes.
func (c *Counter) Add(n int) { c.bytes.Add(int64(n)) }

// Bytes is what was counted so far.
func (c *Counter) Bytes() units.Bytes { return units.Bytes(c.bytes.Load()) }

// Phase holds the counters of one phase on one side.
type Phase struct {
	direction model.Direction
	counters  map[model.Direction][]Counter
}

// NewPhase makes counters for flows in each way that direction has.
func NewPhase(direction model.Direction, flows int) *Phase {
	p := &Phase{direction: direction, counters: map[model.Direction][]Counter{}}
	for _, way := range Ways(direction) {
		p.counters[way] = make([]Counter, flows)
	}
	return p
}

// Ways lists the single directions of a phase's direction.
func Ways(d model.Direction) []model.Direction {
	switch d {
	case model.Both:
		return []model.Direction{model.Send, model.Receive}
	case model.Send, model.Receive:
		return []model.Direction{d}
	}
	return nil
}

// Direction is the direction of the phase.
func (p *Phase) Direction() model.Direction { return p.direction }

// Flow gives one flow's counter.
func (p *Phase) Flow(way model.Direction, flow int) *Counter { return &p.counters[way][flow] }

// Flows is the number of flows in a direction.
func (p *Phase) Flows(way model.Direction) int { return len(p.counters[way]) }

// Sum adds up all flows of a direction.
func (p *Phase) Sum(way model.Direction) units.Bytes {
	var sum units.Bytes
	for i := range p.counters[way] {
		sum += p.counters[way][i].Bytes()
	}
	return sum
}
