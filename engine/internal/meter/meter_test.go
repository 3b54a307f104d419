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
	if each, sum := p.Read(model.Send); sum != 6000 || each[2] != 3000 {
		t.Errorf("sent %v, sum %d, want 6000", each, sum)
	}
	if _, sum := p.Read(model.Receive); sum != 0 {
		t.Errorf("receive sum %d, want 0", sum)
	}
}

// waits is a flow with a number of bytes that wait.
type waits int

func (w *waits) Unread() int { return int(*w) }

func TestWaitingBytesHaveArrived(t *testing.T) {
	p := meter.NewPhase(model.Receive, 2)
	queue := waits(500)
	p.Watch(1, &queue)
	p.Flow(model.Receive, 0).Add(100)
	p.Flow(model.Receive, 1).Add(1000)
	if each, sum := p.Read(model.Receive); sum != 1600 || each[0] != 100 || each[1] != 1500 {
		t.Errorf("arrived %v, sum %d; want 100 and 1500", each, sum)
	}
	queue = 0 // taken out, but not counted yet
	if _, sum := p.Read(model.Receive); sum != 1600 {
		t.Errorf("sum %d went back, want 1600", sum)
	}
	p.Flow(model.Receive, 1).Add(500)
	if _, sum := p.Read(model.Receive); sum != 1600 {
		t.Errorf("sum %d, want 1600: nothing counts twice", sum)
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
