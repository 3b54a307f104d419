package stamp_test

import (
	"testing"
	"time"

	"linkpace/engine/internal/stamp"
)

const us = time.Microsecond

func TestTripTakesWhatCanBe(t *testing.T) {
	start := time.Now()
	wall := start.Round(0)
	at := func(program time.Duration) stamp.Moment { return stamp.Moment{Program: start.Add(program)} }
	stamped := func(program, kernel time.Duration) stamp.Moment {
		return stamp.Moment{Program: start.Add(program), Kernel: wall.Add(kernel)}
	}
	for _, c := range []struct {
		name             string
		sent, came       stamp.Moment
		held             time.Duration
		network, program time.Duration
	}{
		{"kernel's stamps", stamped(0, 10*us), stamped(900*us, 140*us), 30 * us, 100 * us, 900 * us},
		{"no stamps", at(0), at(900 * us), 30 * us, 870 * us, 900 * us},
		{"no stamp of what left", at(0), stamped(900*us, 140*us), 30 * us, 870 * us, 900 * us},
		{"no stamp of what came", stamped(0, 10*us), at(900 * us), 30 * us, 870 * us, 900 * us},
		{"our wall clock set back", stamped(0, 10*us), stamped(900*us, -time.Hour), 30 * us, 870 * us, 900 * us},
		{"our wall clock set forward", stamped(0, 10*us), stamped(900*us, time.Hour), 30 * us, 870 * us, 900 * us},
		{"their wall clock set", stamped(0, 10*us), stamped(900*us, 140*us), time.Second, 130 * us, 900 * us},
		{"nothing held", stamped(0, 10*us), stamped(900*us, 140*us), 0, 130 * us, 900 * us},
	} {
		network, program := stamp.Trip(c.sent, c.came, c.held)
		if network != c.network || program != c.program {
			t.Errorf("%s: network %v, program %v; want %v, %v", c.name, network, program, c.network, c.program)
		}
	}
}

func TestHeldCountsTheWaitForTheProgram(t *testing.T) {
	read := time.Now()
	wall := read.Round(0)
	now := read.Add(20 * us)
	for _, c := range []struct {
		name   string
		kernel time.Time
		held   time.Duration
	}{
		{"no stamp", time.Time{}, 20 * us},
		{"came before it was read", wall.Add(-300 * us), 320 * us},
		{"wall clock set back", wall.Add(time.Hour), 20 * us},
		{"wall clock set forward", wall.Add(-time.Hour), 20 * us},
	} {
		if held := (stamp.Moment{Program: read, Kernel: c.kernel}).Held(now); held != c.held {
			t.Errorf("%s: %v, want %v", c.name, held, c.held)
		}
	}
}
