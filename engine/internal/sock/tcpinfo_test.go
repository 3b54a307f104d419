package sock

import (
	"testing"

	"linkpace/engine/model"
)

// Where the system knows nothing of connections, as wine does, there is nothing
// to ask; where it does it must go on doing so.
func TestTCPInfoOfAConnection(t *testing.T) {
	a, _ := loopback(t, "127.0.0.1:0", nil)
	var asker tcpInfoAsker
	ask := func() (info model.TCPInfo, known bool) {
		onDescriptor(t, a, func(fd uintptr) { info, known = asker.ask(fd) })
		return info, known
	}
	_, known := ask()
	again, stillKnown := ask()
	if known != stillKnown {
		t.Errorf("known %v, then %v", known, stillKnown)
	}
	if known && (again.MSS < model.MinMSS || again.Window < again.MSS) {
		t.Errorf("%+v", again)
	}
	if !known && again != (model.TCPInfo{}) {
		t.Errorf("unknown is %+v", again)
	}
}

func TestTCPInfoOfNoConnection(t *testing.T) {
	var asker tcpInfoAsker
	if info, known := asker.ask(^uintptr(0)); known || info != (model.TCPInfo{}) {
		t.Errorf("no descriptor has %+v", info)
	}
	a, _ := loopback(t, "127.0.0.1:0", nil)
	want := false
	onDescriptor(t, a, func(fd uintptr) { _, want = new(tcpInfoAsker).ask(fd) })
	onDescriptor(t, a, func(fd uintptr) {
		if _, known := asker.ask(fd); known != want {
			t.Errorf("after a descriptor that is none a good one is known %v, not %v", known, want)
		}
	})
}

func TestAskingAllocatesNothing(t *testing.T) {
	a, _ := loopback(t, "127.0.0.1:0", nil)
	var asker tcpInfoAsker
	onDescriptor(t, a, func(fd uintptr) {
		asker.ask(fd) // finds out what this system has
		if n := testing.AllocsPerRun(100, func() { asker.ask(fd) }); n != 0 {
			t.Errorf("%v allocations for one answer", n)
		}
	})
}

func BenchmarkTCPInfo(b *testing.B) {
	b.ReportAllocs()
	var asker tcpInfoAsker
	a, _ := loopback(b, "127.0.0.1:0", nil)
	onDescriptor(b, a, func(fd uintptr) {
		for b.Loop() {
			asker.ask(fd)
		}
	})
}
