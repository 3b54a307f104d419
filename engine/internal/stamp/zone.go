package stamp

import (
	"net"
	"strconv"
)

// zoneNumber is the adapter that a link-local address belongs to.
func zoneNumber(zone string) (uint32, error) {
	if zone == "" {
		return 0, nil
	}
	if adapter, err := net.InterfaceByName(zone); err == nil {
		return uint32(adapter.Index), nil
	}
	n, err := strconv.ParseUint(zone, 10, 32)
	return uint32(n), err
}
