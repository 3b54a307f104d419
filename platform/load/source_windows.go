package load

import (
	"errors"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// source asks the kernel for the times of all cores at once.
type source struct {
	clock  performanceClock
	cycles cycleClock
	groups []group
}

// group is a processor group; Windows puts at most 64 processors in one.
type group struct {
	number uint16
	times  []processorTimes
}

const groupSize, maxGroups = 64, 64

// processorTimes is SYSTEM_PROCESSOR_PERFORMANCE_INFORMATION of winternl.h, in
// units of 100 ns. Kernel includes the three others that are not User. Windows
// counts in ticks of up to 15.6 ms.
type processorTimes struct {
	Idle, Kernel, User, DPC, Interrupt int64
	InterruptCount                     uint32
	_                                  uint32
}

func openSource() source {
	s := source{clock: openPerformanceClock(), groups: listGroups()}
	s.cycles = openCycleClock(s.clock)
	return s
}

// listGroups prepares for the groups that have processors.
func listGroups() []group {
	var groups []group
	for number := range uint16(maxGroups) {
		n := windows.GetActiveProcessorCount(number)
		if n == 0 {
			break
		}
		groups = append(groups, group{number, make([]processorTimes, n)})
	}
	return groups
}

func (s *source) now() time.Duration { return s.clock.now() }

func (s *source) cores() ([]core, error) {
	if len(s.groups) == 0 {
		return nil, errors.New("the system names no processors")
	}
	cores := make([]core, 0, len(s.groups)*len(s.groups[0].times))
	for _, g := range s.groups {
		n, err := g.read(len(s.groups) == 1)
		if err != nil {
			return nil, err
		}
		for i, t := range g.times[:n] {
			cores = append(cores, t.core(int(g.number)*groupSize+i))
		}
	}
	return cores, nil
}

func (t processorTimes) core(id int) core {
	return core{
		id:         id,
		busy:       float64(t.Kernel - t.Idle + t.User),
		idle:       float64(t.Idle),
		interrupts: float64(t.DPC + t.Interrupt),
	}
}

// read fills in the times of a group, and says of how many processors.
func (g group) read(only bool) (int, error) {
	into, size := unsafe.Pointer(&g.times[0]), uint32(len(g.times))*uint32(unsafe.Sizeof(g.times[0]))
	var length uint32
	var err error
	if only {
		err = windows.NtQuerySystemInformation(windows.SystemProcessorPerformanceInformation, into, size, &length)
	} else {
		err = queryGroup(g.number, into, size, &length)
	}
	return min(int(length/uint32(unsafe.Sizeof(g.times[0]))), len(g.times)), err
}

// queryGroup calls NtQuerySystemInformationEx, which is told the group; the call
// without Ex answers for the group that the thread happens to be in.
func queryGroup(number uint16, into unsafe.Pointer, size uint32, length *uint32) error {
	query := windows.NewLazySystemDLL("ntdll.dll").NewProc("NtQuerySystemInformationEx")
	if err := query.Find(); err != nil {
		return err
	}
	status, _, _ := query.Call(windows.SystemProcessorPerformanceInformation,
		uintptr(unsafe.Pointer(&number)), unsafe.Sizeof(number), uintptr(into), uintptr(size), uintptr(unsafe.Pointer(length)))
	if status != 0 {
		return windows.NTStatus(status)
	}
	return nil
}
