package engine

import (
	"testing"
	"time"

	"linkpace/engine/model"
)

func TestFlowSeriesAreBounded(t *testing.T) {
	for _, c := range []struct {
		streams int
		length  time.Duration
		want    bool
	}{
		{1, 4 * time.Second, false}, {4, 4 * time.Second, true}, {32, 4 * time.Second, true}, {33, 4 * time.Second, false},
		{4, 8 * time.Minute, true}, {4, 9 * time.Minute, false}, {32, time.Hour, false},
	} {
		spec := model.DefaultSpec()
		spec.Streams = c.streams
		spec.Phases = []model.Phase{{Direction: model.Send, Duration: c.length}}
		if got := eachFlow(spec); got != c.want {
			t.Errorf("%d connections for %v: samples of each %v, want %v", c.streams, c.length, got, c.want)
		}
	}
}
