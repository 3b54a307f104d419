package main

import (
	"context"
	"net/netip"
	"testing"

	"linkpace/cmd/internal/node"
	"linkpace/engine/control"
	"linkpace/engine/model"
	"linkpace/gui"
	"linkpace/platform"
	"linkpace/platform/settings"
)

// person answers every question the same way.
type person bool

func (p person) Ask(context.Context, model.Peer, model.Spec) bool { return bool(p) }

// opened is a node with a home of its own, whose consent is returned.
func opened(t *testing.T) *consent {
	t.Helper()
	t.Setenv(platform.HomeVariable, t.TempDir())
	c := new(consent)
	n, err := node.Open(t.Context(), node.Options{Policy: func(n *node.Node) control.Policy {
		c.attach(n)
		return c
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	return c
}

func TestAnswerDecides(t *testing.T) {
	near := model.Peer{ID: "k", Name: "nas", Addrs: []netip.AddrPort{netip.MustParseAddrPort("192.168.1.5:47820")}}
	far := model.Peer{ID: "k", Name: "far", Addrs: []netip.AddrPort{netip.MustParseAddrPort("8.8.8.8:47820")}}
	c := opened(t)
	for _, step := range []struct {
		answer gui.Answer
		person person
		from   model.Peer
		want   bool
	}{
		{gui.Unasked, true, near, false},
		{gui.OnNetwork, false, near, true},
		{gui.OnNetwork, true, far, false},
		{gui.AskEachTime, true, near, true},
		{gui.AskEachTime, false, near, false},
		{gui.AskEachTime, true, far, false},
		{gui.Nobody, true, near, false},
	} {
		c.ask(step.person)
		if step.answer != gui.Unasked {
			if err := c.SetAnswer(step.answer); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := c.Decide(t.Context(), step.from, model.DefaultSpec()); (err == nil) != step.want {
			t.Errorf("%q, person says %v, %s: %v", step.answer, step.person, step.from.Name, err)
		}
	}
}

func TestAnswerIsKept(t *testing.T) {
	c := opened(t)
	if c.Answer() != gui.Unasked {
		t.Fatalf("a new home has the answer %q", c.Answer())
	}
	if err := c.SetAnswer(gui.AskEachTime); err != nil {
		t.Fatal(err)
	}
	kept, err := settings.Load(c.node.Dirs.Config)
	if err != nil || kept.Consent != settings.ConsentAsk {
		t.Errorf("kept %q (%v)", kept.Consent, err)
	}
}
