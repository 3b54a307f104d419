package discovery

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"testing"

	"linkpace/engine/model"
)

func testNetwork() *network {
	return newNetwork([]link{
		testLoopback(),
		testLink(2, "docker0", "172.17.0.1/16"),
		testLink(3, "wlan0", "192.168.1.5/24", "2001:db8:1::5/64", "fe80::5/64"),
		testLink(4, "eth0", "10.0.0.1/24", "fe80::6/64"),
	}, func(own netip.Addr) model.Adapter {
		switch own.String() {
		case "192.168.1.5":
			return model.Adapter{Name: "wlan0", Kind: model.WiFi, WiFi: &model.WiFiFacts{SSID: "home"}}
		case "10.0.0.1":
			return model.Adapter{Name: "eth0", Kind: model.Ethernet}
		}
		return model.Adapter{}
	})
}

func TestRankOrder(t *testing.T) {
	n := testNetwork()
	want := []string{"127.0.0.1", "10.0.0.1", "192.168.7.7 source", "10.0.0.9", "192.168.1.9", "2001:db8:1::9", "172.17.0.9", "fe80::9%eth0", "2001:db8:2::9", "192.168.7.7"}
	got := slices.Clone(want)
	rank := func(text string) int {
		var addr, mark string
		_, _ = fmt.Sscan(text, &addr, &mark)
		return n.rank(netip.MustParseAddr(addr), mark != "")
	}
	slices.Reverse(got)
	slices.SortStableFunc(got, func(a, b string) int { return rank(a) - rank(b) })
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// zoneOf is how this system writes the adapter in an address.
func zoneOf(index int, name string) string {
	l := testLink(index, name)
	return l.zone()
}

func TestOrdered(t *testing.T) {
	var addrs []netip.Addr
	for _, a := range []string{"fe80::9%4", "192.168.1.9", "10.0.0.9", "fe80::9%eth0", "10.0.0.9"} {
		addrs = append(addrs, netip.MustParseAddr(a))
	}
	if got := fmt.Sprint(testNetwork().ordered(addrs)); got != "[10.0.0.9 192.168.1.9 fe80::9%"+zoneOf(4, "eth0")+"]" {
		t.Errorf("got %s", got)
	}
}

func TestNear(t *testing.T) {
	n := testNetwork()
	for addr, want := range map[string]bool{
		"10.0.0.9": true, "192.168.200.1": true, "100.100.1.1": true, "169.254.3.3": true, "127.0.0.1": true,
		"fe80::1": true, "fd00::1": true, "2001:db8:1::77": true,
		"8.8.8.8": false, "2001:db8:2::1": false, "0.0.0.0": false, "::": false, "224.0.0.251": false, "ff02::fb": false,
	} {
		if got := n.near(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s: %v, want %v", addr, got, want)
		}
	}
	if n.near(netip.Addr{}) {
		t.Error("the invalid address is near")
	}
}

func TestExpandAndNormal(t *testing.T) {
	n := testNetwork()
	eth, wlan := zoneOf(4, "eth0"), zoneOf(3, "wlan0")
	for addr, want := range map[string]string{
		"fe80::9":          "[fe80::9%" + eth + " fe80::9%" + wlan + "]",
		"fe80::9%4":        "[fe80::9%" + eth + "]",
		"fe80::9%eth0":     "[fe80::9%" + eth + "]",
		"2001:db8::1%eth0": "[2001:db8::1]",
		"::ffff:10.0.0.9":  "[10.0.0.9]",
	} {
		if got := fmt.Sprint(n.expand(netip.MustParseAddr(addr))); got != want {
			t.Errorf("%s: %s, want %s", addr, got, want)
		}
	}
}

func TestBroadcasts(t *testing.T) {
	n := newNetwork([]link{testLink(2, "eth0", "10.0.0.1/24", "10.1.2.3/20", "10.2.0.1/31", "10.3.0.1/32", "fe80::1/64")}, nil)
	if got := fmt.Sprint(n.broadcasts()); got != "[10.0.0.255 10.1.15.255]" {
		t.Errorf("got %s", got)
	}
}

func TestAdapterTowards(t *testing.T) {
	n := testNetwork()
	if a := n.adapterTo(netip.MustParseAddr("192.168.1.9")); a.Name != "wlan0" || a.WiFi != nil {
		t.Errorf("towards the Wi-Fi: %+v", a)
	}
	if a := n.adapterTo(netip.MustParseAddr("10.0.0.1")); a.Kind != model.Loopback {
		t.Errorf("towards this computer: %+v", a)
	}
}

func TestManyAdaptersAreCapped(t *testing.T) {
	links := []link{testLoopback()}
	for i := range 3 * maxLinks {
		links = append(links, testLink(i+2, fmt.Sprint("veth", i), fmt.Sprintf("172.18.%d.1/24", i)))
	}
	links = append(links, testLink(999, "eth0", "10.0.0.1/24"))
	n := newNetwork(links, nil)
	if len(n.links) != maxLinks || n.links[0].iface.Name != "eth0" {
		t.Errorf("%d adapters, first %s", len(n.links), n.links[0].iface.Name)
	}
}

func TestSearchedFallsBackToLoopback(t *testing.T) {
	n := newNetwork([]link{testLoopback()}, nil)
	if got := n.names(); !slices.Equal(got, []string{"lo"}) {
		t.Errorf("only the loopback: %v", got)
	}
	silent := testLink(2, "tun0", "10.8.0.2/24")
	silent.iface.Flags = net.FlagUp
	n = newNetwork([]link{testLoopback(), silent}, nil)
	if got := n.searched(); len(got) != 0 {
		t.Errorf("an adapter without multicast: %v", got)
	}
}
