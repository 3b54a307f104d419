package sock

import (
	"net"

	"golang.org/x/sys/unix"
)

// SharedPorts says whether Join may be given a port that Packets has opened: the
// kernel gives each packet to the socket that fits it best, so to a joined one
// whatever comes from its remote address.
const SharedPorts = true

// share lets Join open further sockets on the port of a bound one. Asked for
// before binding, it would let a second program take the port away.
func share(conn *net.UDPConn) {
	if raw, err := conn.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) {
			_ = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEADDR, 1)
		})
	}
}

// prepare sets up a socket that is to be joined, before it is bound. What the
// system refuses shows in Granted, or in that no datagram gets through.
func prepare(fd uintptr, ipv6 bool, t Tuning) {
	discover(fd, ipv6, unix.IP_PMTUDISC_DO)
	_, _, _ = setBuffers(fd, t.SendBuffer, t.ReceiveBuffer)
	if t.DSCP != 0 {
		_, _ = setDSCP(fd, t.DSCP)
	}
}

// reuse lets a socket that is to be joined have a port that is taken. A free port
// must be asked for without: the kernel would give one to two sockets.
func reuse(fd uintptr) { _ = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEADDR, 1) }

// discover says whether packets may be fragmented (ip(7), IP_MTU_DISCOVER).
func discover(fd uintptr, ipv6 bool, how int) {
	if ipv6 {
		_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_IPV6, unix.IPV6_MTU_DISCOVER, how)
		return
	}
	_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_IP, unix.IP_MTU_DISCOVER, how)
}

// allowFragments lets datagrams through that are larger than the path carries in
// one piece, as somebody asked for.
func allowFragments(d Datagrams) {
	if s, ok := d.(socket); ok {
		s.control(func(fd uintptr) { discover(fd, s.ipv6(), unix.IP_PMTUDISC_DONT) })
	}
}

// pathMTU asks what a connected socket's path carries; 0 is unknown.
func pathMTU(fd uintptr, ipv6 bool) int {
	level, option := unix.IPPROTO_IP, unix.IP_MTU
	if ipv6 {
		level, option = unix.IPPROTO_IPV6, unix.IPV6_MTU
	}
	mtu, err := unix.GetsockoptInt(int(fd), level, option)
	if err != nil {
		return 0
	}
	return mtu
}
