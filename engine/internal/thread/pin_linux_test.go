package thread_test

import (
	"testing"

	"golang.org/x/sys/unix"

	"linkpace/engine/internal/thread"
)

func allowed(t *testing.T) (cpus []int) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		t.Fatal(err)
	}
	for cpu := range 1024 {
		if set.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	return cpus
}

func TestPinKeepsTheThread(t *testing.T) {
	all := allowed(t)
	last := all[len(all)-1]
	locked(func() {
		if err := thread.Pin([]int{last}); err != nil {
			t.Error(err)
		}
		if got := allowed(t); len(got) != 1 || got[0] != last {
			t.Errorf("allowed on %v, pinned to %d", got, last)
		}
	})
	if got := allowed(t); len(got) != len(all) {
		t.Errorf("the pin got out of its thread: %v of %v", got, all)
	}
}

func TestFailedPinLeavesTheThread(t *testing.T) {
	locked(func() {
		all := allowed(t)
		if err := thread.Pin([]int{all[0], 8000}); err == nil {
			t.Error("a processor too many was accepted")
		}
		if got := allowed(t); len(got) != len(all) {
			t.Errorf("allowed on %v afterwards, before on %v", got, all)
		}
	})
}
