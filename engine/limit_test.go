package engine

import (
	"testing"
	"testing/synctest"

	"linkpace/engine/internal/sock"
	"linkpace/engine/model"
)

func TestLimitEndsTheTestWithExactlySoManyBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, &sock.Mem{})
		spec := short()
		spec.Phases, spec.Streams, spec.Limit = spec.Phases[1:2], 3, 100_000
		a, _ := p.run(t, spec)
		if a.Outcome != model.Completed {
			t.Fatalf("%s, %v", a.Outcome, a.Problem)
		}
		got := map[model.Side]int64{}
		for _, s := range a.Samples {
			if s.Dir == model.Send && s.Flow == model.SumFlow {
				got[s.Side] = max(got[s.Side], int64(s.Bytes))
			}
		}
		if got[model.Local] != 100_000 || got[model.Remote] != 100_000 {
			t.Errorf("counted %v, want 100,000 on both sides", got)
		}
	})
}

func TestCooldownIsNotMeasured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, &sock.Mem{})
		spec := short()
		spec.Phases = spec.Phases[1:2]
		spec.Phases[0].Cooldown = spec.Phases[0].Warmup
		a, _ := p.run(t, spec)
		_, to := a.Phases[0].Window()
		sums := a.Summaries()
		if len(sums) != 1 || sums[0].Duration > spec.Phases[0].Duration-2*spec.Phases[0].Warmup {
			t.Fatalf("%d summaries, the first over %v", len(sums), sums[0].Duration)
		}
		near := false
		for _, s := range a.Samples {
			near = near || s.Dir == model.Send && s.At <= to && s.At >= to-2*ahead
		}
		if !near {
			t.Error("nothing was read at the end of the measured window")
		}
	})
}
