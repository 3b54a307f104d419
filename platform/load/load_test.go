package load

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"
)

func TestShares(t *testing.T) {
	before := snapshot{at: time.Second, own: time.Second, cores: []core{{0, 10, 90, 1}, {1, 50, 50, 1}}}
	for name, c := range map[string]struct {
		now  snapshot
		want Reading
	}{
		"busy and idle": {
			snapshot{2 * time.Second, 1500 * time.Millisecond, []core{{0, 10.25, 90.75, 1.125}, {1, 51, 50, 1}}},
			Reading{[]float64{0.25, 1}, []float64{0.125, 0}, 0.5},
		},
		"more than one core of our own": {
			snapshot{2 * time.Second, 3 * time.Second, []core{{0, 11, 90, 1}, {1, 51, 50, 2}}},
			Reading{[]float64{1, 1}, []float64{0, 1}, 2},
		},
		"a nanosecond in a tenth of a second": {
			snapshot{1100 * time.Millisecond, time.Second + time.Nanosecond, before.cores},
			Reading{[]float64{0, 0}, []float64{0, 0}, 1e-8},
		},
		"nothing ticked": {
			snapshot{2 * time.Second, time.Second, before.cores},
			Reading{[]float64{0, 0}, []float64{0, 0}, 0},
		},
		"idle went backwards": {
			snapshot{2 * time.Second, time.Second, []core{{0, 11, 89.5, 1}, {1, 50, 51, 1}}},
			Reading{[]float64{1, 0}, []float64{0, 0}, 0},
		},
		"busy, interrupts and own went backwards": {
			snapshot{2 * time.Second, time.Millisecond, []core{{0, 3, 91, 0.5}, {1, 50, 51, 1}}},
			Reading{[]float64{0, 0}, []float64{0, 0}, 0},
		},
		"more interrupts than work": {
			snapshot{2 * time.Second, time.Second, []core{{0, 10.25, 90.75, 2}, {1, 50, 51, 1}}},
			Reading{[]float64{0.25, 0}, []float64{0.25, 0}, 0},
		},
		"a core came": {
			snapshot{2 * time.Second, time.Second, []core{{0, 10.5, 90.5, 1.25}, {1, 50, 51, 1}, {2, 5, 5, 2}}},
			Reading{[]float64{0.5, 0, 0}, []float64{0.25, 0, 0}, 0},
		},
		"the first core went": {
			snapshot{2 * time.Second, time.Second, []core{{1, 50.5, 50.5, 1.5}}},
			Reading{[]float64{0.5}, []float64{0.5}, 0},
		},
		"interrupts are not counted": {
			snapshot{2 * time.Second, time.Second, []core{{0, 10.5, 90.5, 0}}},
			Reading{[]float64{0.5}, nil, 0},
		},
		"no time passed": {
			snapshot{time.Second, 2 * time.Second, before.cores},
			Reading{[]float64{0, 0}, []float64{0, 0}, 0},
		},
		"no cores": {
			snapshot{2 * time.Second, time.Second, nil},
			Reading{[]float64{}, nil, 0},
		},
	} {
		got := shares(before, c.now)
		if !slices.Equal(got.Cores, c.want.Cores) || !slices.Equal(got.Interrupts, c.want.Interrupts) || !near(got.Own, c.want.Own) {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12 }

func TestSteadiest(t *testing.T) {
	for name, c := range map[string]struct {
		rates []float64
		want  float64
	}{
		"at once":                  {[]float64{3e9, 3e9}, 3e9},
		"after disturbances":       {[]float64{1e9, 3e9, 2e9, 0, 2.9999e9}, 3e9},
		"the better of two":        {[]float64{2.9999e9, 1e9, 3e9}, 3e9},
		"never":                    {[]float64{1e9, 2e9, 3e9}, 0},
		"no counter":               {nil, 0},
		"too slow for a processor": {[]float64{1e7, 1e7}, 0},
		"too fast for a processor": {[]float64{1e12, 1e12}, 0},
	} {
		if got := steadiest(func() float64 {
			if len(c.rates) == 0 {
				return 0
			}
			rate := c.rates[0]
			c.rates = c.rates[1:]
			return rate
		}); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

func TestReadContinuesAfterAnError(t *testing.T) {
	broken := errors.New("no counters")
	var steps []any
	step := func(seconds, busy float64) {
		length := func(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }
		steps = append(steps, snapshot{length(seconds), length(busy), []core{{0, busy, seconds - busy, 0}}})
	}
	step(0, 0)
	step(1, 1)
	steps = append(steps, broken)
	step(3, 2)
	m := newMeter(func() (snapshot, error) {
		next := steps[0]
		steps = steps[1:]
		if err, ok := next.(error); ok {
			return snapshot{}, err
		}
		return next.(snapshot), nil
	})
	if got, err := m.Read(); err != nil || got.Own != 1 || got.Cores[0] != 1 {
		t.Errorf("since New: got %+v, %v", got, err)
	}
	if _, err := m.Read(); !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
	if got, err := m.Read(); err != nil || got.Own != 0.5 || got.Cores[0] != 0.5 {
		t.Errorf("after the error: got %+v, %v", got, err)
	}
}

func TestFirstReadAfterAFailedNewIsEmpty(t *testing.T) {
	calls := 0
	m := newMeter(func() (snapshot, error) {
		if calls++; calls == 1 {
			return snapshot{}, errors.New("not yet")
		}
		return snapshot{at: time.Minute, own: time.Hour, cores: []core{{0, 5, 5, 0}}}, nil
	})
	if got, err := m.Read(); err != nil || got.Own != 0 || !slices.Equal(got.Cores, []float64{0}) {
		t.Errorf("got %+v, %v", got, err)
	}
}
