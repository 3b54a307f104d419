package thread

import (
	"runtime"
	"testing"
)

func TestMakeRoomNeverTakesAway(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	MakeRoom(3)
	if got := runtime.GOMAXPROCS(0); got < runtime.NumCPU()+6 {
		t.Errorf("%d at once on %d processors with 3 that wait", got, runtime.NumCPU())
	}
	most := runtime.GOMAXPROCS(0)
	MakeRoom(1)
	if got := runtime.GOMAXPROCS(0); got != most {
		t.Errorf("%d at once became %d", most, got)
	}
}
