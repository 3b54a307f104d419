// Package thread sets what the system lets a program choose for one of its
// threads: on which processors it runs and how soon it gets its turn.
//
// Everything here is about the thread that calls, so a goroutine calls
// runtime.LockOSThread first. What Pin sets stays with the thread: a pinned
// goroutine ends without unlocking it, and the thread ends with the goroutine.
package thread

import (
	"errors"
	"fmt"
)

// maxCPU bounds the numbers of processors; no system counts that far.
const maxCPU = 8191

// Pin keeps the calling thread to the processors with these numbers, counted
// from 0 as the system shows them. None leaves the thread as it is. The error
// names the processors and says that there are none such here, or what the
// system said against it.
func Pin(cpus []int) error {
	if len(cpus) == 0 {
		return nil
	}
	for _, cpu := range cpus {
		if cpu < 0 || cpu > maxCPU {
			return pinError(cpus, errNoSuchCPU)
		}
	}
	return pinError(cpus, pin(cpus))
}

var errNoSuchCPU = errors.New("this computer has no such processor for the program")

func pinError(cpus []int, cause error) error {
	if cause == nil {
		return nil
	}
	return fmt.Errorf("keep a thread to processors %v: %w", cpus, cause)
}

// Urgent asks the system to give the calling thread its turn before others. undo,
// which is never nil, takes that back on the same thread. An error says what the
// system refused; the thread then goes on as before.
//
// It is for threads that do next to nothing: one that is busy would starve the
// rest of the computer.
func Urgent() (undo func(), err error) {
	undo, err = urgent()
	if undo == nil {
		undo = func() {}
	}
	if err != nil {
		err = fmt.Errorf("raise the priority of a thread: %w", err)
	}
	return undo, err
}
