package stamp

import (
	"errors"
	"net/netip"
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"linkpace/engine/internal/thread"
)

// outgoing asks for a stamp when a datagram is handed to the adapter's queue.
// The one when the driver takes it would leave out the time that it waits in
// this computer's own queue behind the payload, which is what delay under load
// is about. It is there when the send call returns.
const outgoing = unix.SOF_TIMESTAMPING_TX_SCHED | unix.SOF_TIMESTAMPING_OPT_TSONLY

// incoming asks for the stamp when the adapter's driver hands a datagram up.
const incoming = unix.SOF_TIMESTAMPING_RX_SOFTWARE | unix.SOF_TIMESTAMPING_SOFTWARE

// systemConn is a connected socket of the system.
type systemConn struct {
	raw     syscall.RawConn
	oob     [oobSize]byte
	stamps  bool
	events  [1]unix.PollFd // not on the stack, which may move while the system writes
	timeout unix.Timespec
}

// connectSystem connects a socket and asks for stamps; nil where it cannot be
// connected. Without stamps it still does without the runtime's poller.
func connectSystem(raw syscall.RawConn, to netip.AddrPort) *systemConn {
	c := &systemConn{raw: raw}
	err := c.do(func(fd int) error {
		domain, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_DOMAIN)
		if err != nil {
			return err
		}
		address, err := sockaddr(domain, to)
		if err != nil {
			return err
		}
		if err := unix.Connect(fd, address); err != nil {
			return err
		}
		c.stamps = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPING, outgoing|incoming) == nil
		return nil
	})
	if err != nil {
		return nil
	}
	thread.MakeRoom(1)
	return c
}

// do calls f with the descriptor, which cannot be closed meanwhile.
func (c *systemConn) do(f func(fd int) error) (err error) {
	if closed := c.raw.Control(func(fd uintptr) { err = f(int(fd)) }); closed != nil {
		return closed
	}
	return err
}

func (c *systemConn) stamped() bool { return c.stamps }

// close has nothing to give back.
func (*systemConn) close() {}

func sockaddr(domain int, to netip.AddrPort) (unix.Sockaddr, error) {
	switch domain {
	case unix.AF_INET:
		return &unix.SockaddrInet4{Port: int(to.Port()), Addr: to.Addr().Unmap().As4()}, nil
	case unix.AF_INET6:
		zone, err := zoneNumber(to.Addr().Zone())
		return &unix.SockaddrInet6{Port: int(to.Port()), Addr: to.Addr().As16(), ZoneId: zone}, err
	}
	return nil, unix.EAFNOSUPPORT
}

func (c *systemConn) send(b []byte) (m Moment, err error) {
	err = c.do(func(fd int) error {
		m.Program = time.Now()
		if _, err := unix.Write(fd, b); err != nil {
			return err
		}
		// A stamp from before belongs to a datagram that waited, as for a
		// neighbour's address.
		if left, ok := c.left(fd); ok && !left.Before(m.Program.Round(0)) {
			m.Kernel = left
		}
		return nil
	})
	return m, err
}

// left empties the error queue, which the stamps of what left come by, and gives
// the last one.
func (c *systemConn) left(fd int) (last time.Time, ok bool) {
	for range maxQueued {
		_, oobn, _, _, err := unix.Recvmsg(fd, nil, c.oob[:], unix.MSG_ERRQUEUE|unix.MSG_DONTWAIT)
		if err != nil {
			break
		}
		if stamp, found := softwareStamp(c.oob[:oobn]); found {
			last, ok = stamp, true
		}
	}
	return last, ok
}

// maxQueued is more stamps than can wait at once.
const maxQueued = 1000

func (c *systemConn) receive(b []byte, by time.Time) (n int, m Moment, err error) {
	err = c.do(func(fd int) error {
		for {
			var oobn int
			n, oobn, _, _, err = unix.Recvmsg(fd, b, c.oob[:], unix.MSG_DONTWAIT)
			m.Program = time.Now()
			switch {
			case err == nil:
				m.Kernel, _ = softwareStamp(c.oob[:oobn])
				return nil
			case !errors.Is(err, unix.EAGAIN) && !errors.Is(err, unix.EINTR):
				return err
			case !m.Program.Before(by):
				return os.ErrDeadlineExceeded
			}
			c.wait(fd, by.Sub(m.Program))
		}
	})
	if err != nil {
		return 0, Moment{}, err
	}
	return n, m, nil
}

// wait waits until something comes, or for so long, or shorter: a raw call that a
// signal ends at once. A blocking call is one from which Go's scheduler takes the
// processor back after 10 ms, and then its watcher looks around every 20 us for a
// while (sysmon and retake in runtime/proc.go): with 50 probes a second that cost
// three times what receiving a gigabit a second does.
func (c *systemConn) wait(fd int, longest time.Duration) {
	c.timeout = unix.NsecToTimespec(longest.Nanoseconds())
	c.events[0] = unix.PollFd{Fd: int32(fd), Events: unix.POLLIN}
	n, _, err := unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&c.events[0])), 1, uintptr(unsafe.Pointer(&c.timeout)), 0, 0, 0)
	if err == 0 && n > 0 && c.events[0].Revents&unix.POLLERR != 0 {
		c.left(fd) // a late stamp would wake the thread again and again
	}
}
