package sock

import "golang.org/x/sys/unix"

// unreadBytes asks SIOCINQ, which Linux also calls FIONREAD (tcp(7)).
func unreadBytes(fd uintptr) int {
	n, err := unix.IoctlGetInt(int(fd), unix.SIOCINQ)
	if err != nil {
		return 0
	}
	return n
}
