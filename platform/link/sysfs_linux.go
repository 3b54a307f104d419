package link

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	psnet "github.com/shirou/gopsutil/v3/net"
)

// sysfs is the folder where Linux describes adapters, one sub-folder each.
type sysfs string

const systemSysfs = sysfs("/sys/class/net")

func describe(ifi net.Interface) Adapter { return systemSysfs.describe(ifi) }

func readCounters(adapter string) (Counters, error) {
	if c, err := systemSysfs.counters(adapter); err == nil {
		return c, nil
	}
	// A program that entered another network namespace still sees the sysfs of
	// the old one; /proc/net follows it.
	return procCounters(adapter)
}

func (s sysfs) describe(ifi net.Interface) Adapter {
	a := Adapter{Name: ifi.Name, Index: ifi.Index, MTU: ifi.MTU}
	a.Kind = s.kind(ifi.Name)
	if ifi.Flags&net.FlagLoopback != 0 {
		a.Kind = Loopback
	}
	if !negotiates(a.Kind) {
		return a
	}
	a.LinkBPS = linkRate(s.read(ifi.Name, "speed"))
	if duplex := s.read(ifi.Name, "duplex"); duplex == "full" || duplex == "half" {
		a.Duplex = duplex
	}
	return a
}

// linkRate reads a speed in megabits. Adapters without one say -1, which old
// kernels print as an unsigned number.
func linkRate(text string) int64 {
	const megabit, fastest = 1_000_000, 10_000_000
	speed, err := strconv.ParseInt(text, 10, 64)
	if err != nil || speed < 0 || speed > fastest {
		return 0
	}
	return speed * megabit
}

func (s sysfs) counters(adapter string) (Counters, error) {
	if adapter == "" || adapter != filepath.Base(adapter) || !filepath.IsLocal(adapter) {
		return Counters{}, fmt.Errorf("%q is not the name of an adapter", adapter)
	}
	rx, err := s.counter(adapter, "rx_bytes")
	if err != nil {
		return Counters{}, err
	}
	tx, err := s.counter(adapter, "tx_bytes")
	if err != nil {
		return Counters{}, err
	}
	return Counters{Rx: rx, Tx: tx}, nil
}

func (s sysfs) counter(adapter, name string) (uint64, error) {
	text, err := os.ReadFile(filepath.Join(string(s), adapter, "statistics", name))
	if err != nil {
		return 0, err
	}
	return strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
}

func procCounters(adapter string) (Counters, error) {
	all, err := psnet.IOCounters(true)
	if err != nil {
		return Counters{}, fmt.Errorf("reading the counters of adapter %q: %w", adapter, err)
	}
	i := slices.IndexFunc(all, func(c psnet.IOCountersStat) bool { return c.Name == adapter })
	if i < 0 {
		return Counters{}, fmt.Errorf("this computer has no adapter %q", adapter)
	}
	return Counters{Rx: all[i].BytesRecv, Tx: all[i].BytesSent}, nil
}

// read gives a one-word file, and nothing where there is none.
func (s sysfs) read(adapter, file string) string {
	text, err := os.ReadFile(filepath.Join(string(s), adapter, file))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

func (s sysfs) has(adapter, entry string) bool {
	_, err := os.Stat(filepath.Join(string(s), adapter, entry))
	return err == nil
}
