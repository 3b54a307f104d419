package discovery

import (
	"cmp"
	"net/netip"
	"slices"
	"time"

	"linkpace/engine/model"
)

const (
	maxPeers     = 256
	maxBanned    = 256
	rememberLeft = 10 * time.Second
)

// sighting is a hint that somebody may be at some addresses.
type sighting struct {
	card  card
	via   string
	hello uint16 // UDP port of the hello messages; 0 is the control port
	addrs []netip.Addr
	// source says that a message came from the addresses, loopback that they
	// may be of the loopback.
	source, loopback bool
}

// target is a hello request to be sent.
type target struct {
	key string
	to  netip.AddrPort
}

// table knows who is there. It has one owner, sends nothing and knows no clock:
// each change is told the time, and advance says whom to ask.
type table struct {
	own     card
	hello   bool // hello messages can be sent
	net     *network
	entries map[string]*entry
	// banned are addresses where this program itself answered.
	banned map[netip.AddrPort]bool
	left   map[string]time.Time
}

func newTable(own card, hello bool, n *network) *table {
	return &table{
		own: own, hello: hello, net: n,
		entries: map[string]*entry{}, banned: map[netip.AddrPort]bool{}, left: map[string]time.Time{},
	}
}

// sight takes a hint in. Nobody is verified by it.
func (t *table) sight(now time.Time, s sighting) {
	key := s.card.key()
	if key == t.own.key() || now.Sub(t.left[key]) < rememberLeft {
		return
	}
	e := t.entries[key]
	known := e != nil
	if !known {
		e = &entry{key: key, via: s.via, born: now, due: now}
	}
	t.merge(now, e, s)
	if len(e.ends) == 0 || !known && !t.makeRoom() {
		return
	}
	t.entries[key] = e
	if s.via == viaMDNS {
		e.shownBy = now
	}
}

// merge adds what a sighting says to an entry. An answer of the peer knows
// better than an announcement, which anybody can make for it.
func (t *table) merge(now time.Time, e *entry, s sighting) {
	if e.best == nil {
		e.card = s.card
	}
	hello := cmp.Or(s.hello, s.card.Port)
	for _, addr := range s.addrs[:min(len(s.addrs), maxEndpoints)] {
		for _, addr := range t.net.expand(addr) {
			if !t.usable(addr, hello, s.loopback) {
				continue
			}
			to := netip.AddrPortFrom(addr, hello)
			end := t.endpoint(now, e, to, s.source)
			end.sighted = now
			if s.card.Port != 0 && end.control == 0 {
				end.control = s.card.Port
			}
		}
	}
	e.sort()
}

// endpoint finds or adds an address of an entry. A new one is asked at once.
func (t *table) endpoint(now time.Time, e *entry, to netip.AddrPort, source bool) *endpoint {
	end := e.find(to)
	if end == nil {
		end = &endpoint{hello: to}
		e.ends = append(e.ends, end)
		e.tries, e.due, e.recheck = 0, now, now
	}
	end.source = end.source || source
	end.rank = t.net.rank(to.Addr(), end.source)
	return end
}

// usable reports whether a hinted address may be asked.
func (t *table) usable(addr netip.Addr, port uint16, loopback bool) bool {
	switch {
	case port == 0, !t.net.near(addr), t.banned[netip.AddrPortFrom(addr, port)]:
		return false
	case addr.IsLoopback() && !loopback:
		return false
	}
	return port != t.own.Port || !t.net.owns(addr)
}

// makeRoom keeps the table within maxPeers by giving up somebody unverified.
func (t *table) makeRoom() bool {
	if len(t.entries) < maxPeers {
		return true
	}
	var oldest *entry
	for _, e := range t.entries {
		if e.best == nil && e.typed == "" && (oldest == nil || e.born.Before(oldest.born)) {
			oldest = e
		}
	}
	if oldest == nil {
		return false
	}
	delete(t.entries, oldest.key)
	return true
}

// answer takes in the reply to p, and gives the key of the peer: "" when it is
// this program itself or there is no room.
func (t *table) answer(now time.Time, p ping, c card) string {
	was := t.entries[p.key]
	if c.key() == t.own.key() {
		t.ban(was, p.to)
		return ""
	}
	e := t.claim(now, was, p, c)
	if e == nil {
		return ""
	}
	end := t.endpoint(now, e, p.to, false)
	end.answered, end.control = now, c.Port
	e.card, e.heard, e.rtt, e.lost, e.tries = c, now, now.Sub(p.at), time.Time{}, 0
	if e.best == nil || end.rank < e.best.rank || now.Sub(e.best.answered) >= silentAfter {
		e.best = end
	}
	e.due = now.Add(helloEvery)
	e.sort()
	return e.key
}

// ban remembers that this program answers at an address.
func (t *table) ban(e *entry, at netip.AddrPort) {
	if len(t.banned) < maxBanned {
		t.banned[at] = true
	}
	if e == nil {
		return
	}
	if end := e.find(at); end != nil {
		e.drop(end)
	}
	if len(e.ends) == 0 {
		delete(t.entries, e.key)
	}
}

// claim finds the entry for somebody who answered, and moves the address to it
// when another was expected there: a program that was restarted, or an address
// that was only typed.
func (t *table) claim(now time.Time, was *entry, p ping, c card) *entry {
	key := c.key()
	e := t.entries[key]
	switch {
	case e == nil && c.Port == 0:
		return nil // it cannot be tested
	case e == nil && !t.makeRoom():
		return nil
	case e == nil:
		e = &entry{key: key, via: p.via, born: now}
		t.entries[key] = e
	}
	if was != nil && was != e {
		t.move(was, e, p.to)
	}
	return e
}

// move takes the address at from was. What a person typed goes with it, and was
// ends when it answered there or nothing else is known of it.
func (t *table) move(was, e *entry, at netip.AddrPort) {
	end := was.find(at)
	if end == nil {
		return
	}
	moved, ended := []*endpoint{end}, was.best == end || len(was.ends) == 1
	if was.typed != "" {
		e.typed, was.typed = was.typed, ""
		moved, ended = was.ends, true
	}
	for _, end := range moved {
		if e.find(end.hello) == nil {
			e.ends = append(e.ends, end)
		}
	}
	was.drop(end)
	if ended {
		delete(t.entries, was.key)
	}
}

// bye removes a peer that said goodbye; a typed one stays, silent.
func (t *table) bye(now time.Time, key string) {
	e := t.entries[key]
	if e == nil {
		return
	}
	if len(t.left) >= maxPeers {
		clear(t.left)
	}
	t.left[key] = now
	if e.typed == "" {
		delete(t.entries, key)
		return
	}
	t.lose(now, e)
}

func (t *table) lose(now time.Time, e *entry) {
	e.best, e.lost, e.tries, e.due = nil, now, 0, now.Add(firstRetry)
}

// add keeps a typed address, which stays until it is forgotten.
func (t *table) add(now time.Time, text string, addrs []netip.AddrPort) {
	e := t.typedAs(text)
	if e == nil {
		e = &entry{card: card{Name: text}, key: "/" + text, typed: text, via: viaTyped, born: now, due: now}
		t.entries[e.key] = e
	}
	for _, addr := range addrs[:min(len(addrs), maxEndpoints)] {
		for _, a := range t.net.expand(addr.Addr()) {
			t.endpoint(now, e, netip.AddrPortFrom(a, addr.Port()), false).control = addr.Port()
		}
	}
	e.sort()
}

// typedAs finds the entry of a typed address.
func (t *table) typedAs(text string) *entry {
	for _, e := range t.entries {
		if e.typed == text {
			return e
		}
	}
	return nil
}

// change takes a new state of the adapters: addresses are ranked again and all
// peers asked at once.
func (t *table) change(now time.Time, n *network) {
	t.net = n
	clear(t.banned)
	for _, e := range t.entries {
		for _, end := range e.ends {
			end.rank = n.rank(end.hello.Addr(), end.source)
		}
		e.sort()
		e.tries, e.due, e.recheck = 0, now, now
	}
}

// pause keeps everybody: while nothing is asked, silence means nothing.
func (t *table) pause(now time.Time) {
	for _, e := range t.entries {
		if e.best != nil {
			e.heard = now
		}
	}
}

// list gives the peers that people see, by name.
func (t *table) list(now time.Time) []model.Peer {
	peers := make([]model.Peer, 0, len(t.entries))
	for _, e := range t.entries {
		if e.listed(now, t.hello) {
			peers = append(peers, e.peer(now, t.net))
		}
	}
	slices.SortFunc(peers, func(a, b model.Peer) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Key(), b.Key()))
	})
	return peers
}

// live are the peers that answer.
func (t *table) live() []*entry {
	var list []*entry
	for _, e := range t.entries {
		if e.best != nil {
			list = append(list, e)
		}
	}
	return list
}

// answersAt reports whether a peer answers at an address.
func (t *table) answersAt(to netip.AddrPort) bool {
	for _, e := range t.entries {
		if e.best != nil && e.find(to) != nil {
			return true
		}
	}
	return false
}
