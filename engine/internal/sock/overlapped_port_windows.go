package sock

import (
	"fmt"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// completionPort is where the system tells one thread which calls have ended.
type completionPort struct {
	handle  windows.Handle
	dequeue uintptr // GetQueuedCompletionStatusEx
	entries [64]completion
}

// completion is OVERLAPPED_ENTRY of minwinbase.h.
type completion struct {
	key        uintptr
	overlapped *windows.Overlapped // nil says that somebody rang
	internal   uintptr
	bytes      uint32
}

func newCompletionPort(dequeue *windows.LazyProc) (*completionPort, error) {
	handle, err := windows.CreateIoCompletionPort(windows.InvalidHandle, 0, 0, 1)
	if err != nil {
		return nil, fmt.Errorf("make a completion port: %w", err)
	}
	return &completionPort{handle: handle, dequeue: dequeue.Addr()}, nil
}

func (p *completionPort) close() { _ = windows.CloseHandle(p.handle) }

// add has the ends of a socket's calls told here; a socket is at one port for
// its life. inline says that those that end at once are not told.
func (p *completionPort) add(fd windows.Handle) (inline bool, err error) {
	if _, err := windows.CreateIoCompletionPort(fd, p.handle, 0, 0); err != nil {
		return false, fmt.Errorf("add a socket to a completion port: %w", err)
	}
	err = windows.SetFileCompletionNotificationModes(fd, windows.FILE_SKIP_COMPLETION_PORT_ON_SUCCESS)
	return err == nil, nil
}

// ring wakes who waits.
func (p *completionPort) ring() { _ = windows.PostQueuedCompletionStatus(p.handle, 0, 0, nil) }

// wait gives what has ended, at most so many milliseconds later. The thread
// takes an entry out when it looks at it, so that none outlives what it is about.
func (p *completionPort) wait(milliseconds uint32) []completion {
	var n uint32
	ok, _, _ := syscall.SyscallN(p.dequeue, uintptr(p.handle), uintptr(unsafe.Pointer(&p.entries[0])), uintptr(len(p.entries)),
		uintptr(unsafe.Pointer(&n)), uintptr(milliseconds), 0)
	if ok == 0 {
		return nil // the time is over
	}
	return p.entries[:min(int(n), len(p.entries))]
}
