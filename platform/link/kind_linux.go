package link

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Hardware types of the kernel's if_arp.h.
const (
	arpEthernet = "1"
	arpLoopback = "772"
)

// kind tells what an adapter is from what its folder holds. Adapters of which
// the folder says nothing are Unknown.
func (s sysfs) kind(adapter string) string { return s.kindAbove(adapter, 0) }

// kindAbove looks through adapters that only pass packets on to another one.
func (s sysfs) kindAbove(adapter string, depth int) string {
	hardware, device := s.read(adapter, "type"), s.deviceType(adapter)
	switch {
	case hardware == "":
		return Unknown
	case hardware == arpLoopback:
		return Loopback
	case s.has(adapter, "wireless"), s.has(adapter, "phy80211"), device == "wlan":
		return WiFi
	case s.has(adapter, "tun_flags"), isTunnel(hardware, device):
		return Tunnel
	case s.has(adapter, "bridge"), device == "bridge":
		return Bridge
	case device == "vlan", device == "bond":
		const deepest = 4
		if lower := s.lower(adapter); lower != "" && depth < deepest {
			return s.kindAbove(lower, depth+1)
		}
		return Virtual
	case hardware != arpEthernet:
		return Unknown
	case !s.has(adapter, "device"), s.paravirtual(adapter):
		return Virtual
	}
	return Ethernet
}

// isTunnel knows point-to-point links (512), IP in IP (768, 769), SIT (776),
// GRE (778, 823) and adapters without any link layer (65534, WireGuard and
// layer 3 tunnels).
func isTunnel(hardware, device string) bool {
	return slices.Contains([]string{"512", "768", "769", "776", "778", "823", "65534"}, hardware) ||
		slices.Contains([]string{"wireguard", "vxlan", "geneve", "ppp", "gretap", "ip6gretap"}, device)
}

// paravirtual knows the network cards that hypervisors make up.
func (s sysfs) paravirtual(adapter string) bool {
	driver, err := os.Readlink(filepath.Join(string(s), adapter, "device", "driver"))
	return err == nil && slices.Contains([]string{"virtio_net", "vmxnet3", "hv_netvsc", "vif", "ena", "gve"}, filepath.Base(driver))
}

// deviceType is the kernel's own word for what it is, and empty for plain cards.
func (s sysfs) deviceType(adapter string) string {
	for line := range strings.Lines(s.read(adapter, "uevent")) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), "DEVTYPE="); ok {
			return value
		}
	}
	return ""
}

// lower names the first adapter that this one sends through.
func (s sysfs) lower(adapter string) string {
	links, err := filepath.Glob(filepath.Join(string(s), adapter, "lower_*"))
	if err != nil || len(links) == 0 {
		return ""
	}
	return strings.TrimPrefix(filepath.Base(links[0]), "lower_")
}
