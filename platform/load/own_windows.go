package load

import (
	"time"

	"golang.org/x/sys/windows"
)

// ownTime is the processor time of all threads of this process.
func ownTime() (time.Duration, error) {
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &kernel, &user); err != nil {
		return 0, err
	}
	return fileTime(kernel) + fileTime(user), nil
}

// fileTime reads a length of time; Filetime.Nanoseconds would take it for a
// date and shift it to 1970.
func fileTime(t windows.Filetime) time.Duration {
	const tick = 100 * time.Nanosecond
	return time.Duration(uint64(t.HighDateTime)<<32|uint64(t.LowDateTime)) * tick
}
