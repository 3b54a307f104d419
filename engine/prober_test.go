package engine

import (
	"net"
	"net/netip"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"linkpace/engine/internal/sock"
	"linkpace/engine/model"
	"linkpace/engine/protocol/native"
)

// delayed is a network in memory that carries datagrams, each for the same time.
type delayed struct {
	*sock.Mem
	way  time.Duration
	fate func(b []byte) (copies int)

	mu    sync.Mutex
	next  uint16
	inbox map[uint16]*inbox
}

func newDelayed(way time.Duration, fate func(b []byte) int) *delayed {
	return &delayed{Mem: &sock.Mem{}, way: way, fate: fate, next: 40000, inbox: map[uint16]*inbox{}}
}

type letter struct {
	data []byte
	from netip.AddrPort
}

// inbox is one socket.
type inbox struct {
	net    *delayed
	at     netip.AddrPort
	in     chan letter
	closed chan struct{}
	by     time.Time
}

func (d *delayed) Packets(at netip.AddrPort) (sock.PacketConn, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if at.Port() == 0 {
		d.next++
		at = netip.AddrPortFrom(at.Addr(), d.next)
	}
	i := &inbox{net: d, at: at, in: make(chan letter, 100), closed: make(chan struct{})}
	d.inbox[at.Port()] = i
	return i, nil
}

func (d *delayed) deliver(to netip.AddrPort, l letter) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := d.inbox[to.Port()]; i != nil {
		i.in <- l
	}
}

func (i *inbox) WriteToUDPAddrPort(b []byte, to netip.AddrPort) (int, error) {
	l := letter{append([]byte(nil), b...), i.at}
	for range i.net.fate(b) {
		time.AfterFunc(i.net.way, func() { i.net.deliver(to, l) })
	}
	return len(b), nil
}

func (i *inbox) SetReadDeadline(t time.Time) error { i.by = t; return nil }

func (i *inbox) ReadFromUDPAddrPort(b []byte) (int, netip.AddrPort, error) {
	var late <-chan time.Time
	if !i.by.IsZero() {
		timer := time.NewTimer(time.Until(i.by))
		defer timer.Stop()
		late = timer.C
	}
	select {
	case l := <-i.in:
		return copy(b, l.data), l.from, nil
	case <-i.closed:
		return 0, netip.AddrPort{}, net.ErrClosed
	case <-late:
		return 0, netip.AddrPort{}, os.ErrDeadlineExceeded
	}
}

func (i *inbox) Close() error {
	close(i.closed)
	return nil
}

// delays runs a test over a network and returns what the probes of it say.
func delays(t *testing.T, n *delayed) (pings []model.Sample, r *model.Result) {
	t.Helper()
	r, _ = newPair(t, n).run(t, short())
	if r.Outcome != model.Completed || r.Effective.DelayPath != delayByUDP {
		t.Fatalf("%s, delay by %q", r.Outcome, r.Effective.DelayPath)
	}
	for _, s := range r.Samples {
		if s.Side == model.Local && s.Ping > 0 {
			pings = append(pings, s)
		}
	}
	return pings, r
}

// expected is how many probes fit into the phases of short, give or take one in
// each.
func expected(r *model.Result) (least, most int) {
	for _, p := range r.Phases {
		n := int(p.Duration / r.Effective.Probe)
		least, most = least+n-1, most+n+1
	}
	return least, most
}

func TestProbesMeasureTheNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const way = 3 * time.Millisecond
		pings, r := delays(t, newDelayed(way, func([]byte) int { return 1 }))
		if least, most := expected(r); len(pings) < least || len(pings) > most {
			t.Errorf("%d probes, want %d to %d", len(pings), least, most)
		}
		for _, p := range pings {
			if p.Ping != 2*way || p.PingProgram != 2*way {
				t.Fatalf("at %v: network %v, program %v, want %v", p.At, p.Ping, p.PingProgram, 2*way)
			}
		}
		for _, n := range r.Notes {
			if n.Code == "delay_timer_late" {
				t.Error("late, with time that waits for everybody")
			}
		}
	})
}

func TestProbesOutliveLossAndDoubles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fate := func(b []byte) int {
			probe, err := native.ParseProbe(b)
			switch {
			case err != nil:
				return 1
			case probe.Sequence%3 == 0: // lost on the way there
				return 0
			case probe.Echo && probe.Sequence%3 == 1: // doubled on the way back
				return 2
			}
			return 1
		}
		// The answer comes when many more are under way.
		const way = 45 * time.Millisecond
		pings, r := delays(t, newDelayed(way, fate))
		_, most := expected(r)
		if len(pings) < most/2 || len(pings) > most*3/4 {
			t.Errorf("%d probes with an echo of %d, a third is lost", len(pings), most)
		}
		for _, p := range pings {
			if p.Ping != 2*way {
				t.Fatalf("at %v: %v, want %v", p.At, p.Ping, 2*way)
			}
		}
	})
}

func TestProbesThatLeaveLateAreNoted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newDelayed(time.Millisecond, func(b []byte) int {
			if probe, err := native.ParseProbe(b); err == nil && !probe.Echo && probe.Sequence%2 == 0 {
				time.Sleep(25 * time.Millisecond) // this computer is busy with something else
			}
			return 1
		})
		_, r := delays(t, n)
		found := 0
		for _, note := range r.Notes {
			if note.Code == "delay_timer_late" {
				found++
			}
		}
		if found != 1 {
			t.Errorf("noted %d times, want once: %v", found, r.Notes)
		}
	})
}
