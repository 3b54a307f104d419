package stamp

import (
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// counter is the performance counter of Windows. time.Now is of no use for
// delays there: it moves with the system's clock tick, in steps of 0.5 to 15.6 ms.
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

// now is a moment since the computer started; only differences mean anything.
func (c counter) now() time.Time {
	var n int64
	_, _, _ = c.read.Call(uintptr(unsafe.Pointer(&n)))
	return time.Unix(n/c.second, n%c.second*int64(time.Second)/c.second)
}
