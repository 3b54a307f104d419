package sock

import (
	"net"
	"syscall"
	"testing"
)

// loopback opens a TCP connection of this computer with itself; control, if
// there is one, sees the socket before it connects. read takes everything that
// write is given.
func loopback(t testing.TB, address string, control func(fd uintptr)) (write, read *net.TCPConn) {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Skipf("listen on %s: %v", address, err)
	}
	defer l.Close()
	dialer := net.Dialer{Control: func(_, _ string, c syscall.RawConn) error {
		if control == nil {
			return nil
		}
		return c.Control(control)
	}}
	a, err := dialer.DialContext(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	b, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return a.(*net.TCPConn), b.(*net.TCPConn)
}

// onDescriptor calls do with the descriptor of a connection.
func onDescriptor(t testing.TB, c syscall.Conn, do func(fd uintptr)) {
	t.Helper()
	raw, err := c.SyscallConn()
	if err == nil {
		err = raw.Control(do)
	}
	if err != nil {
		t.Fatal(err)
	}
}
