//go:build unix

package load

import (
	"time"

	"golang.org/x/sys/unix"
)

// independentStep is how coarse independentOwn counts.
const independentStep = 2 * time.Microsecond

func independentOwn() (time.Duration, error) {
	var usage unix.Rusage
	err := unix.Getrusage(unix.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), err
}
