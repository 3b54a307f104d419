package discovery

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"linkpace/engine/model"
)

const (
	addrA = "10.0.0.1:47820"
	addrB = "10.0.0.2:47820"
)

func TestHelloVerifiesAndDescribesPeer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEther()
		a, b := newRig(t, e, "a", nil, addrA), newRig(t, e, "b", nil, addrB)
		synctest.Wait()
		// The broadcast of b at its start is enough for both.
		p := only(t, a.Peers())
		if !p.Verified || p.ID != "b" || p.Instance != "ib" || p.Name != "PC b" || p.Via != viaBroadcast || p.SameMachine ||
			fmt.Sprint(p.Addrs) != "["+addrB+"]" || p.Adapter.Kind != model.Ethernet || p.Adapter.Link != 1e9 {
			t.Errorf("a sees %+v", p)
		}
		if p := only(t, b.Peers()); p.ID != "a" || !p.Verified {
			t.Errorf("b sees %+v", p)
		}
	})
}

func TestAnnouncementBecomesVerified(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEther()
		a := newRig(t, e, "a", nil, addrA)
		time.Sleep(time.Minute)
		// A silent listener: only multicast DNS names it.
		b := e.plug("10.0.0.2:50000")
		go answerAs(t, b, card{ID: "b", Instance: "ib", Name: "B", Port: 50000})
		a.see <- announceOf("b", 50000, "10.0.0.2")
		synctest.Wait()
		if p := only(t, a.Peers()); !p.Verified || p.Via != viaMDNS || p.Addrs[0].Port() != 50000 {
			t.Errorf("a sees %+v", p)
		}
	})
}

func TestWithoutDatagramsAnnouncementsAreListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newRig(t, nil, "a", nil, addrA)
		a.see <- announceOf("b", 47820, "10.0.0.2")
		synctest.Wait()
		if p := only(t, a.Peers()); p.Verified || p.ID != "b" {
			t.Errorf("a sees %+v", p)
		}
		if s := a.State(); len(s.Problems) != 1 || !strings.Contains(s.Problems[0], "UDP") {
			t.Errorf("state %+v", s)
		}
		time.Sleep(staleAfter + time.Millisecond)
		if peers := a.Peers(); len(peers) != 0 {
			t.Errorf("not seen for long, still listed: %+v", peers)
		}
	})
}

func TestSelfIsNeverAPeer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEther()
		// 172.17.0.1 belongs to this computer though no adapter tells.
		a := newRig(t, e, "a", nil, addrA, "172.17.0.1:47820", "127.0.0.1:47820")
		a.see <- announceOf("a", 47820, "10.0.0.1")
		a.see <- announceOf("b", 47820, "172.17.0.1", "10.0.0.1", "127.0.0.1", "0.0.0.0", "224.0.0.251", "8.8.8.8")
		time.Sleep(10 * time.Second)
		if peers := a.Peers(); len(peers) != 0 {
			t.Errorf("a sees itself: %+v", peers)
		}
		if n := e.sentTo("172.17.0.1:47820"); n != 1 {
			t.Errorf("%d requests to an address that was found to be this program, want 1", n)
		}
		for _, addr := range []string{addrA, "127.0.0.1:47820", "8.8.8.8:47820", "0.0.0.0:47820", "224.0.0.251:47820"} {
			if n := e.sentTo(addr); n != 0 {
				t.Errorf("%d requests to %s, want none", n, addr)
			}
		}
	})
}

func TestSecondProgramOnThisComputer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEther()
		first := newRig(t, e, "a", nil, addrA, "127.0.0.1:47820")
		second := newRig(t, e, "a", func(o *Options) { o.Instance = "other"; o.Port = 47821 }, "10.0.0.1:47821", "127.0.0.1:47821")
		synctest.Wait()
		if p := only(t, first.Peers()); !p.SameMachine || !p.Verified || p.Instance != "other" || p.Addrs[0].Port() != 47821 {
			t.Errorf("the first sees %+v", p)
		}
		if p := only(t, second.Peers()); !p.SameMachine || !p.Verified || p.Instance != "ia" || p.Addrs[0].Port() != 47820 {
			t.Errorf("the second sees %+v", p)
		}
	})
}

func TestBestAddressComesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEther()
		a := newRig(t, e, "a", nil, addrA)
		a.setLinks(testLoopback(), testLink(2, "docker0", "172.17.0.1/16"), testLink(3, "eth0", "10.0.0.1/24", "fe80::a/64"))
		time.Sleep(watchEvery + watchSettle + time.Millisecond)
		b := e.plug("172.17.0.9:47820", "10.0.0.2:47820", "[fe80::b%eth0]:47820")
		go answerAs(t, b, card{ID: "b", Instance: "ib", Port: 47820})
		a.see <- announceOf("b", 47820, "172.17.0.9", "fe80::b", "192.168.7.7", "10.0.0.2")
		synctest.Wait()
		p := only(t, a.Peers())
		if want := "[10.0.0.2:47820 172.17.0.9:47820 [fe80::b%" + zoneOf(3, "eth0") + "]:47820 192.168.7.7:47820]"; fmt.Sprint(p.Addrs) != want {
			t.Errorf("addresses %v, want %v", p.Addrs, want)
		}
		// The best address fails: the next that answers takes its place.
		e.setCut("10.0.0.2", true)
		time.Sleep(time.Minute)
		if p := only(t, a.Peers()); p.Addrs[0].String() != "172.17.0.9:47820" || !p.Verified {
			t.Errorf("a sees %+v", p)
		}
	})
}

func TestTableIsCapped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEther()
		a := newRig(t, e, "a", nil, addrA)
		newRig(t, e, "good", nil, addrB)
		time.Sleep(time.Second)
		many := make([]string, 3*maxEndpoints)
		for i := range many {
			many[i] = fmt.Sprintf("10.0.1.%d", i+1)
		}
		for i := range 2 * maxPeers {
			a.see <- announceOf(fmt.Sprint("p", i), 47820, many...)
		}
		time.Sleep(2 * time.Second)
		peers := a.Peers()
		if len(peers) != maxPeers {
			t.Errorf("%d peers, want %d", len(peers), maxPeers)
		}
		verified := 0
		for _, p := range peers {
			if p.Verified {
				verified++
			}
			if len(p.Addrs) > maxEndpoints {
				t.Fatalf("%d addresses", len(p.Addrs))
			}
		}
		if verified != 1 {
			t.Errorf("%d verified peers, want the one that was there first", verified)
		}
	})
}

func TestNetworkChangeStartsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newRig(t, newEther(), "a", nil, addrA)
		if n := <-a.runs; len(n.links) != 1 {
			t.Fatalf("first run with %v", n.names())
		}
		a.setLinks(testLoopback())
		time.Sleep(watchEvery + watchSettle + time.Millisecond)
		if n := <-a.runs; len(n.links) != 0 {
			t.Errorf("run with %v after the adapter went", n.names())
		}
		if s := a.State(); s.Network || strings.Join(s.Interfaces, " ") != "lo" {
			t.Errorf("state %+v", s)
		}
		a.setLinks(testLoopback(), testLink(7, "eth0", "10.0.0.1/24", "2001:db8::1/64"))
		time.Sleep(watchEvery + watchSettle + time.Millisecond)
		if n := <-a.runs; len(n.links) != 1 || n.links[0].iface.Index != 7 {
			t.Errorf("run with %v after the adapter came back", n.names())
		}
		if s := a.State(); !s.Network || fmt.Sprint(s.Addresses) != "[10.0.0.1 2001:db8::1]" {
			t.Errorf("state %+v", s)
		}
		// A new private IPv6 address in the same network is no change.
		a.setLinks(testLoopback(), testLink(7, "eth0", "10.0.0.1/24", "2001:db8::99/64"))
		time.Sleep(10 * watchEvery)
		if len(a.runs) != 0 {
			t.Error("started again for a private address")
		}
		a.Rescan()
		synctest.Wait()
		if len(a.runs) != 1 {
			t.Errorf("%d runs after a rescan, want 1", len(a.runs))
		}
	})
}

func TestFailedBackendIsReportedAndRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := make(chan error, 2)
		tries <- errors.New("address in use")
		a := newRig(t, newEther(), "a", func(o *Options) {
			run := o.backends[0].run
			o.backends = []backend{{name: "fake", trouble: "It does not work.", run: func(ctx context.Context, n *network, found func(sighting)) error {
				select {
				case err := <-tries:
					return err
				default:
					return run(ctx, n, found)
				}
			}}}
		}, addrA)
		synctest.Wait()
		if s := a.State(); fmt.Sprint(s.Problems) != "[It does not work.]" {
			t.Errorf("state %+v", s)
		}
		time.Sleep(backendRetry + time.Millisecond)
		if s := a.State(); len(s.Problems) != 0 || len(a.runs) != 1 {
			t.Errorf("state %+v after %d runs", s, len(a.runs))
		}
	})
}

func TestNextWaitsForAChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEther()
		a := newRig(t, e, "a", nil, addrA)
		newRig(t, e, "b", nil, addrB)
		peers, _, err := a.Next(t.Context(), 0)
		if err != nil || len(peers) == 0 {
			t.Fatalf("%v, %v", peers, err)
		}
		time.Sleep(time.Minute)
		revision := a.revision()
		early, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, _, err := a.Next(early, revision); err == nil {
			t.Error("answers alone made a new revision")
		}
		e.setCut("10.0.0.2", true)
		peers, _, err = a.Next(t.Context(), revision)
		if err != nil || len(peers) != 0 {
			t.Errorf("after the peer went: %+v, %v", peers, err)
		}
	})
}

func TestSleepStartsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var slept atomic.Int64
		a := newRig(t, newEther(), "a", func(o *Options) {
			o.wall = func() time.Time { return time.Now().Round(0).Add(time.Duration(slept.Load())) }
		}, addrA)
		time.Sleep(time.Minute + watchEvery/2)
		if n := len(a.runs); n != 1 {
			t.Fatalf("%d runs while nothing happened", n)
		}
		slept.Store(int64(time.Hour))
		time.Sleep(watchEvery + time.Millisecond)
		if n := len(a.runs); n != 2 {
			t.Errorf("%d runs after the computer slept, want 2", n)
		}
	})
}

func TestFloodOfRequestsIsLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEther()
		newRig(t, e, "a", nil, addrA)
		flood := e.plug("10.0.0.66:1234")
		time.Sleep(time.Second)
		request, err := hello{helloRequest, 1, card{ID: "x"}}.encode()
		if err != nil {
			t.Fatal(err)
		}
		for range 40 {
			for range 5 {
				_ = flood.Send(request, netip.MustParseAddrPort(addrA))
			}
			synctest.Wait()
		}
		if n := e.sentTo("10.0.0.66:1234"); n != answersEach {
			t.Errorf("%d answers to 200 requests in no time, want %d", n, answersEach)
		}
		// A stranger from the internet learns nothing.
		stranger := e.plug("8.8.8.8:1234")
		_ = stranger.Send(request, netip.MustParseAddrPort(addrA))
		time.Sleep(2 * time.Second)
		if n := e.sentTo("8.8.8.8:1234"); n != 0 {
			t.Errorf("%d answers to a stranger", n)
		}
	})
}

func TestStartRefusesUnusableIdentity(t *testing.T) {
	for _, o := range []Options{{}, {ID: "a b"}, {ID: "a", Instance: "x/y"}, {ID: strings.Repeat("a", maxID+1)}} {
		if s, err := Start(t.Context(), o); err == nil {
			s.Close()
			t.Errorf("accepted %q %q", o.ID, o.Instance)
		}
	}
}
