package clock_test

import (
	"testing"
	"time"

	"linkpace/engine/internal/clock"
)

func TestFinestIsFineAndGoesForward(t *testing.T) {
	now := clock.Finest()
	least := time.Hour
	for range 1000 {
		begin := now()
		end := now()
		for end.Equal(begin) {
			end = now()
		}
		step := end.Sub(begin)
		if step < 0 {
			t.Fatalf("went back by %v", -step)
		}
		least = min(least, step)
	}
	if least > 100*time.Microsecond {
		t.Errorf("its smallest step is %v", least)
	}
}

func TestMomentsOfAFineClockAreThoseOfTimers(t *testing.T) {
	fine := time.Unix(7, 0) // since the computer started, say
	run := clock.New(func() time.Time { return fine })
	fine = fine.Add(3 * time.Second)
	if run.Now() != 3*time.Second {
		t.Errorf("it is %v, want 3s", run.Now())
	}
	before := time.Now()
	at := run.Local(time.Hour)
	after := time.Now()
	const left = time.Hour - 3*time.Second
	if at.Before(before.Add(left)) || at.After(after.Add(left)) {
		t.Errorf("the moment in %v is %v away", left, at.Sub(after))
	}
}
