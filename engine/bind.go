package engine

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"linkpace/engine/model"
	"linkpace/platform/link"
)

// bindAddress turns the wish for an address or an adapter into a local address;
// no wish is the zero Addr.
func bindAddress(wish string) (netip.Addr, error) {
	if wish == "" {
		return netip.Addr{}, nil
	}
	adapters, err := link.Adapters()
	if err != nil {
		return netip.Addr{}, fmt.Errorf("look for %q: %w", wish, err)
	}
	want, _ := netip.ParseAddr(wish)
	var names []string
	for _, a := range adapters {
		for _, addr := range a.Addrs {
			if addr == want || addr.WithZone("") == want {
				return addr, nil
			}
		}
		if a.Name == wish && len(a.Addrs) > 0 {
			return preferred(a.Addrs), nil
		}
		names = append(names, a.Name)
	}
	return netip.Addr{}, &model.Problem{Side: model.Local, Op: "bind", Code: model.CodeBadInput,
		Text: fmt.Sprintf("This computer has no adapter or address %q. It has: %s.", wish, strings.Join(names, ", "))}
}

// preferred is the address of an adapter that most others can be reached from.
func preferred(addrs []netip.Addr) netip.Addr {
	if i := slices.IndexFunc(addrs, func(a netip.Addr) bool { return a.Is4() && !a.IsLinkLocalUnicast() }); i >= 0 {
		return addrs[i]
	}
	return addrs[0]
}
