package sock

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"linkpace/engine/units"
)

// grantedMSS is the largest segment that a connection sends, in bytes of payload,
// the options of the header taken off; before it is connected, what was asked.
// 0 is unknown.
func grantedMSS(fd uintptr) int {
	n, err := unix.GetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_MAXSEG)
	if err != nil {
		return 0
	}
	return n
}

// grantedCongestion names the congestion control algorithm of a connection.
func grantedCongestion(fd uintptr) string {
	name, err := unix.GetsockoptString(int(fd), unix.IPPROTO_TCP, unix.TCP_CONGESTION)
	if err != nil {
		return ""
	}
	return name
}

// setNoDelay switches Nagle's algorithm off or on.
func setNoDelay(fd uintptr, off bool) error {
	value := 0
	if off {
		value = 1
	}
	if err := unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_NODELAY, value); err != nil {
		return fmt.Errorf("set no-delay: %w", err)
	}
	return nil
}

// setMSS asks for a largest segment, in bytes of payload, and gives what the
// system will ask for. It counts for connections that are opened or accepted
// after it.
func setMSS(fd uintptr, size int) (int, error) {
	if err := unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_MAXSEG, size); err != nil {
		return grantedMSS(fd), fmt.Errorf("set the largest segment to %d bytes: %w", size, err)
	}
	return grantedMSS(fd), nil
}

// setDSCP marks what a socket sends, and gives the mark that it has then. A
// socket of IPv6 may carry IPv4 too, so it gets both marks.
func setDSCP(fd uintptr, dscp int) (int, error) {
	level, option := unix.IPPROTO_IP, unix.IP_TOS
	err := unix.SetsockoptInt(int(fd), level, option, dscp<<ecnBits)
	if domain, _ := unix.GetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_DOMAIN); domain == unix.AF_INET6 {
		level, option = unix.IPPROTO_IPV6, unix.IPV6_TCLASS
		err = errors.Join(err, unix.SetsockoptInt(int(fd), level, option, dscp<<ecnBits))
	}
	value, unread := unix.GetsockoptInt(int(fd), level, option)
	if err = errors.Join(err, unread); err != nil {
		return value >> ecnBits, fmt.Errorf("set DSCP %d: %w", dscp, err)
	}
	return value >> ecnBits, nil
}

// ecnBits is how many bits below the DSCP belong to congestion notification
// (RFC 3168).
const ecnBits = 2

// setCongestion chooses the congestion control algorithm, and gives the one that
// the socket has then.
func setCongestion(fd uintptr, name string) (string, error) {
	err := unix.SetsockoptString(int(fd), unix.IPPROTO_TCP, unix.TCP_CONGESTION, name)
	if err == nil {
		return grantedCongestion(fd), nil
	}
	list, why := "available", "this system offers"
	if errors.Is(err, unix.EPERM) {
		list, why = "allowed", "without administrator rights use"
	}
	return grantedCongestion(fd), fmt.Errorf("set congestion control %s: %w%s", name, err, algorithmsIn(list, why))
}

// algorithmsIn says which algorithms there are, if the system tells.
func algorithmsIn(list, why string) string {
	names, err := os.ReadFile("/proc/sys/net/ipv4/tcp_" + list + "_congestion_control")
	if err != nil {
		return ""
	}
	return fmt.Sprintf(" (%s %s)", why, strings.Join(strings.Fields(string(names)), ", "))
}

// setBuffers asks for socket buffers in bytes, 0 leaves one as it is. Those that
// it sets the system no longer fits to the connection by itself. It gives what
// the system then reports of both, as grantedBuffers does: the kernel's figure,
// which is twice what was granted (socket(7)). Asking for more than the system
// allows is no error, it grants less.
func setBuffers(fd uintptr, send, receive int) (gotSend, gotReceive int64, err error) {
	err = errors.Join(
		setBuffer(fd, "send", send, unix.SO_SNDBUFFORCE, unix.SO_SNDBUF),
		setBuffer(fd, "receive", receive, unix.SO_RCVBUFFORCE, unix.SO_RCVBUF),
	)
	gotSend, gotReceive = grantedBuffers(fd)
	return gotSend, gotReceive, err
}

// setBuffer tries first what goes beyond the system's limit, which only
// administrators may.
func setBuffer(fd uintptr, which string, size, force, plain int) error {
	if size == 0 || unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, force, size) == nil {
		return nil
	}
	if err := unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, plain, size); err != nil {
		return fmt.Errorf("set the %s buffer to %s: %w", which, units.Bytes(size).Buffer(), err)
	}
	return nil
}
