package model_test

import (
	"testing"
	"time"

	"linkpace/engine/model"
)

func TestRetransmitsAreTheSendersInTheWindow(t *testing.T) {
	flow := func(at time.Duration, side model.Side, flow int, n uint64) model.Sample {
		return model.Sample{At: at, Side: side, Dir: model.Send, Flow: flow, TCP: &model.TCPInfo{Retransmits: n}}
	}
	s := only(t, result(sendPhase(), edges(
		flow(1400*ms, model.Local, 0, 1), flow(1500*ms, model.Local, 0, 5), flow(1900*ms, model.Local, 0, 7),
		flow(1500*ms, model.Local, 1, 0), flow(2000*ms, model.Local, 1, 3),
		flow(1600*ms, model.Remote, 0, 100), flow(1900*ms, model.Remote, 0, 200))...))
	if s.Retransmits == nil || *s.Retransmits != 5 {
		t.Errorf("got %v, want 5", s.Retransmits)
	}
	if s := only(t, result(sendPhase(), edges()...)); s.Retransmits != nil || s.Loss != nil || s.CPU != nil || s.DelayIdle != nil {
		t.Errorf("unknown figures are given: %+v", s)
	}
}

// kernelSum is what the sender's system says of all connections together.
func kernelSum(at time.Duration, t model.TCPInfo) model.Sample {
	return model.Sample{At: at, Side: model.Local, Dir: model.Send, Flow: model.SumFlow, TCP: &t}
}

func edges(more ...model.Sample) []model.Sample {
	return append([]model.Sample{reading(1500*ms, model.Send, 0), reading(2000*ms, model.Send, 1)}, more...)
}

func TestKernelFiguresAreOfTheSumsWhereThereAreSome(t *testing.T) {
	single := model.Sample{At: 1600 * ms, Side: model.Local, Dir: model.Send, TCP: &model.TCPInfo{Retransmits: 0}}
	later := single
	later.At, later.TCP = 1900*ms, &model.TCPInfo{Retransmits: 77}
	silent := model.Sample{At: 1550 * ms, Side: model.Local, Dir: model.Send, Flow: model.SumFlow, Bytes: 1}
	s := only(t, result(sendPhase(), edges(single, later, silent,
		kernelSum(1400*ms, model.TCPInfo{Retransmits: 1, RTT: 900 * ms, MinRTT: 1}),
		kernelSum(1500*ms, model.TCPInfo{Retransmits: 4, RTT: 2 * ms, MinRTT: 2 * ms, Busy: 1000 * ms, ReceiverLimited: 500 * ms, SendBufferLimited: 100 * ms}),
		kernelSum(1700*ms, model.TCPInfo{Retransmits: 5, MinRTT: 1 * ms}),
		kernelSum(2000*ms, model.TCPInfo{Retransmits: 9, RTT: 4 * ms, MinRTT: 1 * ms, Busy: 3000 * ms, ReceiverLimited: 2000 * ms, SendBufferLimited: 600 * ms, CongestionLimited: 50 * ms}))...))
	if s.Retransmits == nil || *s.Retransmits != 5 {
		t.Errorf("retransmits: got %v, want 5", s.Retransmits)
	}
	if s.RTT != 3*ms || s.MinRTT != ms {
		t.Errorf("round trip: got %v and %v, want 3ms and 1ms", s.RTT, s.MinRTT)
	}
	if want := (model.Limited{Receiver: 0.75, SendBuffer: 0.25, Congestion: 0.025}); s.Limited == nil || *s.Limited != want {
		t.Errorf("limited: got %+v, want %+v", s.Limited, want)
	}
}

func TestKernelCountersThatShrink(t *testing.T) {
	s := only(t, result(sendPhase(), edges(
		kernelSum(1500*ms, model.TCPInfo{Retransmits: 9, Busy: 100 * ms, ReceiverLimited: 90 * ms}),
		kernelSum(2000*ms, model.TCPInfo{Retransmits: 4, Busy: 200 * ms, ReceiverLimited: 10 * ms, SendBufferLimited: 900 * ms}))...))
	if *s.Retransmits != 0 || *s.Limited != (model.Limited{SendBuffer: 1}) {
		t.Errorf("got %d retransmits, %+v", *s.Retransmits, *s.Limited)
	}
	idle := only(t, result(sendPhase(), edges(kernelSum(1500*ms, model.TCPInfo{}), kernelSum(2000*ms, model.TCPInfo{}))...))
	if idle.Limited != nil || idle.RTT != 0 || idle.MinRTT != 0 {
		t.Errorf("unknown figures are given: %+v", idle)
	}
}

// datagrams is a reading of the receiver.
func datagrams(at time.Duration, came, lost uint64) model.Sample {
	s := reading(at, model.Send, 0)
	s.Packets, s.Lost = came, lost
	return s
}

func TestLossIsOfTheWindow(t *testing.T) {
	for name, c := range map[string]struct {
		first, last model.Sample
		loss        float64
		lost        uint64
	}{
		"some":              {datagrams(1500*ms, 10, 5), datagrams(2000*ms, 100, 15), 0.1, 10},
		"late ones came":    {datagrams(1500*ms, 10, 5), datagrams(2000*ms, 110, 3), 0, 0},
		"nothing came":      {datagrams(1500*ms, 10, 0), datagrams(2000*ms, 10, 7), 1, 7},
		"a damaged counter": {datagrams(1500*ms, 1, 0), datagrams(2000*ms, 0, 1), 1, 1},
	} {
		s := only(t, result(sendPhase(), c.first, c.last))
		if s.Loss == nil || *s.Loss != c.loss || s.Lost != c.lost {
			t.Errorf("%s: got %v (%d), want %v (%d)", name, s.Loss, s.Lost, c.loss, c.lost)
		}
	}
	if s := only(t, result(sendPhase(), edges()...)); s.Loss != nil || s.Jitter != nil {
		t.Errorf("loss and jitter without datagrams: %v %v", s.Loss, s.Jitter)
	}
}

func TestDatagramsAreCountedInTheWindow(t *testing.T) {
	first, middle, last := datagrams(1500*ms, 10, 1), datagrams(1700*ms, 50, 2), datagrams(2000*ms, 110, 9)
	first.Late, first.Duplicated, first.Dropped, first.Jitter = 1, 2, 3, 9*ms
	middle.Jitter = 1 * ms
	last.Late, last.Duplicated, last.Dropped, last.Jitter = 5, 4, 8, 2*ms
	before := datagrams(1000*ms, 0, 0)
	before.Jitter = 500 * ms
	s := only(t, result(sendPhase(), before, first, middle, last))
	if s.Packets != 100 || s.Lost != 8 || s.Late != 4 || s.Duplicated != 2 || s.Dropped != 5 {
		t.Errorf("got %+v", s)
	}
	if s.Jitter == nil || *s.Jitter != 2*ms {
		t.Errorf("jitter: got %v, want the median 2ms", s.Jitter)
	}
}
