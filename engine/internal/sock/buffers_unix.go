//go:build unix

package sock

import "golang.org/x/sys/unix"

// grantedBuffers reads SO_SNDBUF and SO_RCVBUF. Linux reports twice the size
// asked for, because it counts its own bookkeeping (socket(7)).
func grantedBuffers(fd uintptr) (send, receive int64) {
	if n, err := unix.GetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_SNDBUF); err == nil {
		send = int64(n)
	}
	if n, err := unix.GetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUF); err == nil {
		receive = int64(n)
	}
	return send, receive
}
