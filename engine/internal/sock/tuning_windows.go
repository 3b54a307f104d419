package sock

import (
	"errors"
	"fmt"

	"golang.org/x/sys/windows"

	"linkpace/engine/units"
)

// grantedMSS is the largest segment that a connection sends, in bytes of payload.
// 0 is unknown.
func grantedMSS(fd uintptr) int {
	n, err := windows.GetsockoptInt(windows.Handle(fd), windows.IPPROTO_TCP, windows.TCP_MAXSEG)
	if err != nil {
		return 0
	}
	return n
}

// grantedCongestion is unknown: Windows tells the algorithm of a template, not of
// a connection, and not to programs.
func grantedCongestion(uintptr) string { return "" }

// setNoDelay switches Nagle's algorithm off or on.
func setNoDelay(fd uintptr, off bool) error {
	value := 0
	if off {
		value = 1
	}
	if err := windows.SetsockoptInt(windows.Handle(fd), windows.IPPROTO_TCP, windows.TCP_NODELAY, value); err != nil {
		return fmt.Errorf("set no-delay: %w", err)
	}
	return nil
}

// setMSS asks for a largest segment, in bytes of payload, and gives what the
// system says then.
func setMSS(fd uintptr, size int) (int, error) {
	if err := windows.SetsockoptInt(windows.Handle(fd), windows.IPPROTO_TCP, windows.TCP_MAXSEG, size); err != nil {
		return grantedMSS(fd), fmt.Errorf("set the largest segment to %d bytes: %w", size, err)
	}
	return grantedMSS(fd), nil
}

// ipv6TrafficClass is IPV6_TCLASS of ws2ipdef.h.
const ipv6TrafficClass = 39

// setDSCP marks what a socket sends, and gives the mark that the system reports
// then. Windows takes the mark and does not put it on packets, unless a policy
// of its administrator says so; programs would have to ask its qWAVE service.
//
// A socket of IPv6 takes both marks, because it may carry IPv4 too; one of IPv4
// refuses the second. So one of them has to work.
func setDSCP(fd uintptr, dscp int) (int, error) {
	four, bad4 := setMark(fd, windows.IPPROTO_IP, windows.IP_TOS, dscp)
	six, bad6 := setMark(fd, windows.IPPROTO_IPV6, ipv6TrafficClass, dscp)
	if bad4 != nil && bad6 != nil {
		return 0, fmt.Errorf("set DSCP %d: %w", dscp, errors.Join(bad4, bad6))
	}
	return max(four, six), nil
}

// setMark sets one of the two marks and reads it back. The two bits below the DSCP
// belong to congestion notification (RFC 3168).
func setMark(fd uintptr, level, option, dscp int) (int, error) {
	if err := windows.SetsockoptInt(windows.Handle(fd), level, option, dscp<<2); err != nil {
		return 0, err
	}
	value, err := windows.GetsockoptInt(windows.Handle(fd), level, option)
	return value >> 2, err
}

// setCongestion refuses: on Windows the administrator chooses the algorithm, for
// all programs.
func setCongestion(_ uintptr, name string) (string, error) {
	return "", fmt.Errorf("set congestion control %s: Windows chooses it for all programs alike: %w", name, errors.ErrUnsupported)
}

// setBuffers asks for socket buffers in bytes, 0 leaves one as it is. Those that
// it sets the system no longer fits to the connection by itself. It gives what
// the system then reports of both, as grantedBuffers does: on Windows the size
// that was asked for.
func setBuffers(fd uintptr, send, receive int) (gotSend, gotReceive int64, err error) {
	err = errors.Join(
		setBuffer(fd, "send", send, windows.SO_SNDBUF),
		setBuffer(fd, "receive", receive, windows.SO_RCVBUF),
	)
	gotSend, gotReceive = grantedBuffers(fd)
	return gotSend, gotReceive, err
}

func setBuffer(fd uintptr, which string, size, option int) error {
	if size == 0 {
		return nil
	}
	if err := windows.SetsockoptInt(windows.Handle(fd), windows.SOL_SOCKET, option, size); err != nil {
		return fmt.Errorf("set the %s buffer to %s: %w", which, units.Bytes(size).Buffer(), err)
	}
	return nil
}
