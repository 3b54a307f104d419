package discovery

import (
	"context"
	"net"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"

	"linkpace/engine/model"
)

// onLoopback starts a program with real sockets and real multicast DNS that
// sees no adapter but the loopback.
func onLoopback(t *testing.T, id string) (*Service, netip.AddrPort) {
	t.Helper()
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Skip("no UDP here: ", err)
	}
	t.Cleanup(func() { conn.Close() })
	at := conn.LocalAddr().(*net.UDPAddr).AddrPort()
	o := Options{ID: id, Instance: "x", Name: id, Port: at.Port(), Datagrams: &Socket{conn}, Log: discardLog()}
	o.links = func() ([]link, error) {
		all, err := systemLinks()
		var loopback []link
		for _, l := range all {
			if l.iface.Flags&net.FlagLoopback != 0 {
				loopback = append(loopback, l)
			}
		}
		return loopback, err
	}
	s, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, at
}

// await waits until the list has, or has no longer, a verified peer.
func await(t *testing.T, s *Service, id string, there bool) model.Peer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	defer cancel()
	var revision uint64
	for {
		peers, next, err := s.Next(ctx, revision)
		if err != nil {
			t.Fatalf("waiting for %s (there: %v): %v; list %+v, state %+v", id, there, err, s.Peers(), s.State())
		}
		revision = next
		found := model.Peer{}
		for _, p := range peers {
			if p.ID == id && p.Verified {
				found = p
			}
		}
		if (found.ID != "") == there {
			return found
		}
	}
}

func TestLoopbackRealSockets(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("multicast on the loopback was only seen to work on Linux")
	}
	before := runtime.NumGoroutine()
	first, at := onLoopback(t, "loopback-a")
	begin := time.Now()
	second, _ := onLoopback(t, "loopback-b")
	p := await(t, second, "loopback-a", true)
	t.Logf("the second sees the first after %v by %s", time.Since(begin), p.Via)
	if p.Addrs[0] != at || !p.SameMachine || p.RTT <= 0 {
		t.Errorf("found %+v, want it at %v", p, at)
	}
	await(t, first, "loopback-b", true)
	t.Logf("the first sees the second after %v", time.Since(begin))
	begin = time.Now()
	if err := second.Close(); err != nil {
		t.Error(err)
	}
	await(t, first, "loopback-b", false)
	t.Logf("gone %v after Close began", time.Since(begin))
	first.Close()
	// zeroconf's announcements go on for up to 3.5 s after its server is shut
	// down.
	deadline := time.Now().Add(15 * time.Second)
	for runtime.NumGoroutine() > before && time.Now().Before(deadline) {
		time.Sleep(50 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before {
		stacks := make([]byte, 1<<16)
		t.Errorf("%d goroutines left:\n%s", n-before, stacks[:runtime.Stack(stacks, true)])
	}
}

func TestSocketReceiveEndsWithContext(t *testing.T) {
	s, err := OpenDatagrams()
	if err != nil {
		t.Skip("no UDP here: ", err)
	}
	defer s.Close()
	to := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), s.conn.LocalAddr().(*net.UDPAddr).AddrPort().Port())
	b := make([]byte, 100)
	for range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, cancel)
		if _, _, err := s.Receive(ctx, b); err == nil || !strings.Contains(err.Error(), "canceled") {
			t.Fatalf("error %v, want that of the context", err)
		}
		// A cancelled wait does not spoil the next.
		if err := s.Send([]byte("hi"), to); err != nil {
			t.Fatal(err)
		}
		n, from, err := s.Receive(t.Context(), b)
		if err != nil || string(b[:n]) != "hi" || from != to {
			t.Fatalf("received %q from %v, %v; want it from %v", b[:n], from, err, to)
		}
	}
}
