package engine

import (
	"testing"
	"testing/synctest"
	"time"

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

func TestLimitEndsThePhaseOnBothSidesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, &sock.Mem{})
		spec := short()
		// At 40 Mb/s a megabyte takes 200 ms.
		spec.Limit = 1_000_000
		spec.Phases = []model.Phase{
			{Direction: model.Idle, Duration: 300 * time.Millisecond},
			{Direction: model.Send, Duration: time.Minute},
			{Direction: model.Both, Duration: time.Minute},
			{Direction: model.Receive, Duration: time.Minute, Warmup: time.Second},
		}
		began := time.Now()
		a, b := p.run(t, spec)
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("the test took %v", took)
		}
		for i, phase := range a.Phases {
			if other := b.Phases[i]; other.Start != phase.Start || other.Duration != phase.Duration || other.Warmup != phase.Warmup {
				t.Errorf("phase %d is %+v here and %+v there", i, phase, other)
			}
			if want := 200 * time.Millisecond; i > 0 && (phase.Duration < want-40*time.Millisecond || phase.Duration > want+40*time.Millisecond) {
				t.Errorf("phase %d took %v, want about %v", i, phase.Duration, want)
			}
		}
		if idle := a.Phases[0].Duration; idle != spec.Phases[0].Duration {
			t.Errorf("the idle phase took %v", idle)
		}
		checkLimited(t, a, b)
	})
}

// checkLimited checks that both sides judge a limited test by its bytes and the
// time that they took; what ended within its warm-up has no figure.
func checkLimited(t *testing.T, a, b *model.Result) {
	t.Helper()
	here, there := a.Summaries(), b.Summaries()
	if len(here) != 3 || len(there) != 3 {
		t.Fatalf("%d and %d summaries, want one way of the second phase and two of the third", len(here), len(there))
	}
	for i, s := range here {
		if s.Bytes < 950_000 || s.Rate < 36e6 || s.Rate > 50e6 {
			t.Errorf("phase %d %s: %d bytes at %v", s.Phase, s.Dir, s.Bytes, s.Rate)
		}
		other := there[i]
		if s.Direction == model.Both {
			other = there[len(there)-i]
		}
		if other.Bytes != s.Bytes || other.Duration != s.Duration {
			t.Errorf("phase %d %s: %d bytes in %v here, %d in %v there", s.Phase, s.Dir, s.Bytes, s.Duration, other.Bytes, other.Duration)
		}
	}
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
