package load

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/shirou/gopsutil/v3/cpu"
)

func TestShares(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	second := start.Add(time.Second)
	before := snapshot{at: start, own: time.Second, cores: []core{{"cpu0", 10, 90}, {"cpu1", 50, 50}}}
	for name, c := range map[string]struct {
		now  snapshot
		want Reading
	}{
		"busy and idle": {
			snapshot{second, 1500 * time.Millisecond, []core{{"cpu0", 10.25, 90.75}, {"cpu1", 51, 50}}},
			Reading{[]float64{0.25, 1}, 0.5},
		},
		"more than one core of our own": {
			snapshot{second, 3 * time.Second, []core{{"cpu0", 11, 90}, {"cpu1", 51, 50}}},
			Reading{[]float64{1, 1}, 2},
		},
		"nothing ticked": {
			snapshot{second, time.Second, before.cores},
			Reading{[]float64{0, 0}, 0},
		},
		"idle went backwards": {
			snapshot{second, time.Second, []core{{"cpu0", 11, 89.5}, {"cpu1", 50, 51}}},
			Reading{[]float64{1, 0}, 0},
		},
		"busy and own went backwards": {
			snapshot{second, time.Millisecond, []core{{"cpu0", 3, 91}, {"cpu1", 50, 51}}},
			Reading{[]float64{0, 0}, 0},
		},
		"a core came": {
			snapshot{second, time.Second, []core{{"cpu0", 10.5, 90.5}, {"cpu1", 50, 51}, {"cpu2", 5, 5}}},
			Reading{[]float64{0.5, 0, 0}, 0},
		},
		"the first core went": {
			snapshot{second, time.Second, []core{{"cpu1", 50.5, 50.5}}},
			Reading{[]float64{0.5}, 0},
		},
		"no time passed": {
			snapshot{start, 2 * time.Second, before.cores},
			Reading{[]float64{0, 0}, 0},
		},
		"no cores": {
			snapshot{second, time.Second, nil},
			Reading{[]float64{}, 0},
		},
	} {
		got := shares(before, c.now)
		if !slices.Equal(got.Cores, c.want.Cores) || got.Own != c.want.Own {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}

func TestCoreCountsStolenTimeAsBusyAndGuestTimeOnce(t *testing.T) {
	got := coreOf(cpu.TimesStat{CPU: "cpu3", User: 1, Nice: 2, System: 4, Irq: 8, Softirq: 16, Steal: 32, Guest: 1, GuestNice: 1, Idle: 64, Iowait: 128})
	if want := (core{"cpu3", 63, 192}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestReadContinuesAfterAnError(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	broken := errors.New("no counters")
	var steps []any
	step := func(seconds, busy float64) {
		at := start.Add(time.Duration(seconds * float64(time.Second)))
		steps = append(steps, snapshot{at, time.Duration(busy * float64(time.Second)), []core{{"cpu0", busy, seconds - busy}}})
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
		return snapshot{at: time.Unix(100, 0), own: time.Hour, cores: []core{{"cpu0", 5, 5}}}, nil
	})
	if got, err := m.Read(); err != nil || got.Own != 0 || !slices.Equal(got.Cores, []float64{0}) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// This computer is asked once for real: the figures must be possible ones, and
// work done in between must show as this program's own.
func TestThisComputer(t *testing.T) {
	m := New()
	before, err := ownTime()
	if err != nil {
		t.Fatal(err)
	}
	x, now := 1.0, before
	for now-before < 50*time.Millisecond {
		for range 100_000 {
			x = math.Sqrt(x + 1)
		}
		if now, err = ownTime(); err != nil {
			t.Fatal(err)
		}
	}
	r, err := m.Read()
	if err != nil {
		t.Fatal(err)
	}
	if r.Own <= 0 || x <= 0 {
		t.Errorf("50 ms of work show as %v cores", r.Own)
	}
	if len(r.Cores) == 0 {
		t.Error("no cores")
	}
	for i, share := range r.Cores {
		if share < 0 || share > 1 {
			t.Errorf("core %d is %v busy", i, share)
		}
	}
	if model, cores := CPU(); model == "" || cores < 1 || tidy(model) != model {
		t.Errorf("CPU gave %q, %d", model, cores)
	}
}

func BenchmarkRead(b *testing.B) {
	m := New()
	for b.Loop() {
		if _, err := m.Read(); err != nil {
			b.Fatal(err)
		}
	}
}
