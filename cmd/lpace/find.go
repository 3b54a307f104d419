package main

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"linkpace/cmd/internal/node"
	"linkpace/discovery"
	"linkpace/engine/control"
	"linkpace/engine/model"
)

// findTime is how long a name is looked for among the peers of this network.
const findTime = 3 * time.Second

// find turns what the person typed into a peer: an address at once, a name from
// those that discovery sees, and at last a name that the system can resolve.
func (a *app) find(ctx context.Context, n *node.Node, text string) (model.Peer, error) {
	if scheme, _, foreign := strings.Cut(text, "://"); foreign {
		return model.Peer{}, &model.Problem{Side: model.Local, Op: "find", Code: model.CodeUnsupported,
			Text: fmt.Sprintf("This version cannot test with %q programs. Use the name or address of a computer that runs Linkpace.", scheme)}
	}
	if isAddress(text) {
		return discovery.Resolve(ctx, text)
	}
	if err := n.Look(ctx); err != nil {
		return model.Peer{}, err
	}
	looking, done := context.WithTimeout(ctx, findTime)
	defer done()
	peer, err := lookFor(looking, n.Peers, text)
	if err == nil || ctx.Err() != nil {
		return peer, err
	}
	var ambiguous *model.Problem
	if errors.As(err, &ambiguous) {
		return peer, err
	}
	if peer, err := discovery.Resolve(ctx, text); err == nil {
		return peer, nil
	}
	if ctx.Err() != nil {
		return peer, ctx.Err()
	}
	return peer, &model.Problem{Side: model.Local, Op: "find", Code: model.CodeNotFound, Cause: err,
		Text: fmt.Sprintf("No computer called %q was found. See who is there with: lpace peers. Or give its address, like 192.168.1.20.", text)}
}

// isAddress reports whether a text can only be an address.
func isAddress(text string) bool {
	if _, err := netip.ParseAddr(strings.Trim(text, "[]")); err == nil {
		return true
	}
	return strings.ContainsAny(text, ":[]/@ ") || text == ""
}

// lookFor waits for a peer of a name, and a moment longer for its answer to
// prove that it is there.
func lookFor(ctx context.Context, s *discovery.Service, text string) (model.Peer, error) {
	peers := s.Peers()
	for rev := uint64(0); ; {
		match := matching(peers, text)
		if len(match) > 1 {
			return model.Peer{}, ambiguous(text, match)
		}
		if len(match) == 1 && match[0].Verified {
			return match[0], nil
		}
		next, at, err := s.Next(ctx, rev)
		if err != nil && len(match) == 1 {
			return match[0], nil
		}
		if err != nil {
			return model.Peer{}, err
		}
		peers, rev = next, at
	}
}

// matching gives the computers that a text names. Of several programs of one
// computer (a window and an agent, say) any will do; one that answered is taken.
func matching(peers []model.Peer, text string) []model.Peer {
	var match []model.Peer
	for _, p := range peers {
		if !strings.EqualFold(p.Name, text) && p.ID != text && !strings.EqualFold(control.ShortCode(p.ID), text) {
			continue
		}
		same := slices.IndexFunc(match, func(m model.Peer) bool { return m.ID == p.ID && p.ID != "" })
		switch {
		case same < 0:
			match = append(match, p)
		case p.Verified && !match[same].Verified:
			match[same] = p
		}
	}
	return match
}

func ambiguous(text string, match []model.Peer) *model.Problem {
	var choices []string
	for _, p := range match {
		choice := control.ShortCode(p.ID)
		if len(p.Addrs) > 0 {
			choice = p.Addrs[0].String()
		}
		choices = append(choices, choice)
	}
	return &model.Problem{Side: model.Local, Op: "find", Code: model.CodeBadInput,
		Text: fmt.Sprintf("Several computers are called %q. Choose one by its address: %s.", text, strings.Join(choices, ", "))}
}

// ofFamily keeps the addresses of one version of IP.
func ofFamily(peer model.Peer, family model.Family) (model.Peer, error) {
	if family == "" {
		return peer, nil
	}
	name := map[model.Family]string{model.IPv4: "IPv4", model.IPv6: "IPv6"}[family]
	kept := slices.DeleteFunc(slices.Clone(peer.Addrs), func(at netip.AddrPort) bool {
		return at.Addr().Unmap().Is4() != (family == model.IPv4)
	})
	if len(kept) == 0 {
		return peer, &model.Problem{Side: model.Local, Op: "find", Code: model.CodeBadInput,
			Text: fmt.Sprintf("No %s address of %s is known. Test without -%c, or give an %s address.", name, peer.Name, name[len(name)-1], name)}
	}
	peer.Addrs = kept
	return peer, nil
}
