package sock

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// fionread is FIONREAD of winsock2.h, see the page "Winsock IOCTLs" of
// Microsoft's documentation.
const fionread = 0x4004667f

func unreadBytes(fd uintptr) int {
	var unread, size uint32
	err := windows.WSAIoctl(windows.Handle(fd), fionread, nil, 0, (*byte)(unsafe.Pointer(&unread)), uint32(unsafe.Sizeof(unread)), &size, nil, 0)
	if err != nil {
		return 0
	}
	return int(unread)
}
