// Package meter counts payload. Each flow adds to a counter of its own and
// never waits for whoever reads it.
package meter

import (
	"sync"
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

// Unread tells how many received bytes wait that nobody has counted yet.
type Unread interface{ Unread() int }

// Phase holds the counters of one phase on one side.
type Phase struct {
	direction model.Direction
	counters  map[model.Direction][]Counter
	mu        sync.Mutex
	waiting   []Unread      // of the receiving flows
	arrived   []units.Bytes // of each of them, so far
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

// Watch has the bytes that wait unread at a receiving flow count as arrived:
// on a busy computer the program may come to read late what the link carried
// in time.
func (p *Phase) Watch(flow int, u Unread) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting == nil {
		p.waiting = make([]Unread, p.Flows(model.Receive))
		p.arrived = make([]units.Bytes, p.Flows(model.Receive))
	}
	p.waiting[flow] = u
}

// Read gives the payload of every flow of a direction and their sum.
func (p *Phase) Read(way model.Direction) (flows []units.Bytes, sum units.Bytes) {
	p.mu.Lock()
	defer p.mu.Unlock()
	flows = make([]units.Bytes, len(p.counters[way]))
	for i := range flows {
		flows[i] = p.counters[way][i].Bytes()
		if way == model.Receive && p.waiting != nil && p.waiting[i] != nil {
			// What is read between the two looks is missed this time, and never
			// counted twice.
			p.arrived[i] = max(p.arrived[i], flows[i]+units.Bytes(p.waiting[i].Unread()))
			flows[i] = p.arrived[i]
		}
		sum += flows[i]
	}
	return flows, sum
}
