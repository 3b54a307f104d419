package stamp

import (
	"encoding/binary"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// oobSize holds the control messages of one datagram: the stamps, and what the
// error queue adds.
const oobSize = 512

// softwareStamp finds the kernel's own stamp among control messages, the first
// of the three in SCM_TIMESTAMPING (Documentation/networking/timestamping.rst).
func softwareStamp(oob []byte) (stamp time.Time, ok bool) {
	messages, err := unix.ParseSocketControlMessage(oob)
	if err != nil {
		return stamp, false
	}
	for _, m := range messages {
		if m.Header.Level == unix.SOL_SOCKET && m.Header.Type == unix.SCM_TIMESTAMPING {
			if seconds, nanoseconds, ok := timespec(m.Data); ok && seconds != 0 {
				return time.Unix(seconds, nanoseconds), true
			}
		}
	}
	return stamp, false
}

// timespec reads a struct timespec of this system's word size.
func timespec(b []byte) (seconds, nanoseconds int64, ok bool) {
	const size = int(unsafe.Sizeof(unix.Timespec{}))
	switch {
	case len(b) < size:
		return 0, 0, false
	case size == 8:
		return int64(int32(binary.NativeEndian.Uint32(b))), int64(int32(binary.NativeEndian.Uint32(b[4:]))), true
	}
	return int64(binary.NativeEndian.Uint64(b)), int64(binary.NativeEndian.Uint64(b[8:])), true
}
