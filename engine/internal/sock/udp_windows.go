package sock

import (
	"net"

	"golang.org/x/sys/windows"
)

// Options of ws2ipdef.h that package windows does not name; those of both levels
// have the same number where there is one.
const (
	dontFragment = 14 // IP_DONTFRAGMENT, IPV6_DONTFRAG
	ipMTU        = 73 // IP_MTU
	ipv6MTU      = 72 // IPV6_MTU
)

// SharedPorts says whether Join may be given a port that Packets has opened.
// Windows would give all packets of the port to one of the sockets.
const SharedPorts = false

func share(*net.UDPConn) {}

// prepare sets up a socket that is to be joined, before it is bound. What the
// system refuses shows in Granted, or in that no datagram gets through.
func prepare(fd uintptr, ipv6 bool, t Tuning) {
	setFragments(fd, ipv6, 1)
	_, _, _ = setBuffers(fd, t.SendBuffer, t.ReceiveBuffer)
	if t.DSCP != 0 {
		_, _ = setDSCP(fd, t.DSCP)
	}
}

func setFragments(fd uintptr, ipv6 bool, never int) {
	level := windows.IPPROTO_IP
	if ipv6 {
		level = windows.IPPROTO_IPV6
	}
	_ = windows.SetsockoptInt(windows.Handle(fd), level, dontFragment, never)
}

// allowFragments lets datagrams through that are larger than the path carries in
// one piece, as somebody asked for.
func allowFragments(d Datagrams) {
	if s, ok := d.(socket); ok {
		s.control(func(fd uintptr) { setFragments(fd, s.ipv6(), 0) })
	}
}

// pathMTU asks what a connected socket's path carries; 0 is unknown.
func pathMTU(fd uintptr, ipv6 bool) int {
	level, option := windows.IPPROTO_IP, ipMTU
	if ipv6 {
		level, option = windows.IPPROTO_IPV6, ipv6MTU
	}
	mtu, err := windows.GetsockoptInt(windows.Handle(fd), level, option)
	if err != nil {
		return 0
	}
	return mtu
}

// droppedPackets is unknown: Windows counts them for all sockets together.
func droppedPackets(uintptr) (uint64, bool) { return 0, false }

func reuse(uintptr) {}
