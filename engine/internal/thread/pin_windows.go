package thread

import (
	"errors"
	"unsafe"

	"golang.org/x/sys/windows"
)

// groupAffinity is GROUP_AFFINITY (winnt.h).
type groupAffinity struct {
	mask     uintptr
	group    uint16
	reserved [3]uint16
}

func pin(cpus []int) error {
	affinity, err := locate(cpus, windows.GetActiveProcessorCount)
	if err != nil {
		return err
	}
	set := windows.NewLazySystemDLL("kernel32.dll").NewProc("SetThreadGroupAffinity")
	if err := set.Find(); err != nil {
		return err
	}
	ok, _, err := set.Call(uintptr(windows.CurrentThread()), uintptr(unsafe.Pointer(&affinity)), 0)
	if ok == 0 {
		return err
	}
	return nil
}

var errSeveralGroups = errors.New("on Windows a thread stays within one group of up to 64 processors; name processors of one group")

// locate finds the group that all processors belong to. Windows numbers them
// within groups; across groups they are counted in order.
func locate(cpus []int, size func(group uint16) uint32) (groupAffinity, error) {
	var affinity groupAffinity
	for i, cpu := range cpus {
		group, number, ok := place(cpu, size)
		switch {
		case !ok:
			return affinity, errNoSuchCPU
		case i > 0 && group != affinity.group:
			return affinity, errSeveralGroups
		}
		affinity.group = group
		affinity.mask |= 1 << number
	}
	return affinity, nil
}

// place gives the group of a processor and its number in it.
func place(cpu int, size func(group uint16) uint32) (group uint16, number int, ok bool) {
	for ; ; group++ {
		n := int(size(group))
		if n == 0 {
			return 0, 0, false
		}
		if cpu < n {
			return group, cpu, true
		}
		cpu -= n
	}
}
