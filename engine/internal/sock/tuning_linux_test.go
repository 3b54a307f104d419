package sock

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestMSSIsAskedForBeforeConnecting(t *testing.T) {
	const asked = 1000
	a, _ := loopback(t, "127.0.0.1:0", func(fd uintptr) {
		if got, err := setMSS(fd, asked); err != nil || got != asked {
			t.Errorf("got %d, %v", got, err)
		}
	})
	onDescriptor(t, a, func(fd uintptr) {
		// The options in each header leave a little less.
		if got := grantedMSS(fd); got > asked || got < asked-40 {
			t.Errorf("granted %d bytes", got)
		}
		if _, err := setMSS(fd, 1); !errors.Is(err, unix.EINVAL) || !strings.Contains(err.Error(), "largest segment to 1 byte") {
			t.Errorf("one byte: %v", err)
		}
	})
}

func TestDSCPMarksBothFamilies(t *testing.T) {
	const asked = 46 // expedited forwarding, RFC 3246
	for address, six := range map[string]bool{"127.0.0.1:0": false, "[::1]:0": true} {
		t.Run(address, func(t *testing.T) {
			a, _ := loopback(t, address, nil)
			onDescriptor(t, a, func(fd uintptr) {
				if got, err := setDSCP(fd, asked); err != nil || got != asked {
					t.Errorf("got %d, %v", got, err)
				}
				if tos, err := unix.GetsockoptInt(int(fd), unix.IPPROTO_IP, unix.IP_TOS); err != nil || tos != asked<<2 {
					t.Errorf("IP_TOS is %#x, %v", tos, err)
				}
				if class, err := unix.GetsockoptInt(int(fd), unix.IPPROTO_IPV6, unix.IPV6_TCLASS); six && (err != nil || class != asked<<2) {
					t.Errorf("IPV6_TCLASS is %#x, %v", class, err)
				}
			})
		})
	}
}

// Every algorithm that the system offers can be chosen; whether others than
// administrators may is the system's business.
func TestCongestionIsWhatWasChosen(t *testing.T) {
	offered := offeredAlgorithms(t)
	a, _ := loopback(t, "127.0.0.1:0", nil)
	onDescriptor(t, a, func(fd uintptr) {
		if now := grantedCongestion(fd); !slices.Contains(offered, now) {
			t.Errorf("it begins with %q, which is none of %v", now, offered)
		}
		for _, name := range offered {
			switch got, err := setCongestion(fd, name); {
			case errors.Is(err, unix.EPERM):
				if got == name || !strings.Contains(err.Error(), "administrator") {
					t.Errorf("%s: %q, %v", name, got, err)
				}
			case err != nil || got != name:
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
	})
}

func offeredAlgorithms(t *testing.T) []string {
	t.Helper()
	names, err := os.ReadFile("/proc/sys/net/ipv4/tcp_available_congestion_control")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("this system does not tell its algorithms")
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(names))
}

func TestUnknownCongestionNamesWhatThereIs(t *testing.T) {
	offered := offeredAlgorithms(t)
	a, _ := loopback(t, "127.0.0.1:0", nil)
	onDescriptor(t, a, func(fd uintptr) {
		before := grantedCongestion(fd)
		got, err := setCongestion(fd, "nosuch")
		if !errors.Is(err, unix.ENOENT) || got != before {
			t.Fatalf("got %q after %q, %v", got, before, err)
		}
		for _, part := range append(offered, "set congestion control nosuch:") {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%v does not say %q", err, part)
			}
		}
	})
}

func TestNoDelay(t *testing.T) {
	a, _ := loopback(t, "127.0.0.1:0", nil)
	onDescriptor(t, a, func(fd uintptr) {
		for want, off := range []bool{false, true} {
			if err := setNoDelay(fd, off); err != nil {
				t.Error(err)
			}
			if got, err := unix.GetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_NODELAY); err != nil || got != want {
				t.Errorf("%v: TCP_NODELAY is %d, %v", off, got, err)
			}
		}
	})
}

func TestBuffersAreTheKernelsFigures(t *testing.T) {
	const size = 64 << 10
	a, _ := loopback(t, "127.0.0.1:0", nil)
	onDescriptor(t, a, func(fd uintptr) {
		send, receive := grantedBuffers(fd)
		gotSend, gotReceive, err := setBuffers(fd, size, 0)
		if err != nil || gotSend != 2*size || gotReceive != receive {
			t.Errorf("sending only: %d and %d, %v; before %d and %d", gotSend, gotReceive, err, send, receive)
		}
		gotSend, gotReceive, err = setBuffers(fd, 0, size)
		if err != nil || gotSend != 2*size || gotReceive != 2*size {
			t.Errorf("then receiving: %d and %d, %v", gotSend, gotReceive, err)
		}
	})
}

// Only administrators get past the system's limit, the others get the limit.
func TestBuffersBeyondTheLimit(t *testing.T) {
	const size = 256 << 20
	a, _ := loopback(t, "127.0.0.1:0", nil)
	onDescriptor(t, a, func(fd uintptr) {
		send, receive, err := setBuffers(fd, size, size)
		if err != nil || send <= 0 || send > 2*size || receive <= 0 || receive > 2*size {
			t.Errorf("%d and %d, %v", send, receive, err)
		}
		forced := unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_SNDBUFFORCE, size) == nil
		if forced != (send == 2*size) {
			t.Errorf("allowed to go beyond the limit: %v, and got %d", forced, send)
		}
	})
}

// What is refused is named, also of a socket that is none.
func TestRefusedOptionsAreNamed(t *testing.T) {
	notSocket, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer notSocket.Close()
	fd := notSocket.Fd()
	for want, set := range map[string]func() error{
		"set no-delay":                          func() error { return setNoDelay(fd, true) },
		"set the largest segment to 1000 bytes": func() error { _, err := setMSS(fd, 1000); return err },
		"set DSCP 8":                            func() error { _, err := setDSCP(fd, 8); return err },
		"set congestion control reno":           func() error { _, err := setCongestion(fd, "reno"); return err },
		"set the send buffer to 4 KiB":          func() error { _, _, err := setBuffers(fd, 4096, 0); return err },
		"set the receive buffer to 4 KiB":       func() error { _, _, err := setBuffers(fd, 0, 4096); return err },
	} {
		if err := set(); !errors.Is(err, unix.ENOTSOCK) || !strings.HasPrefix(err.Error(), want+": ") {
			t.Errorf("%s: %v", want, err)
		}
	}
	if grantedMSS(fd) != 0 || grantedCongestion(fd) != "" {
		t.Error("a file has the options of a connection")
	}
}

// UDP sockets are marked and buffered in the same way.
func TestPacketSocketsAreTuned(t *testing.T) {
	c, err := net.ListenUDP("udp", &net.UDPAddr{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	onDescriptor(t, c, func(fd uintptr) {
		if got, err := setDSCP(fd, 10); err != nil || got != 10 {
			t.Errorf("DSCP is %d, %v", got, err)
		}
		if _, receive, err := setBuffers(fd, 0, 32<<10); err != nil || receive != 64<<10 {
			t.Errorf("the receive buffer is %d, %v", receive, err)
		}
	})
}
