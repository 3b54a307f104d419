package stamp

import (
	"errors"
	"net/netip"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/windows"
)

// bare is a socket that package net knows nothing of.
type bare windows.Handle

func (b bare) Control(f func(fd uintptr)) error { f(uintptr(b)); return nil }
func (bare) Read(func(fd uintptr) bool) error   { return errors.ErrUnsupported }
func (bare) Write(func(fd uintptr) bool) error  { return errors.ErrUnsupported }

func openBare(t *testing.T) (bare, netip.AddrPort) {
	t.Helper()
	var data windows.WSAData
	if err := windows.WSAStartup(0x202, &data); err != nil {
		t.Fatal(err)
	}
	h, err := windows.Socket(windows.AF_INET, windows.SOCK_DGRAM, windows.IPPROTO_UDP)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { windows.Closesocket(h) })
	loopback := [4]byte{127, 0, 0, 1}
	if err := windows.Bind(h, &windows.SockaddrInet4{Addr: loopback}); err != nil {
		t.Fatal(err)
	}
	at, err := windows.Getsockname(h)
	if err != nil {
		t.Fatal(err)
	}
	return bare(h), netip.AddrPortFrom(netip.AddrFrom4(loopback), uint16(at.(*windows.SockaddrInet4).Port))
}

func TestWaitingWithoutThePort(t *testing.T) {
	left, leftAt := openBare(t)
	right, rightAt := openBare(t)
	a, b := connectSystem(left, rightAt), connectSystem(right, leftAt)
	if a == nil || b == nil {
		t.Fatal("not connected")
	}
	defer a.close()
	defer b.close()
	var buffer [16]byte
	for range 5 {
		sent, err := a.send([]byte("there"))
		if err != nil {
			t.Fatal(err)
		}
		n, came, err := b.receive(buffer[:], time.Now().Add(time.Minute))
		if err != nil || string(buffer[:n]) != "there" {
			t.Fatalf("%q, %v", buffer[:n], err)
		}
		if trip := came.Program.Sub(sent.Program); trip <= 0 || trip > time.Minute {
			t.Errorf("took %v", trip)
		}
	}
	by := time.Now().Add(20 * time.Millisecond)
	if _, _, err := b.receive(buffer[:], by); !errors.Is(err, os.ErrDeadlineExceeded) || time.Now().Before(by) {
		t.Errorf("%v, %v before the end", err, time.Until(by))
	}
}
