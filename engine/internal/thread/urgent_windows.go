package thread

import "golang.org/x/sys/windows"

// Thread priorities (winbase.h).
const (
	priorityNormal       = 0
	priorityTimeCritical = 15
)

func urgent() (undo func(), err error) {
	set := windows.NewLazySystemDLL("kernel32.dll").NewProc("SetThreadPriority")
	if err := set.Find(); err != nil {
		return nil, err
	}
	if ok, _, err := set.Call(uintptr(windows.CurrentThread()), priorityTimeCritical); ok == 0 {
		return nil, err
	}
	return func() { _, _, _ = set.Call(uintptr(windows.CurrentThread()), priorityNormal) }, nil
}
