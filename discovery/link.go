package discovery

import (
	"fmt"
	"net"
	"net/netip"
	"runtime"
	"strconv"
	"strings"

	"linkpace/engine/model"
)

// link is one network adapter that is up, with its own addresses.
type link struct {
	iface    net.Interface
	prefixes []netip.Prefix // own address and length of the network
	virtual  bool
	kind     model.AdapterKind
}

// systemLinks asks the system for its adapters.
func systemLinks() ([]link, error) {
	ifaces, err := net.Interfaces()
	if err != nil {
		return nil, fmt.Errorf("list network adapters: %w", err)
	}
	var links []link
	for _, iface := range ifaces {
		if iface.Flags&net.FlagUp == 0 {
			continue
		}
		addrs, err := iface.Addrs()
		if err != nil {
			continue // the adapter went away since the list was made
		}
		if l := newLink(iface, addrs); len(l.prefixes) > 0 {
			links = append(links, l)
		}
	}
	return links, nil
}

func newLink(iface net.Interface, addrs []net.Addr) link {
	l := link{iface: iface, virtual: looksVirtual(iface.Name)}
	for _, a := range addrs {
		n, ok := a.(*net.IPNet)
		if !ok {
			continue
		}
		addr, ok := netip.AddrFromSlice(n.IP)
		if !ok {
			continue
		}
		bits, _ := n.Mask.Size()
		l.prefixes = append(l.prefixes, netip.PrefixFrom(addr.Unmap(), bits))
	}
	return l
}

// looksVirtual guesses from its name that an adapter leads to no cable or radio.
// A guess only lowers the rank: with a Hyper-V external switch the real network
// is on an adapter called "vEthernet".
func looksVirtual(name string) bool {
	name = strings.ToLower(name)
	for _, mark := range []string{"docker", "veth", "br-", "virbr", "vmnet", "vboxnet", "virtualbox", "vmware", "hyper-v", "tun", "tap", "wg", "tailscale", "zt", "podman", "cni", "flannel", "lxc"} {
		if strings.HasPrefix(name, mark) || len(mark) > 4 && strings.Contains(name, mark) {
			return true
		}
	}
	return false
}

// learn takes the system's word on the kind of adapter over the name's.
func (l *link) learn(kind model.AdapterKind) {
	switch kind {
	case model.Tunnel, model.Bridge, model.Virtual:
		l.kind, l.virtual = kind, true
	case model.Ethernet, model.WiFi:
		l.kind = kind
	}
}

// worth orders adapters: cables before radio before what is not real.
func (l *link) worth() int {
	switch {
	case l.virtual:
		return 3
	case l.kind == model.Ethernet:
		return 0
	case l.kind == model.WiFi:
		return 2
	}
	return 1
}

// zone names the adapter in link-local addresses. Windows shows and takes the
// number.
func (l *link) zone() string {
	if runtime.GOOS == "windows" {
		return strconv.Itoa(l.iface.Index)
	}
	return l.iface.Name
}
