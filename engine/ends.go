package engine

import (
	"sync"

	"linkpace/engine/model"
)

// ends tells when the flows of a phase have ended.
type ends struct {
	// each gets a signal when all flows of one direction have ended, and is closed
	// when all flows have.
	each chan struct{}

	mu   sync.Mutex
	left map[model.Direction]int // flows that go on
}

func newEnds(all flows) *ends {
	e := &ends{each: make(chan struct{}, len(all)), left: map[model.Direction]int{}}
	for id := range all {
		e.left[id.Way]++
	}
	if len(all) == 0 {
		close(e.each)
	}
	return e
}

// add counts the end of a flow of one direction.
func (e *ends) add(way model.Direction) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.left[way]--; e.left[way] > 0 {
		return
	}
	if delete(e.left, way); len(e.left) > 0 {
		e.each <- struct{}{}
		return
	}
	close(e.each)
}

// wait waits for the end of all flows.
func (e *ends) wait() {
	for range e.each {
	}
}
