package discovery

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"linkpace/engine/model"
)

func TestRememberedPeerIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEther()
		store := filepath.Join(t.TempDir(), "peers.json")
		keep := func(o *Options) { o.Store = store }
		a, b := newRig(t, e, "a", keep, addrA), newRig(t, e, "b", nil, addrB)
		time.Sleep(time.Second)
		a.Close()
		b.Close()
		e.unplug(a.port)
		e.unplug(b.port)
		// b listens again but is not heard by itself.
		p := e.plug(addrB)
		go answerAs(t, p, card{ID: "b", Instance: "new", Port: 47820})
		e.setCut("10.0.0.255", true)
		again := newRig(t, e, "a", keep, "10.0.0.1:47999")
		synctest.Wait()
		if p := only(t, again.Peers()); p.ID != "b" || p.Via != viaRemembered && p.Via != viaBroadcast {
			t.Errorf("found %+v", p)
		}
		if e.sentTo(addrB) == 0 {
			t.Error("the remembered address was not asked")
		}
	})
}

func TestTypedAddressStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEther()
		store := filepath.Join(t.TempDir(), "peers.json")
		keep := func(o *Options) { o.Store = store }
		a := newRig(t, e, "a", keep, addrA)
		p, err := a.Add(t.Context(), "10.0.0.2")
		if err != nil || p.Verified || p.Via != viaTyped || p.Name != "10.0.0.2" {
			t.Fatalf("added %+v, %v", p, err)
		}
		if again, err := a.Add(t.Context(), "10.0.0.2"); err != nil || again.Key() != p.Key() {
			t.Errorf("added twice: %+v, %v", again, err)
		}
		time.Sleep(time.Hour)
		if left := only(t, a.Peers()); left.Key() != p.Key() || fmt.Sprint(left.Addrs) != "["+addrB+"]" {
			t.Errorf("after an hour: %+v", left)
		}
		// It answers under another port than it is asked at by others.
		b := e.plug(addrB)
		go answerAs(t, b, card{ID: "b", Instance: "ib", Name: "B", Port: 47820})
		time.Sleep(eagerRetry + time.Millisecond)
		if p := only(t, a.Peers()); !p.Verified || p.ID != "b" || p.Via != viaTyped {
			t.Errorf("it answers, and a sees %+v", p)
		}
		e.unplug(b)
		time.Sleep(time.Hour)
		if p := only(t, a.Peers()); p.Verified || p.ID != "b" || p.Via != viaTyped {
			t.Errorf("it is silent, and a sees %+v", p)
		}
		a.Close()
		e.unplug(a.port)
		a = newRig(t, e, "a", keep, addrA)
		synctest.Wait()
		p = only(t, a.Peers())
		if p.Via != viaTyped || p.Verified {
			t.Errorf("after a restart: %+v", p)
		}
		a.Forget(p.Key())
		synctest.Wait()
		if peers := a.Peers(); len(peers) != 0 {
			t.Errorf("forgotten, but listed: %+v", peers)
		}
		a.Close()
		if b, err := os.ReadFile(store); err != nil || strings.Contains(string(b), "10.0.0.2") {
			t.Errorf("forgotten, but stored: %s, %v", b, err)
		}
	})
}

func TestTypingAKnownPeerMakesNoSecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEther()
		a := newRig(t, e, "a", nil, addrA)
		newRig(t, e, "b", nil, addrB)
		synctest.Wait()
		p, err := a.Add(t.Context(), "10.0.0.2:47820")
		if err != nil || !p.Verified || p.ID != "b" || p.Via != viaTyped {
			t.Errorf("added %+v, %v", p, err)
		}
		only(t, a.Peers())
	})
}

func TestTypingOwnAddressIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newRig(t, newEther(), "a", nil, addrA, "10.9.9.9:47820")
		// The second address is behind a router that leads back here.
		for _, text := range []string{"10.0.0.1", "127.0.0.1:47820", "10.9.9.9"} {
			_, err := a.Add(t.Context(), text)
			var problem *model.Problem
			if !errors.As(err, &problem) || problem.Code != model.CodeBadInput || !strings.Contains(problem.Text, text[:8]) {
				t.Errorf("%s: %v", text, err)
			}
		}
		if peers := a.Peers(); len(peers) != 0 {
			t.Errorf("listed %+v", peers)
		}
	})
}
