package thread

import (
	"errors"

	"golang.org/x/sys/unix"
)

func pin(cpus []int) error {
	want := unix.NewCPUSet(maxCPU + 1)
	for _, cpu := range cpus {
		want.Set(cpu)
	}
	before := unix.NewCPUSet(maxCPU + 1)
	if err := unix.SchedGetaffinityDynamic(0, before); err != nil {
		return err
	}
	if err := unix.SchedSetaffinityDynamic(0, want); errors.Is(err, unix.EINVAL) {
		return errNoSuchCPU
	} else if err != nil {
		return err
	}
	// The system leaves out processors that it does not have and says nothing.
	got := unix.NewCPUSet(maxCPU + 1)
	if err := unix.SchedGetaffinityDynamic(0, got); err != nil {
		return err
	}
	if got.Count() != want.Count() {
		_ = unix.SchedSetaffinityDynamic(0, before)
		return errNoSuchCPU
	}
	return nil
}
