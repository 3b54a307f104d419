package link

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// sysfs is the folder where Linux describes adapters, one sub-folder each.
type sysfs string

const systemSysfs = sysfs("/sys/class/net")

func describe(ifi net.Interface) Adapter { return systemSysfs.describe(ifi) }

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
