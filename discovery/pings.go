package discovery

import (
	"crypto/rand"
	"encoding/binary"
	"net/netip"
	"time"
)

const (
	pingLife = 10 * time.Second
	maxPings = 4096
)

// ping is a hello request that was sent.
type ping struct {
	target
	via string
	at  time.Time
	// many allows several answers, as a broadcast has.
	many bool
	done bool
}

// pings keeps the nonces of the latest hello requests. Only somebody who got a
// request knows its nonce, so a nonce proves where an answer is from.
type pings struct {
	sent  map[uint64]*ping
	order []uint64 // oldest first
}

func newPings() *pings { return &pings{sent: map[uint64]*ping{}} }

// issue keeps p under a new nonce and forgets those that are too old.
func (p *pings) issue(one ping) (nonce uint64) {
	p.expire(one.at)
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails, see its documentation
	nonce = binary.BigEndian.Uint64(b[:])
	p.sent[nonce] = &one
	p.order = append(p.order, nonce)
	return nonce
}

func (p *pings) expire(now time.Time) {
	stale := 0
	for stale < len(p.order) {
		one := p.sent[p.order[stale]]
		if one != nil && now.Sub(one.at) < pingLife && len(p.order)-stale < maxPings {
			break
		}
		delete(p.sent, p.order[stale])
		stale++
	}
	p.order = append(p.order[:0], p.order[stale:]...)
}

// answered gives the request that a reply belongs to, once, and as often as
// answers come for a broadcast.
func (p *pings) answered(now time.Time, nonce uint64, from netip.AddrPort) (ping, bool) {
	one := p.sent[nonce]
	if one == nil || one.done || now.Sub(one.at) >= pingLife {
		return ping{}, false
	}
	if one.many {
		found := *one
		found.to = from
		return found, true
	}
	one.done = true
	return *one, true
}

// sentTo gives where the request with a nonce went, to one computer alone.
func (p *pings) sentTo(nonce uint64) (to netip.AddrPort, ok bool) {
	one := p.sent[nonce]
	if one == nil || one.many {
		return netip.AddrPort{}, false
	}
	return one.to, true
}
