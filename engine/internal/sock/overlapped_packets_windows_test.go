package sock

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"testing"
	"time"
)

func TestOwnPacketsGoBetweenFamilies(t *testing.T) {
	all, err := openPackets(netip.AddrPort{})
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	all.learnAddresses()
	for _, host := range []string{"127.0.0.1", "::1"} {
		one, err := openPackets(netip.AddrPortFrom(netip.MustParseAddr(host), 0))
		if err != nil {
			t.Fatal(err)
		}
		one.learnAddresses()
		if _, err := one.WriteToUDPAddrPort([]byte(host), netip.AddrPortFrom(one.local.Addr(), all.local.Port())); err != nil {
			t.Fatal(err)
		}
		b := make([]byte, 100)
		all.SetReadDeadline(time.Now().Add(10 * time.Second))
		n, from, err := all.ReadFromUDPAddrPort(b)
		if err != nil || string(b[:n]) != host || from != one.local {
			t.Errorf("%q from %v, want it from %v: %v", b[:n], from, one.local, err)
		}
		if _, err := all.WriteToUDPAddrPort([]byte("back"), from); err != nil {
			t.Fatal(err)
		}
		one.SetReadDeadline(time.Now().Add(10 * time.Second))
		if n, from, err := one.ReadFromUDPAddrPort(b); err != nil || string(b[:n]) != "back" || from.Port() != all.local.Port() {
			t.Errorf("%q from %v: %v", b[:n], from, err)
		}
		one.SetReadDeadline(time.Now())
		if _, _, err := one.ReadFromUDPAddrPort(b); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("after the deadline: %v", err)
		}
		one.Close()
		if _, _, err := one.ReadFromUDPAddrPort(b); !errors.Is(err, net.ErrClosed) {
			t.Errorf("closed: %v", err)
		}
	}
	if _, err := openPackets(netip.AddrPortFrom(netip.IPv6Unspecified(), all.local.Port())); !InUse(err) {
		t.Errorf("a port twice: %v", err)
	}
}
