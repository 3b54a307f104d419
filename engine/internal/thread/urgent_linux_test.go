package thread_test

import (
	"testing"

	"golang.org/x/sys/unix"

	"linkpace/engine/internal/thread"
)

func TestUrgentComesAndGoes(t *testing.T) {
	locked(func() {
		before, err := unix.SchedGetAttr(0, 0)
		if err != nil {
			t.Error(err)
			return
		}
		undo, refused := thread.Urgent()
		during, _ := unix.SchedGetAttr(0, 0)
		better := during.Policy == unix.SCHED_FIFO || during.Nice < before.Nice
		if better != (refused == nil) {
			t.Errorf("policy %d, nice %d, but the error is %v", during.Policy, during.Nice, refused)
		}
		undo()
		after, _ := unix.SchedGetAttr(0, 0)
		if after.Policy != before.Policy || after.Nice != before.Nice || after.Flags != before.Flags {
			t.Errorf("before %+v, after %+v", *before, *after)
		}
	})
}
