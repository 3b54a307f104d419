package link

import "strings"

// Interface types of the registry that Windows follows (IANA ifType).
const (
	ifEthernet = 6
	ifPPP      = 23
	ifLoopback = 24
	ifVirtual  = 53
	ifWiFi     = 71
	ifTunnel   = 131
	ifBridge   = 209
)

// rowKind tells what an adapter of Windows is from its interface type, whether
// it claims to be hardware, and its driver's description.
func rowKind(ifType uint32, hardware bool, description string) string {
	switch ifType {
	case ifLoopback:
		return Loopback
	case ifPPP, ifVirtual, ifTunnel:
		return Tunnel
	case ifBridge:
		return Bridge
	}
	described := func(words ...string) bool { return containsAny(description, words) }
	switch {
	// VPN drivers pass for Ethernet, as do the cards of hypervisors.
	case described("tap-", "wireguard", "wintun", "zerotier", "tailscale", "vpn"):
		return Tunnel
	case described("virtual", "virtio", "hyper-v", "vmxnet", "vmware"):
		return Virtual
	case ifType == ifWiFi:
		return WiFi
	case ifType != ifEthernet:
		return Unknown
	case !hardware:
		return Virtual
	}
	return Ethernet
}

func containsAny(text string, words []string) bool {
	text = strings.ToLower(text)
	for _, word := range words {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}
