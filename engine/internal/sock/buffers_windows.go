package sock

import "golang.org/x/sys/windows"

func grantedBuffers(fd uintptr) (send, receive int64) {
	if n, err := windows.GetsockoptInt(windows.Handle(fd), windows.SOL_SOCKET, windows.SO_SNDBUF); err == nil {
		send = int64(n)
	}
	if n, err := windows.GetsockoptInt(windows.Handle(fd), windows.SOL_SOCKET, windows.SO_RCVBUF); err == nil {
		receive = int64(n)
	}
	return send, receive
}
