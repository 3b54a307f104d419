package load

import (
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// own is the processor time of all threads of this process: from its cycles
// where the processor counts them at a steady rate, else from GetProcessTimes.
// That one charges whole ticks (15.6 ms) to whoever runs when the tick comes, so
// it is coarse, and it misses threads that timers wake, which run just after.
func (s *source) own() (time.Duration, error) {
	if s.cycles.perSecond > 0 {
		return s.cycles.own()
	}
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

// cycleClock turns the cycles that Windows counts for each thread at every
// switch into time.
type cycleClock struct {
	process   *windows.LazyProc
	perSecond float64 // 0 is no such clock
}

// openCycleClock finds out how fast cycles count: Windows does not tell. It does
// so only where the counter has its own steady rate, which is so of the time
// stamp counters of x86; on ARM the cycles follow the frequency of the core.
func openCycleClock(clock performanceClock) cycleClock {
	kernel := windows.NewLazySystemDLL("kernel32.dll")
	c := cycleClock{process: kernel.NewProc("QueryProcessCycleTime")}
	thread := kernel.NewProc("QueryThreadCycleTime")
	if runtime.GOARCH != "amd64" || c.process.Find() != nil || thread.Find() != nil {
		return c
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if _, err := cyclesOf(c.process, windows.CurrentProcess()); err == nil {
		c.perSecond = steadiest(func() float64 { return spin(clock, thread) })
	}
	return c
}

func (c cycleClock) own() (time.Duration, error) {
	cycles, err := cyclesOf(c.process, windows.CurrentProcess())
	return time.Duration(float64(cycles) / c.perSecond * float64(time.Second)), err
}

// cyclesOf calls QueryProcessCycleTime or QueryThreadCycleTime.
func cyclesOf(query *windows.LazyProc, of windows.Handle) (uint64, error) {
	var cycles uint64
	if ok, _, err := query.Call(uintptr(of), uintptr(unsafe.Pointer(&cycles))); ok == 0 {
		return 0, err
	}
	return cycles, nil
}

// spin keeps this thread busy for a moment, and gives the cycles that it was
// charged in a second.
func spin(clock performanceClock, thread *windows.LazyProc) float64 {
	const moment = time.Millisecond
	began := clock.now()
	from, err := cyclesOf(thread, windows.CurrentThread())
	if err != nil {
		return 0
	}
	for clock.now()-began < moment {
	}
	to, err := cyclesOf(thread, windows.CurrentThread())
	if took := clock.now() - began; err == nil && to > from {
		return float64(to-from) / took.Seconds()
	}
	return 0
}
