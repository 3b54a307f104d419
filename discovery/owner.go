package discovery

import (
	"context"
	"net/netip"
	"time"

	"linkpace/engine/model"
)

const (
	rememberedEvery = time.Minute
	neighbourEvery  = 5 * time.Second
	broadcastEvery  = 30 * time.Second
	quietStep       = 500 * time.Millisecond
	// For each longList peers there is longListGap between two lists.
	longList    = 32
	longListGap = 10 * time.Millisecond
)

// owner is the goroutine that has the table. Nobody else touches its fields.
type owner struct {
	*Service
	table   *table
	pings   *pings
	limiter *limiter
	book    book
	keeper  *keeper
	unsaved kept
	dirty   bool
	waiting []waiting // calls of Add

	broadcasted, remembered, neighbour, swept time.Time // when each was asked last
	published                                 time.Time
}

// typedResult is what came of a typed address.
type typedResult struct {
	peer model.Peer
	self bool
}

// waiting is a call of Add that waits for an answer.
type waiting struct {
	ctx   context.Context
	typed model.Peer
	reply chan<- typedResult
	self  bool
}

func newOwner(s *Service, n *network) *owner {
	o := &owner{
		Service: s, table: newTable(s.own, s.opts.Datagrams != nil, n),
		pings: newPings(), limiter: newLimiter(),
	}
	if s.opts.Datagrams == nil {
		s.board.setProblem("hello", "Other computers cannot be asked whether they are there, because UDP is not available.")
	}
	if s.opts.Store != "" {
		o.load()
	}
	return o
}

// load reads the remembered peers. When that fails they are not written either.
func (o *owner) load() {
	b, setAside, err := loadBook(o.opts.Store, time.Now())
	if err != nil {
		o.log.Warn("remembered peers not read", "file", o.opts.Store, "error", err)
		o.board.setProblem("store", "The computers found earlier could not be read, and new ones are not remembered.")
		return
	}
	if setAside != "" {
		o.log.Warn("damaged file of remembered peers set aside", "file", setAside)
	}
	o.book = b
	o.keeper = newKeeper(o.opts.Store, o.log)
	for _, text := range b.Typed {
		o.working.Go(func() { o.restore(text) })
	}
}

// restore brings a typed address back after a restart.
func (o *owner) restore(text string) {
	typed, err := Resolve(o.life, text)
	if err != nil {
		typed = typedPeer(text, nil) // the name may be known later
	}
	o.do(func(o *owner) { o.table.add(time.Now(), typed.Name, typed.Addrs) })
}

// work runs until the service ends, and then takes leave.
func (o *owner) work() {
	defer close(o.done)
	inbox := make(chan letter, 64)
	listening, stopListening := context.WithCancel(context.WithoutCancel(o.life))
	listened := make(chan struct{})
	go func() {
		defer close(listened)
		o.listen(listening, inbox)
	}()
	o.loop(inbox)
	o.working.Wait()
	o.leave()
	stopListening()
	<-listened
}

func (o *owner) loop(inbox <-chan letter) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	o.search(time.Now())
	for {
		select {
		case <-o.life.Done():
			return
		case f := <-o.commands:
			f(o)
		case in := <-inbox:
			o.receive(in)
		case <-timer.C:
		}
		timer.Reset(o.step(time.Now()))
	}
}

// step does what is due and gives the time until the next.
func (o *owner) step(now time.Time) time.Duration {
	if o.opts.Quiet() {
		o.table.pause(now)
		return min(quietStep, o.publish(now))
	}
	asks, next := o.table.advance(now)
	for _, ask := range asks {
		o.ask(now, ping{target: ask})
	}
	if !now.Before(o.remembered.Add(rememberedEvery)) {
		o.askRemembered(now)
	}
	if !now.Before(o.neighbour.Add(neighbourEvery)) {
		o.askNeighbour(now)
	}
	next = earlier(next, earlier(o.remembered.Add(rememberedEvery), o.neighbour.Add(neighbourEvery)))
	return max(min(next.Sub(now), o.publish(now)), time.Millisecond)
}

// publish shows the list, and gives the time until it must be called again. A
// long list costs more to make than a datagram to send, so it is made less often.
// Calls of Add are answered after it, so that who called finds the peer there.
func (o *owner) publish(now time.Time) (again time.Duration) {
	o.save()
	gap := time.Duration(len(o.table.entries)/longList) * longListGap
	if since := now.Sub(o.published); since < gap {
		return gap - since
	}
	o.published = now
	o.board.publish(o.table.list(now))
	o.answerWaiting(now)
	return time.Hour
}

// search asks everybody whose address is known without multicast DNS: the
// peers from earlier, the networks' broadcast addresses, and the first program
// of this computer.
func (o *owner) search(now time.Time) {
	if o.opts.Datagrams == nil || o.opts.Quiet() {
		return
	}
	o.askRemembered(now)
	o.askNeighbour(now)
	if now.Sub(o.broadcasted) < broadcastEvery {
		return
	}
	o.broadcasted = now
	for _, addr := range o.table.net.broadcasts() {
		o.ask(now, ping{target: target{to: netip.AddrPortFrom(addr, DefaultPort)}, via: viaBroadcast, many: true})
	}
}

// askNeighbour asks at DefaultPort of this computer, which the first program on
// it has. The first program itself hears of the others by their questions.
func (o *owner) askNeighbour(now time.Time) {
	o.neighbour = now
	to := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), DefaultPort)
	if o.opts.Datagrams == nil || o.own.Port == DefaultPort || o.table.answersAt(to) {
		return
	}
	o.ask(now, ping{target: target{to: to}, via: viaBroadcast})
}

// askRemembered asks the remembered peers that do not answer already.
func (o *owner) askRemembered(now time.Time) {
	o.remembered = now
	if o.opts.Datagrams == nil {
		return
	}
	there := map[string]bool{}
	for _, e := range o.table.live() {
		there[e.ID] = true
	}
	for _, r := range o.book.Peers {
		if there[r.ID] {
			continue
		}
		for _, addr := range r.Addrs {
			if to := o.table.net.normal(addr.Addr()); o.table.usable(to, addr.Port(), false) {
				o.ask(now, ping{target: target{to: netip.AddrPortFrom(to, addr.Port())}, via: viaRemembered})
			}
		}
	}
}

// ask sends one hello request.
func (o *owner) ask(now time.Time, p ping) {
	p.at = now
	o.send(hello{kind: helloRequest, nonce: o.pings.issue(p), card: o.cardFor(p.to.Addr())}, p.to)
}

// cardFor is the own card with the adapter that is used towards addr.
func (o *owner) cardFor(addr netip.Addr) card {
	c := o.own
	c.Adapter = o.table.net.adapterTo(addr)
	return c
}

func (o *owner) send(h hello, to netip.AddrPort) {
	b, err := h.encode()
	if err == nil {
		err = o.opts.Datagrams.Send(b, to)
	}
	if err != nil {
		o.log.Debug("hello not sent", "to", to, "error", err)
	}
}

// leave says goodbye, with the nonce that proves to each peer who we are.
func (o *owner) leave() {
	if o.opts.Datagrams != nil && o.own.Port != 0 {
		for _, e := range o.table.live() {
			if e.asked != 0 {
				o.send(hello{kind: helloBye, nonce: e.asked, card: card{ID: o.own.ID, Instance: o.own.Instance}}, e.best.hello)
			}
		}
	}
	if o.keeper == nil {
		return
	}
	o.dirty = o.dirty || len(o.book.Peers) > 0 // the time each was seen last
	o.save()
	o.keeper.close()
}

// save hands what is to be remembered to the keeper.
func (o *owner) save() {
	if !o.dirty || o.keeper == nil {
		return
	}
	o.unsaved.book = o.book.clone()
	if o.keeper.keep(o.unsaved) {
		o.unsaved, o.dirty = kept{}, false
	}
}

// forget drops an entry and what is remembered of it.
func (o *owner) forget(key string) {
	e := o.table.entries[key]
	if e == nil {
		return
	}
	delete(o.table.entries, key)
	var addrs []netip.AddrPort
	if e.typed != "" {
		addrs = e.helloAddrs()
		o.untype(e.typed)
	}
	o.unsaved.forgotten = append(o.unsaved.forgotten, o.book.forget(e.ID, addrs)...)
	o.dirty = true
}

// untype drops a typed address from what is remembered.
func (o *owner) untype(text string) {
	o.book.untype(text)
	o.unsaved.untyped = append(o.unsaved.untyped, text)
	o.dirty = true
}
