package sock

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// memInfo is what SO_MEMINFO fills in (include/uapi/linux/sock_diag.h).
type memInfo [9]uint32

// memInfoDrops is SK_MEMINFO_DROPS.
const memInfoDrops = 8

// droppedPackets asks SO_MEMINFO (Linux 4.12) how many packets did not find room
// in a socket.
func droppedPackets(fd uintptr) (uint64, bool) {
	info := new(memInfo)
	size := uint32(unsafe.Sizeof(*info))
	_, _, err := unix.Syscall6(unix.SYS_GETSOCKOPT, fd, unix.SOL_SOCKET, unix.SO_MEMINFO,
		uintptr(unsafe.Pointer(info)), uintptr(unsafe.Pointer(&size)), 0)
	return uint64(info[memInfoDrops]), err == 0 && size >= uint32(unsafe.Sizeof(*info))
}
