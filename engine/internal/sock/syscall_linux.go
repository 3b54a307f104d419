package sock

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// caller makes the system calls of a loop. Those that move payload do not block,
// except that reads do where block is set.
//
// A raw call keeps Go's scheduler out: a blocking Syscall gives the processor
// that a goroutine runs on away and has to get another one back, which costs
// four context switches for each wake-up instead of one. That is safe because
// every call that blocks returns on a signal (signal(7): epoll_wait is never
// restarted, and neither are calls on a socket with a timeout), so that the
// runtime's request to stop for the garbage collector comes through, no memory
// of a Go stack is passed, and GOMAXPROCS is raised, so that nobody else lacks a
// processor meanwhile.
type caller struct{ raw, block bool }

func (c caller) call(trap, a, b, d, e, f, g uintptr) (int, syscall.Errno) {
	var n uintptr
	var err syscall.Errno
	if c.raw {
		n, _, err = unix.RawSyscall6(trap, a, b, d, e, f, g)
	} else {
		n, _, err = unix.Syscall6(trap, a, b, d, e, f, g)
	}
	if err != 0 {
		return 0, err
	}
	return int(n), 0
}

// wait waits for events up to ms milliseconds.
func (c caller) wait(ep int, events []unix.EpollEvent, ms int) (int, syscall.Errno) {
	return c.call(unix.SYS_EPOLL_PWAIT, uintptr(ep), uintptr(unsafe.Pointer(&events[0])), uintptr(len(events)), uintptr(ms), 0, 8)
}

// write sends without raising SIGPIPE. b must not be on a stack.
func (c caller) write(fd int, b []byte) (int, syscall.Errno) {
	return c.call(unix.SYS_SENDTO, uintptr(fd), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)), unix.MSG_NOSIGNAL|unix.MSG_DONTWAIT, 0, 0)
}

// read receives; with discard the kernel drops the bytes instead of copying
// them (MSG_TRUNC, tcp(7)). b must not be on a stack.
func (c caller) read(fd int, b []byte, discard bool) (int, syscall.Errno) {
	var flags uintptr
	if !c.block {
		flags = unix.MSG_DONTWAIT
	}
	if discard {
		flags |= unix.MSG_TRUNC
	}
	return c.call(unix.SYS_RECVFROM, uintptr(fd), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)), flags, 0, 0)
}

// vmsplice puts the pages of v into a pipe.
func (c caller) vmsplice(fd int, v []unix.Iovec) (int, syscall.Errno) {
	return c.call(unix.SYS_VMSPLICE, uintptr(fd), uintptr(unsafe.Pointer(&v[0])), uintptr(len(v)), unix.SPLICE_F_NONBLOCK, 0, 0)
}

// splice moves up to n bytes from a pipe into a socket.
func (c caller) splice(from, to, n int, more bool) (int, syscall.Errno) {
	flags := uintptr(unix.SPLICE_F_MOVE | unix.SPLICE_F_NONBLOCK)
	if more {
		flags |= unix.SPLICE_F_MORE
	}
	return c.call(unix.SYS_SPLICE, uintptr(from), 0, uintptr(to), 0, uintptr(n), flags)
}
