package discovery

import (
	"net/netip"
	"testing"
	"testing/synctest"
	"time"
)

func TestKilledPeerGoesAndComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEther()
		a, b := newRig(t, e, "a", nil, addrA), newRig(t, e, "b", nil, addrB)
		time.Sleep(10 * time.Second)
		only(t, a.Peers())
		e.setCut("10.0.0.2", true)
		time.Sleep(2200 * time.Millisecond) // the latest answer may be helloEvery old
		only(t, a.Peers())
		time.Sleep(deadAfter - 2200*time.Millisecond + time.Millisecond)
		if peers := a.Peers(); len(peers) != 0 {
			t.Errorf("%v after the last answer a still sees %+v", deadAfter, peers)
		}
		e.setCut("10.0.0.2", false)
		time.Sleep(eagerRetry + time.Millisecond)
		only(t, a.Peers())
		only(t, b.Peers())
	})
}

func TestOneLostHelloIsNoDeath(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEther()
		a := newRig(t, e, "a", nil, addrA)
		newRig(t, e, "b", nil, addrB)
		for range 20 {
			time.Sleep(3 * time.Second)
			e.setCut("10.0.0.2", true)
			time.Sleep(2 * time.Second)
			e.setCut("10.0.0.2", false)
			if len(a.Peers()) != 1 {
				t.Fatal("the peer went away")
			}
		}
	})
}

func TestByeRemovesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEther()
		a, b := newRig(t, e, "a", nil, addrA), newRig(t, e, "b", nil, addrB)
		time.Sleep(5 * time.Second)
		only(t, a.Peers())
		before := time.Now()
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		e.unplug(b.port)
		synctest.Wait()
		if peers := a.Peers(); len(peers) != 0 || time.Since(before) != 0 {
			t.Errorf("%v after the goodbye a sees %+v", time.Since(before), peers)
		}
		// What multicast DNS still had in flight does not bring it back.
		a.see <- announceOf("b", 47820, "10.0.0.2")
		time.Sleep(2 * hiddenFor)
		if peers := a.Peers(); len(peers) != 0 {
			t.Errorf("a late announcement brought back %+v", peers)
		}
	})
}

func TestForgedByeIsIgnored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEther()
		a := newRig(t, e, "a", nil, addrA)
		newRig(t, e, "b", nil, addrB)
		time.Sleep(5 * time.Second)
		forger := e.plug("10.0.0.66:47820")
		bye, err := hello{helloBye, 12345, card{ID: "b", Instance: "ib"}}.encode()
		if err != nil {
			t.Fatal(err)
		}
		if err := forger.Send(bye, netip.MustParseAddrPort(addrA)); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		only(t, a.Peers())
	})
}

func TestSilentAnnouncementIsShownUnverifiedAndExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newRig(t, newEther(), "a", nil, addrA)
		a.see <- announceOf("b", 47820, "10.0.0.2")
		time.Sleep(hiddenFor / 2)
		if peers := a.Peers(); len(peers) != 0 {
			t.Errorf("shown before it could answer: %+v", peers)
		}
		time.Sleep(hiddenFor)
		if p := only(t, a.Peers()); p.Verified {
			t.Errorf("verified without an answer: %+v", p)
		}
		time.Sleep(staleAfter + time.Millisecond)
		if peers := a.Peers(); len(peers) != 0 {
			t.Errorf("not seen for long, still listed: %+v", peers)
		}
	})
}

func TestRestartedPeerReplacesItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEther()
		a := newRig(t, e, "a", nil, addrA)
		b := e.plug(addrB)
		go answerAs(t, b, card{ID: "b", Instance: "first", Port: 47820})
		s := announceOf("b", 47820, "10.0.0.2")
		s.card.Instance = "first"
		a.see <- s
		time.Sleep(time.Second)
		e.unplug(b)
		b = e.plug(addrB)
		go answerAs(t, b, card{ID: "b", Instance: "second", Port: 47820})
		time.Sleep(helloEvery + time.Millisecond)
		if p := only(t, a.Peers()); p.Instance != "second" {
			t.Errorf("a sees %+v", p)
		}
	})
}

func TestQuietSendsNothingAndLosesNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEther()
		a := newRig(t, e, "a", nil, addrA)
		newRig(t, e, "b", nil, addrB)
		time.Sleep(5 * time.Second)
		a.setQuiet(true)
		time.Sleep(helloEvery)
		e.setCut("10.0.0.2", true)
		sent := e.sentTo(addrB)
		time.Sleep(time.Minute)
		if n := e.sentTo(addrB) - sent; n != 0 {
			t.Errorf("%d requests sent during a test", n)
		}
		only(t, a.Peers())
		a.setQuiet(false)
		time.Sleep(deadAfter + quietStep + time.Millisecond)
		if peers := a.Peers(); len(peers) != 0 {
			t.Errorf("after the test a still sees %+v", peers)
		}
	})
}
