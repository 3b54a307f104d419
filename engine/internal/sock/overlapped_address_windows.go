package sock

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"

	"golang.org/x/sys/windows"
)

// sockaddr gives an address in the system's form, and its family.
func sockaddr(at netip.AddrPort) (windows.Sockaddr, int32, error) {
	addr := at.Addr().Unmap()
	if addr.Is4() {
		return &windows.SockaddrInet4{Port: int(at.Port()), Addr: addr.As4()}, windows.AF_INET, nil
	}
	zone, err := zoneIndex(addr.Zone())
	if err != nil {
		return nil, 0, err
	}
	return &windows.SockaddrInet6{Port: int(at.Port()), ZoneId: zone, Addr: addr.As16()}, windows.AF_INET6, nil
}

// zoneIndex gives the number of an adapter that is named by it or by its name.
func zoneIndex(zone string) (uint32, error) {
	if zone == "" {
		return 0, nil
	}
	if n, err := strconv.ParseUint(zone, 10, 32); err == nil {
		return uint32(n), nil
	}
	adapter, err := net.InterfaceByName(zone)
	if err != nil {
		return 0, fmt.Errorf("adapter %q: %w", zone, err)
	}
	return uint32(adapter.Index), nil
}

// addrPort gives an address that the system told, in Go's form; the zero value
// for one of another family.
func addrPort(sa windows.Sockaddr) netip.AddrPort {
	switch sa := sa.(type) {
	case *windows.SockaddrInet4:
		return netip.AddrPortFrom(netip.AddrFrom4(sa.Addr), uint16(sa.Port))
	case *windows.SockaddrInet6:
		addr := netip.AddrFrom16(sa.Addr).Unmap()
		if sa.ZoneId != 0 && addr.Is6() {
			addr = addr.WithZone(zoneName(sa.ZoneId))
		}
		return netip.AddrPortFrom(addr, uint16(sa.Port))
	}
	return netip.AddrPort{}
}

func zoneName(index uint32) string {
	if adapter, err := net.InterfaceByIndex(int(index)); err == nil {
		return adapter.Name
	}
	return strconv.FormatUint(uint64(index), 10)
}

// anyAddr is the address of a family that stands for all.
func anyAddr(family int32) netip.Addr {
	if family == windows.AF_INET {
		return netip.IPv4Unspecified()
	}
	return netip.IPv6Unspecified()
}
