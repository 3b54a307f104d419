package sock

import (
	"math"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// tcpInfoAsker asks the system what it knows of a connection. The zero value is
// ready; any number of goroutines may share it.
type tcpInfoAsker struct{}

// ask gives the kernel's figures of a connection, and false where it has none.
func (*tcpInfoAsker) ask(fd uintptr) (model.TCPInfo, bool) {
	return readTCPInfo(fd, unix.SizeofTCPInfo)
}

// leastTCPInfo is how much of the struct Linux 2.6 fills in: up to and with the
// count of retransmits. Newer kernels add fields at the end.
const leastTCPInfo = uint32(unsafe.Offsetof(unix.TCPInfo{}.Total_retrans) + 4)

// readTCPInfo calls getsockopt(TCP_INFO) for at most size bytes. It does so
// itself because unix.GetsockoptTCPInfo allocates, at ten calls a second for each
// stream, and does not tell how much the kernel filled in.
func readTCPInfo(fd uintptr, size uint32) (model.TCPInfo, bool) {
	var raw unix.TCPInfo
	_, _, failed := unix.Syscall6(unix.SYS_GETSOCKOPT, fd, unix.IPPROTO_TCP, unix.TCP_INFO,
		uintptr(unsafe.Pointer(&raw)), uintptr(unsafe.Pointer(&size)), 0)
	if failed != 0 || size < leastTCPInfo {
		return model.TCPInfo{}, false
	}
	return tcpInfoOf(&raw), true
}

// tcpInfoOf turns the units of struct tcp_info (include/uapi/linux/tcp.h) into
// ours. What an old kernel left out is zero. The kernel measures the delivery
// rate best while there is always something to send; a sender that was out of
// data (tcpi_delivery_rate_app_limited) gets what it used, which is less than
// what the path could carry. It tells no time of its own for the congestion
// window: that is what remains of Busy.
func tcpInfoOf(raw *unix.TCPInfo) model.TCPInfo {
	segment := units.Bytes(raw.Snd_mss)
	return model.TCPInfo{
		RTT:               microseconds(raw.Rtt),
		RTTVar:            microseconds(raw.Rttvar),
		MinRTT:            minRTT(raw.Min_rtt),
		Retransmits:       uint64(raw.Total_retrans),
		Window:            units.Bytes(raw.Snd_cwnd) * segment,
		PeerWindow:        units.Bytes(raw.Snd_wnd),
		InFlight:          units.Bytes(raw.Unacked) * segment,
		MSS:               segment,
		Delivery:          units.RateOf(units.Bytes(raw.Delivery_rate), time.Second),
		Busy:              microseconds(raw.Busy_time),
		ReceiverLimited:   microseconds(raw.Rwnd_limited),
		SendBufferLimited: microseconds(raw.Sndbuf_limited),
		Reordered:         uint64(raw.Reord_seen),
	}
}

func microseconds[T uint32 | uint64](n T) time.Duration {
	return time.Duration(n) * time.Microsecond
}

// minRTT is unknown, all bits set, until the first segment was acknowledged.
func minRTT(n uint32) time.Duration {
	if n == math.MaxUint32 {
		return 0
	}
	return microseconds(n)
}
