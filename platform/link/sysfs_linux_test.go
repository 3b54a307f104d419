package link

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// plant makes a folder as sysfs has it: "name: content" is a file, "name/" a
// folder, "name -> target" a link.
func plant(t *testing.T, root sysfs, adapter string, entries ...string) {
	t.Helper()
	for _, entry := range entries {
		name, content, isFile := strings.Cut(entry, ": ")
		name, target, isLink := strings.Cut(name, " -> ")
		path := filepath.Join(string(root), adapter, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		var err error
		switch {
		case isFile:
			err = os.WriteFile(path, []byte(content+"\n"), 0o600)
		case isLink:
			err = os.Symlink(target, path)
		default:
			err = os.MkdirAll(path, 0o700)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestDescribe(t *testing.T) {
	root := sysfs(t.TempDir())
	for _, c := range []struct {
		name    string
		entries []string
		want    Adapter
	}{
		{"eth0", []string{"type: 1", "speed: 2500", "duplex: full", "device/driver -> ../drivers/igc"}, Adapter{Kind: Ethernet, LinkBPS: 2_500_000_000, Duplex: "full"}},
		{"eth1", []string{"type: 1", "speed: 10", "duplex: half", "device/"}, Adapter{Kind: Ethernet, LinkBPS: 10_000_000, Duplex: "half"}},
		{"eth2", []string{"type: 1", "speed: -1", "duplex: unknown", "device/"}, Adapter{Kind: Ethernet}},
		{"eth3", []string{"type: 1", "speed: 4294967295", "device/"}, Adapter{Kind: Ethernet}},
		{"eth4", []string{"type: 1", "speed: fast", "device/"}, Adapter{Kind: Ethernet}},
		{"vm0", []string{"type: 1", "speed: -1", "device/driver -> ../../bus/virtio/drivers/virtio_net"}, Adapter{Kind: Virtual}},
		{"vm1", []string{"type: 1", "speed: 10000", "device/driver -> ../drivers/vmxnet3"}, Adapter{Kind: Virtual}},
		{"veth0", []string{"type: 1", "speed: 10000", "duplex: full"}, Adapter{Kind: Virtual}},
		{"wlan0", []string{"type: 1", "device/", "phy80211/", "uevent: DEVTYPE=wlan\nINTERFACE=wlan0"}, Adapter{Kind: WiFi}},
		{"wlan1", []string{"type: 1", "device/", "wireless/"}, Adapter{Kind: WiFi}},
		{"tun0", []string{"type: 65534", "tun_flags: 0x1001", "speed: 10000"}, Adapter{Kind: Tunnel}},
		{"tap0", []string{"type: 1", "tun_flags: 0x1002"}, Adapter{Kind: Tunnel}},
		{"wg0", []string{"type: 65534", "uevent: DEVTYPE=wireguard"}, Adapter{Kind: Tunnel}},
		{"gre0", []string{"type: 778"}, Adapter{Kind: Tunnel}},
		{"br0", []string{"type: 1", "bridge/", "speed: 1000"}, Adapter{Kind: Bridge, LinkBPS: 1_000_000_000}},
		{"eth0.5", []string{"type: 1", "uevent: DEVTYPE=vlan", "lower_eth0 -> ../eth0", "speed: 2500"}, Adapter{Kind: Ethernet, LinkBPS: 2_500_000_000}},
		{"bond0", []string{"type: 1", "uevent: DEVTYPE=bond", "lower_eth0 -> ../eth0", "lower_eth1 -> ../eth1"}, Adapter{Kind: Ethernet}},
		{"bond1", []string{"type: 1", "uevent: DEVTYPE=bond"}, Adapter{Kind: Virtual}},
		{"loop.1", []string{"type: 1", "uevent: DEVTYPE=vlan", "lower_loop.1 -> ../loop.1"}, Adapter{Kind: Virtual}},
		{"dummy0", []string{"type: 1"}, Adapter{Kind: Virtual}},
		{"lo", []string{"type: 772"}, Adapter{Kind: Loopback}},
		{"ib0", []string{"type: 32", "device/", "speed: 40000"}, Adapter{Kind: Unknown, LinkBPS: 40_000_000_000}},
		{"elsewhere", nil, Adapter{Kind: Unknown}},
	} {
		plant(t, root, c.name, c.entries...)
		got := root.describe(net.Interface{Name: c.name, Index: 7, MTU: 1500})
		if got.Kind != c.want.Kind || got.LinkBPS != c.want.LinkBPS || got.Duplex != c.want.Duplex || got.Index != 7 || got.MTU != 1500 || got.Name != c.name {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

// watched reads the counters of an adapter once, from sysfs alone.
func watched(root sysfs, adapter string) (Counters, error) {
	w := Watch{root: root, adapter: adapter}
	defer w.Close()
	return w.fromSysfs()
}

func TestWatchOfAnAdapterThatComesBack(t *testing.T) {
	root := sysfs(t.TempDir())
	w := Watch{root: root, adapter: "eth0"}
	t.Cleanup(func() { w.Close() })
	read := func(want Counters) {
		t.Helper()
		if got, err := w.fromSysfs(); err != nil || got != want {
			t.Errorf("got %+v, %v; want %+v", got, err, want)
		}
	}
	folder := filepath.Join(string(root), "eth0")
	if got, err := w.fromSysfs(); err == nil {
		t.Errorf("got %+v of no adapter", got)
	}
	plant(t, root, "eth0", "statistics/rx_bytes: 10000000000", "statistics/tx_bytes: 7")
	read(Counters{Rx: 10_000_000_000, Tx: 7})
	plant(t, root, "eth0", "statistics/rx_bytes: 20000000000", "statistics/tx_bytes: 8")
	read(Counters{Rx: 20_000_000_000, Tx: 8}) // of the same open files
	for _, name := range []string{"rx_bytes", "tx_bytes"} {
		// Reading what is open fails, as it does where the adapter is gone.
		if err := os.Truncate(filepath.Join(folder, "statistics", name), 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if got, err := w.fromSysfs(); err == nil {
		t.Errorf("got %+v of an adapter that is gone", got)
	}
	plant(t, root, "eth0", "statistics/rx_bytes: 3", "statistics/tx_bytes: 1")
	read(Counters{Rx: 3, Tx: 1})
}

func TestSysfsCounters(t *testing.T) {
	root := sysfs(t.TempDir())
	plant(t, root, "eth0", "statistics/rx_bytes: 18446744073709551615", "statistics/tx_bytes: 7")
	if got, err := watched(root, "eth0"); err != nil || got != (Counters{Rx: 1<<64 - 1, Tx: 7}) {
		t.Errorf("got %+v, %v", got, err)
	}
	plant(t, root, "eth1", "statistics/rx_bytes: 1", "statistics/tx_bytes: many")
	plant(t, root, "eth2", "statistics/rx_bytes: 1")
	for _, name := range []string{"eth1", "eth2", "eth9", "../" + filepath.Base(string(root)) + "/eth0"} {
		if got, err := watched(root, name); err == nil {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func TestBothSourcesOfCountersAgreeOnNames(t *testing.T) {
	adapters, err := Adapters()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range adapters {
		if _, err := procCounters(a.Name); err != nil {
			t.Errorf("%s: %v", a.Name, err)
		}
	}
}
