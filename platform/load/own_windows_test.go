package load

import (
	"time"

	"golang.org/x/sys/windows"
)

// independentStep is how coarse independentOwn counts: in ticks, at both ends.
const independentStep = 2 * 15625 * time.Microsecond

func independentOwn() (time.Duration, error) {
	var created, exited, kernel, user windows.Filetime
	err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &kernel, &user)
	return fileTime(kernel) + fileTime(user), err
}
