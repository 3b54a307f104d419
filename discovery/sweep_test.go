package discovery

import (
	"errors"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"linkpace/engine/model"
)

func TestSweepFindsWhoNeverSpeaks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEther()
		e.setCut("10.0.0.77", true) // also from the broadcast
		a := newRig(t, e, "a", nil, addrA)
		b := e.plug("10.0.0.77:47820")
		go answerAs(t, b, card{ID: "b", Instance: "ib", Port: 47820})
		time.Sleep(time.Minute)
		e.setCut("10.0.0.77", false)
		begin, last := time.Now(), 0
		if err := a.Sweep(t.Context(), func(done, total int) {
			if total != 253 || done < last {
				t.Errorf("step %d of %d after %d", done, total, last)
			}
			last = done
		}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if p := only(t, a.Peers()); p.ID != "b" || !p.Verified {
			t.Errorf("found %+v", p)
		}
		if took := time.Since(begin); took < 253*sweepPace || last != 253 {
			t.Errorf("%d addresses in %v", last, took)
		}
		if n := e.sentTo("10.0.0.0:47820"); n != 0 {
			t.Errorf("%d requests to the network's own address", n)
		}
		if err := a.Sweep(t.Context(), nil); problemCode(err) != model.CodeBusy {
			t.Errorf("a second sweep at once: %v", err)
		}
		time.Sleep(sweepPause)
		a.setQuiet(true)
		if err := a.Sweep(t.Context(), nil); problemCode(err) != model.CodeBusy {
			t.Errorf("a sweep during a test: %v", err)
		}
	})
}

func TestSweepNeedsUDP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newRig(t, nil, "a", nil, addrA)
		if err := a.Sweep(t.Context(), nil); problemCode(err) != model.CodeUnsupported {
			t.Errorf("got %v", err)
		}
	})
}

func TestSweepableStaysInOwnPrivateNetworks(t *testing.T) {
	known := []netip.Addr{netip.MustParseAddr("10.0.9.9"), netip.MustParseAddr("10.99.0.1"), netip.MustParseAddr("8.8.8.8")}
	for _, c := range []struct {
		name  string
		link  link
		count int
	}{
		{"a /24", testLink(2, "eth0", "192.168.1.5/24"), 253},
		{"a cable with /30", testLink(2, "eth0", "192.168.1.5/30"), 1},
		{"point to point", testLink(2, "eth0", "192.168.1.5/32"), 0},
		{"a /16 with a known peer", testLink(2, "eth0", "10.0.1.5/16"), 253 + 254},
		{"public", testLink(2, "eth0", "203.0.113.5/24"), 0},
		{"virtual", testLink(2, "docker0", "172.17.0.1/24"), 0},
		{"IPv6", testLink(2, "eth0", "fd00::1/64"), 0},
		{"many networks", testLink(2, "eth0", "10.1.0.1/24", "10.2.0.1/24", "10.3.0.1/24", "10.4.0.1/24", "10.5.0.1/24"), maxSweep},
	} {
		got := newNetwork([]link{c.link}, nil).sweepable(known)
		if len(got) != c.count {
			t.Errorf("%s: %d addresses, want %d", c.name, len(got), c.count)
		}
	}
}

func problemCode(err error) model.Code {
	var problem *model.Problem
	if errors.As(err, &problem) {
		return problem.Code
	}
	return ""
}
