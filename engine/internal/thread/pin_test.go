package thread_test

import (
	"runtime"
	"strings"
	"testing"

	"linkpace/engine/internal/thread"
)

// locked runs f on a thread of its own, which ends with it.
func locked(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		f()
	}()
	<-done
}

func TestPinRefusesWhatIsNotThere(t *testing.T) {
	for _, cpus := range [][]int{{-1}, {1 << 20}, {8191}, {0, 8000}} {
		locked(func() {
			err := thread.Pin(cpus)
			if err == nil || !strings.Contains(err.Error(), "no such processor") {
				t.Errorf("%v: %v", cpus, err)
			}
		})
	}
}

func TestPinToNothingIsNoWish(t *testing.T) {
	if err := thread.Pin(nil); err != nil {
		t.Error(err)
	}
}
