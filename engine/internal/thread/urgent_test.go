package thread_test

import (
	"testing"

	"linkpace/engine/internal/thread"
)

func TestUrgentCanAlwaysBeUndone(t *testing.T) {
	locked(func() {
		undo, err := thread.Urgent()
		if undo == nil {
			t.Fatalf("nothing to undo it with: %v", err)
		}
		undo()
	})
}
