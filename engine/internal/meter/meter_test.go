package meter_test

import (
	"sync"
	"testing"
	"unsafe"

	"linkpace/engine/internal/meter"
	"linkpace/engine/model"
)

func TestPhaseCountsEachWay(t *testing.T) {
	p := meter.NewPhase(model.Both, 3)
	var flows sync.WaitGroup
	for flow := range 3 {
		flows.Go(func() {
			for range 1000 {
				p.Flow(model.Send, flow).Add(flow + 1)
			}
		})
	}
	flows.Wait()
	if got := p.Sum(model.Send); got != 6000 {
		t.Errorf("send sum %d, want 6000", got)
	}
	if got := p.Sum(model.Receive); got != 0 {
		t.Errorf("receive sum %d, want 0", got)
	}
	if got := p.Flow(model.Send, 2).Bytes(); got != 3000 {
		t.Errorf("flow 2 %d, want 3000", got)
	}
}

func TestIdleHasNoCounters(t *testing.T) {
	p := meter.NewPhase(model.Idle, 3)
	if n := p.Flows(model.Send) + p.Flows(model.Receive); n != 0 {
		t.Errorf("%d counters, want none", n)
	}
}

func TestCounterFillsACacheLine(t *testing.T) {
	if size := unsafe.Sizeof(meter.Counter{}); size != 64 {
		t.Errorf("a counter takes %d bytes, want 64", size)
	}
}
