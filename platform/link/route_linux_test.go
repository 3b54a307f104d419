package link

import (
	"net/netip"
	"testing"
)

// Wine has no UDP sockets that Go can use, so this stays on Linux.
func TestRouteToThisComputerIsLoopback(t *testing.T) {
	adapters, err := Adapters()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range adapters {
		for _, addr := range a.Addrs {
			local, used, err := ForRoute(addr)
			if err != nil || used.Kind != Loopback || !same(local, addr) {
				t.Errorf("%s: got %s by %s (%s), %v", addr, local, used.Name, used.Kind, err)
			}
		}
	}
}

func TestRouteToNowhere(t *testing.T) {
	for _, to := range []netip.Addr{{}, netip.IPv4Unspecified(), netip.IPv6Unspecified(), netip.MustParseAddr("fe80::1%nosuch0")} {
		if local, a, err := ForRoute(to); err == nil {
			t.Errorf("%v: got %s by %s", to, local, a.Name)
		}
	}
}
