package sock

import "runtime"

// makeRoom lets as many goroutines run at once as there are processors and,
// besides, n threads that hold theirs while they wait, twice: two engines may
// test with each other in one program. The number is never lowered again,
// because the other engine may need it still, and what is not needed costs
// nothing.
func makeRoom(n int) {
	if want := runtime.NumCPU() + 2*n; runtime.GOMAXPROCS(0) < want {
		runtime.GOMAXPROCS(want)
	}
}
