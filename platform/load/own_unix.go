//go:build unix

package load

import (
	"time"

	"golang.org/x/sys/unix"
)

// ownTime is the processor time of all threads of this process.
func ownTime() (time.Duration, error) {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		return 0, err
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), nil
}
