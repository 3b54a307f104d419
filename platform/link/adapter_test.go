package link

import (
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

func TestSameIgnoresAZoneThatOnlyOneHas(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"10.0.0.1", "10.0.0.1", true},
		{"10.0.0.1", "::ffff:10.0.0.1", true},
		{"10.0.0.1", "10.0.0.2", false},
		{"fe80::1%eth0", "fe80::1", true},
		{"fe80::1%eth0", "fe80::1%eth0", true},
		{"fe80::1%eth0", "fe80::1%eth1", false},
	} {
		if got := same(netip.MustParseAddr(c.a), netip.MustParseAddr(c.b)); got != c.want {
			t.Errorf("%s and %s: got %v", c.a, c.b, got)
		}
	}
}

func TestHostAddrs(t *testing.T) {
	cidr := func(s string) net.Addr {
		ip, network, err := net.ParseCIDR(s)
		if err != nil {
			t.Fatal(err)
		}
		return &net.IPNet{IP: ip, Mask: network.Mask}
	}
	got := hostAddrs([]net.Addr{cidr("192.168.1.7/24"), cidr("fe80::7/64"), cidr("fd00::7/64"), &net.UnixAddr{}}, "eth0")
	want := []netip.Addr{netip.MustParseAddr("192.168.1.7"), netip.MustParseAddr("fe80::7%eth0"), netip.MustParseAddr("fd00::7")}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestLoopbackOfThisComputer(t *testing.T) {
	home := netip.MustParseAddr("127.0.0.1")
	adapter, err := ByAddress(home)
	if err != nil {
		t.Fatal(err)
	}
	if adapter.Kind != Loopback || !slices.Contains(adapter.Addrs, home) {
		t.Errorf("got %+v", adapter)
	}
}

func TestCountersOfThisComputer(t *testing.T) {
	adapters, err := Adapters()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range adapters {
		w := WatchCounters(a.Name)
		before, err := w.Read()
		if err != nil {
			t.Errorf("%s: %v", a.Name, err)
			continue
		}
		after, err := w.Read()
		if err != nil || after.Rx < before.Rx || after.Tx < before.Tx {
			t.Errorf("%s: %+v became %+v (%v)", a.Name, before, after, err)
		}
		if err := w.Close(); err != nil {
			t.Errorf("%s: %v", a.Name, err)
		}
	}
}

func TestAddressOfNobody(t *testing.T) {
	// 192.0.2.0/24 is kept for documents and belongs to no computer.
	_, err := ByAddress(netip.MustParseAddr("192.0.2.1"))
	if err == nil || !strings.Contains(err.Error(), "192.0.2.1") {
		t.Errorf("got %v", err)
	}
}

func TestCountersOfNoAdapter(t *testing.T) {
	for _, name := range []string{"no such adapter", "", "..", "../../../etc", "/etc"} {
		if c, err := WatchCounters(name).Read(); err == nil {
			t.Errorf("%q: got %+v", name, c)
		}
	}
}

func TestRowKind(t *testing.T) {
	for _, c := range []struct {
		ifType      uint32
		hardware    bool
		description string
		want        string
	}{
		{ifEthernet, true, "Intel(R) Ethernet Controller I226-V", Ethernet},
		{ifEthernet, true, "Realtek PCIe 2.5GbE Family Controller", Ethernet},
		{ifWiFi, true, "Intel(R) Wi-Fi 6E AX210 160MHz", WiFi},
		{ifWiFi, false, "Microsoft Wi-Fi Direct Virtual Adapter", Virtual},
		{ifEthernet, false, "Hyper-V Virtual Ethernet Adapter", Virtual},
		{ifEthernet, true, "vmxnet3 Ethernet Adapter", Virtual},
		{ifEthernet, true, "Red Hat VirtIO Ethernet Adapter", Virtual},
		{ifEthernet, false, "Some Filter", Virtual},
		{ifEthernet, true, "TAP-Windows Adapter V9", Tunnel},
		{ifVirtual, false, "WireGuard Tunnel", Tunnel},
		{ifPPP, false, "Home VPN", Tunnel},
		{ifTunnel, false, "Teredo", Tunnel},
		{ifBridge, false, "Network Bridge", Bridge},
		{ifLoopback, false, "Software Loopback Interface 1", Loopback},
		{144, true, "1394", Unknown},
	} {
		if got := rowKind(c.ifType, c.hardware, c.description); got != c.want {
			t.Errorf("%d %v %q: got %s, want %s", c.ifType, c.hardware, c.description, got, c.want)
		}
	}
}

func BenchmarkCounters(b *testing.B) {
	a, err := ByAddress(netip.MustParseAddr("127.0.0.1"))
	if err != nil {
		b.Fatal(err)
	}
	w := WatchCounters(a.Name)
	defer w.Close()
	for b.Loop() {
		if _, err := w.Read(); err != nil {
			b.Fatal(err)
		}
	}
}
