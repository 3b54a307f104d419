package stamp

import (
	"errors"
	"net/netip"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/windows"

	"linkpace/engine/internal/clock"
)

// systemConn is a connected socket whose datagrams are waited for on the calling
// thread, by an event and a precise timer, without the runtime's completion port
// and scheduler in between. It has no stamps of the system, but the fine counter.
type systemConn struct {
	raw      syscall.RawConn
	now      func() time.Time
	alarm    alarm
	readable windows.Handle
}

// fdRead is FD_READ (winsock2.h).
const fdRead = 1

// connectSystem connects a socket; nil where it cannot be done.
func connectSystem(raw syscall.RawConn, to netip.AddrPort) *systemConn {
	c := &systemConn{raw: raw, now: clock.Finest()}
	event, err := windows.CreateEvent(nil, 0, 0, nil) // resets itself
	if err != nil {
		return nil
	}
	c.readable = event
	c.alarm = newAlarm()
	if c.do(func(socket windows.Handle) error { return c.connect(socket, to) }) != nil {
		c.close()
		return nil
	}
	return c
}

func (c *systemConn) connect(socket windows.Handle, to netip.AddrPort) error {
	selectEvents := windows.NewLazySystemDLL("ws2_32.dll").NewProc("WSAEventSelect")
	if err := selectEvents.Find(); err != nil {
		return err
	}
	own, err := windows.Getsockname(socket)
	if err != nil {
		return err
	}
	zone, err := zoneNumber(to.Addr().Zone())
	if err != nil {
		return err
	}
	var address windows.Sockaddr = &windows.SockaddrInet6{Port: int(to.Port()), Addr: to.Addr().As16(), ZoneId: zone}
	if _, four := own.(*windows.SockaddrInet4); four {
		address = &windows.SockaddrInet4{Port: int(to.Port()), Addr: to.Addr().Unmap().As4()}
	}
	if err := windows.Connect(socket, address); err != nil {
		return err
	}
	if failed, _, err := selectEvents.Call(uintptr(socket), uintptr(c.readable), fdRead); failed != 0 {
		return err
	}
	return nil
}

// do calls f with the socket, which cannot be closed meanwhile.
func (c *systemConn) do(f func(socket windows.Handle) error) (err error) {
	if closed := c.raw.Control(func(fd uintptr) { err = f(windows.Handle(fd)) }); closed != nil {
		return closed
	}
	return err
}

// close gives back what the waiting needs; the socket is the caller's.
func (c *systemConn) close() {
	c.alarm.close()
	_ = windows.CloseHandle(c.readable)
}

func (c *systemConn) send(b []byte) (m Moment, err error) {
	buffer := windows.WSABuf{Len: uint32(len(b)), Buf: &b[0]}
	err = c.do(func(socket windows.Handle) error {
		var sent uint32
		m.Program = c.now()
		return windows.WSASend(socket, &buffer, 1, &sent, 0, nil, nil)
	})
	return m, err
}

func (c *systemConn) receive(b []byte, by time.Time) (int, Moment, error) {
	buffer := windows.WSABuf{Len: uint32(len(b)), Buf: &b[0]}
	var n uint32
	var m Moment
	err := c.do(func(socket windows.Handle) error {
		for {
			var flags uint32
			err := windows.WSARecv(socket, &buffer, 1, &n, &flags, nil, nil)
			m.Program = c.now()
			if !errors.Is(err, windows.WSAEWOULDBLOCK) {
				return err
			}
			left := time.Until(by)
			if left <= 0 {
				return os.ErrDeadlineExceeded
			}
			c.wait(left)
		}
	})
	if err != nil {
		return 0, Moment{}, err
	}
	return int(n), m, nil
}

// wait sleeps on this thread until something comes, or for so long.
func (c *systemConn) wait(longest time.Duration) {
	handles := []windows.Handle{c.readable}
	if c.alarm.arm(longest) {
		handles = append(handles, c.alarm.handle)
	}
	// The rough limit is for systems without the timer, and never far behind it.
	rough := min(longest.Milliseconds()+1, time.Hour.Milliseconds())
	_, _ = windows.WaitForMultipleObjects(handles, false, uint32(rough))
}

// stamped is false: the system's own stamps are left out on Windows.
func (*systemConn) stamped() bool { return false }
