package discovery

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"time"
)

// listenRetry is the pause after a failed read. Windows reports a port that
// nobody listens on as a failed read of the socket that sent there.
const (
	listenRetry   = 10 * time.Millisecond
	listenPatient = time.Second
)

// letter is a hello message that arrived.
type letter struct {
	hello hello
	from  netip.AddrPort
	at    time.Time
}

// listen passes hello messages to the owner until ctx ends or the socket is
// closed.
func (s *Service) listen(ctx context.Context, inbox chan<- letter) {
	if s.opts.Datagrams == nil {
		return
	}
	// One byte more than the longest message shows those that are too long.
	b := make([]byte, helloSize+1)
	pause := listenRetry
	for {
		n, from, err := s.opts.Datagrams.Receive(ctx, b)
		at := time.Now()
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, net.ErrClosed):
			s.log.Warn("hello socket closed", "error", err)
			s.board.setProblem("hello", "Other computers are no longer asked whether they are there, because the UDP port was closed.")
			return
		case err != nil:
			s.log.Debug("hello not received", "error", err)
			if sleep(ctx, pause) != nil {
				return
			}
			pause = min(2*pause, listenPatient)
			continue
		}
		pause = listenRetry
		h, err := decodeHello(b[:n])
		if err != nil {
			continue // anybody may send anything here
		}
		select {
		case inbox <- letter{h, from, at}:
		case <-ctx.Done():
			return
		default: // a flood: peers ask again
		}
	}
}

// sleep waits for d or the end of ctx, whose error it gives.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// receive takes a hello message in.
func (o *owner) receive(in letter) {
	in.from = netip.AddrPortFrom(o.table.net.normal(in.from.Addr()), in.from.Port())
	switch in.hello.kind {
	case helloRequest:
		o.receiveRequest(in)
	case helloReply:
		o.receiveReply(in)
	case helloBye:
		o.receiveBye(in)
	}
}

// receiveRequest answers, and takes note of whoever can be tested, so that it
// is enough when one of two computers hears the other.
func (o *owner) receiveRequest(in letter) {
	c := in.hello.card
	if c.key() == o.own.key() {
		o.receiveOwn(in)
		return
	}
	if !o.table.net.near(in.from.Addr()) || !o.limiter.allow(in.at, in.from.Addr()) {
		return
	}
	if o.own.Port != 0 {
		o.send(hello{kind: helloReply, nonce: in.hello.nonce, card: o.cardFor(in.from.Addr())}, in.from)
	}
	if c.Port == 0 {
		return
	}
	from := in.from.Addr()
	o.table.sight(in.at, sighting{
		card: c, via: viaBroadcast, hello: in.from.Port(), addrs: []netip.Addr{from},
		source: true, loopback: from.IsLoopback(),
	})
	if e := o.table.entries[c.key()]; e != nil {
		e.asked = in.hello.nonce
	}
}

// receiveOwn learns from an own request that its address leads back here, as
// that of a virtual network that both computers have.
func (o *owner) receiveOwn(in letter) {
	if p, ok := o.pings.answered(in.at, in.hello.nonce, in.from); ok && !p.many {
		o.table.answer(in.at, p, in.hello.card)
		o.foundSelf(p.to)
	}
}

func (o *owner) receiveReply(in letter) {
	p, ok := o.pings.answered(in.at, in.hello.nonce, in.from)
	if !ok {
		return
	}
	c := in.hello.card
	key := o.table.answer(in.at, p, c)
	e := o.table.entries[key]
	if e == nil || o.table.net.owns(p.to.Addr()) {
		return
	}
	if o.book.remember(in.at, c, p.to) {
		o.dirty = true
	}
}

// receiveBye believes only somebody who got our latest requests.
func (o *owner) receiveBye(in letter) {
	key := in.hello.card.key()
	e := o.table.entries[key]
	if e == nil {
		return
	}
	to, ok := o.pings.sentTo(in.hello.nonce)
	if !ok || e.find(to) == nil {
		return
	}
	o.table.bye(in.at, key)
}
