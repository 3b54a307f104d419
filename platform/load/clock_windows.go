package load

import (
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// performanceClock reads QueryPerformanceCounter. The clock of package time moves
// in the steps of the system's timer there, which are as long as a tenth of the
// time between two readings.
type performanceClock struct {
	counter   *windows.LazyProc
	frequency int64
}

func openPerformanceClock() performanceClock {
	kernel := windows.NewLazySystemDLL("kernel32.dll")
	c := performanceClock{counter: kernel.NewProc("QueryPerformanceCounter"), frequency: 1}
	// Neither call can fail on any Windows that Go runs on, says Microsoft.
	_, _, _ = kernel.NewProc("QueryPerformanceFrequency").Call(uintptr(unsafe.Pointer(&c.frequency)))
	return c
}

func (c performanceClock) now() time.Duration {
	var count int64
	_, _, _ = c.counter.Call(uintptr(unsafe.Pointer(&count)))
	whole, part := count/c.frequency, count%c.frequency
	return time.Duration(whole)*time.Second + time.Duration(part)*time.Second/time.Duration(c.frequency)
}
