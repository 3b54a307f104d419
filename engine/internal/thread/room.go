package thread

import "runtime"

// MakeRoom lets goroutines go on running beside n threads that hold a processor
// of Go's scheduler while they wait in the system, and beside as many again: two
// engines may test with each other in one program. The number is never lowered,
// because the other engine may need it still, and what is not needed costs
// nothing.
func MakeRoom(n int) {
	if want := runtime.NumCPU() + 2*n; runtime.GOMAXPROCS(0) < want {
		runtime.GOMAXPROCS(want)
	}
}
