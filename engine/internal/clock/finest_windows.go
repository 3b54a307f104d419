package clock

import (
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Finest gives the finest clock of this computer. Only differences of its
// readings mean anything.
//
// On Windows it is the performance counter: time.Now moves with the system's
// clock tick there, in steps of 0.5 to 15.6 ms.
func Finest() func() time.Time {
	c, ok := newCounter()
	if !ok {
		return time.Now
	}
	return c.now
}

// counter is the performance counter of Windows.
type counter struct {
	read   *windows.LazyProc
	second int64 // counts in a second
}

func newCounter() (c counter, ok bool) {
	kernel := windows.NewLazySystemDLL("kernel32.dll")
	frequency := kernel.NewProc("QueryPerformanceFrequency")
	c.read = kernel.NewProc("QueryPerformanceCounter")
	if frequency.Find() != nil || c.read.Find() != nil {
		return c, false
	}
	_, _, _ = frequency.Call(uintptr(unsafe.Pointer(&c.second)))
	return c, c.second > 0
}

// now is a moment since the computer started.
func (c counter) now() time.Time {
	var n int64
	_, _, _ = c.read.Call(uintptr(unsafe.Pointer(&n)))
	return time.Unix(n/c.second, n%c.second*int64(time.Second)/c.second)
}
