//go:build unix && !linux

package load

import (
	"time"

	"github.com/shirou/gopsutil/v3/cpu"
	"golang.org/x/sys/unix"
)

// source asks anew each time; these systems keep nothing to hold on to.
type source struct{ start time.Time }

func openSource() source { return source{start: time.Now()} }

func (s *source) now() time.Duration { return time.Since(s.start) }

// own is the processor time of all threads of this process.
func (s *source) own() (time.Duration, error) {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		return 0, err
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), nil
}

func (s *source) cores() ([]core, error) {
	times, err := cpu.Times(true)
	cores := make([]core, len(times))
	for i, t := range times {
		cores[i] = core{
			id:         i,
			busy:       t.User + t.Nice + t.System + t.Irq + t.Softirq + t.Steal,
			idle:       t.Idle + t.Iowait,
			interrupts: t.Irq + t.Softirq,
		}
	}
	return cores, err
}
