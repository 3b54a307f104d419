package model_test

import (
	"testing"
	"time"

	"linkpace/engine/model"
)

func TestSumSamples(t *testing.T) {
	got := model.SumSamples([]model.Sample{
		{Flow: 0, Bytes: 10, Packets: 1, Lost: 2, Late: 3, Duplicated: 4, Dropped: 5, Jitter: time.Millisecond, TCP: &model.TCPInfo{Retransmits: 7}},
		{Flow: 1, Bytes: 20, Packets: 10, Lost: 20, Late: 30, Duplicated: 40, Dropped: 50, Jitter: 3 * time.Millisecond, TCP: &model.TCPInfo{Retransmits: 1}},
		{Flow: 2},
	})
	tcp := got.TCP
	got.TCP = nil
	want := model.Sample{Bytes: 30, Packets: 11, Lost: 22, Late: 33, Duplicated: 44, Dropped: 55, Jitter: 4 * time.Millisecond / 3}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if tcp == nil || tcp.Retransmits != 8 {
		t.Errorf("connections came to %+v", tcp)
	}
	if none := model.SumSamples(nil); none != (model.Sample{}) {
		t.Errorf("no samples came to %+v", none)
	}
}
