package engine

import (
	"net/netip"
	"os"
	"testing"
)

func TestGaugesOfAThousandRunsKeepNoFiles(t *testing.T) {
	m := ThisMachine()
	loopback := netip.MustParseAddr("127.0.0.1")
	open := func() int {
		t.Helper()
		names, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(names)
	}
	before := open()
	for range 1000 {
		g := m.Gauge(loopback)
		if _, err := g.Read(); err != nil {
			t.Fatal(err)
		}
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
	}
	// Finalizers would hide what is not closed.
	if after := open(); after > before+10 {
		t.Errorf("%d files were open before, %d are now", before, after)
	}
}
