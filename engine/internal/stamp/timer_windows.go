package stamp

import (
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Flags of CreateWaitableTimerExW (synchapi.h, winnt.h). The precise kind is
// there since Windows 10, version 1803.
const (
	timerPrecise   = 2
	timerAllAccess = 0x1f0003
)

// alarm is a waitable timer, 0 where the system makes none.
type alarm struct {
	set    *windows.LazyProc
	handle windows.Handle
}

func newAlarm() alarm {
	kernel := windows.NewLazySystemDLL("kernel32.dll")
	create, set := kernel.NewProc("CreateWaitableTimerExW"), kernel.NewProc("SetWaitableTimer")
	if create.Find() != nil || set.Find() != nil {
		return alarm{}
	}
	for _, flags := range []uintptr{timerPrecise, 0} {
		if h, _, _ := create.Call(0, 0, flags, timerAllAccess); h != 0 {
			return alarm{set, windows.Handle(h)}
		}
	}
	return alarm{}
}

// arm has the timer ring after so long; false where it cannot.
func (a alarm) arm(after time.Duration) bool {
	if a.handle == 0 {
		return false
	}
	due := -after.Nanoseconds() / 100 // negative is from now
	ok, _, _ := a.set.Call(uintptr(a.handle), uintptr(unsafe.Pointer(&due)), 0, 0, 0, 0)
	return ok != 0
}

func (a alarm) close() {
	if a.handle != 0 {
		_ = windows.CloseHandle(a.handle)
	}
}
