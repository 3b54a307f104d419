package discovery

import (
	"context"
	"net/netip"
	"slices"
	"time"

	"linkpace/engine/model"
)

// addTyped takes a typed address in, and keeps the caller until there is
// something to tell.
func (o *owner) addTyped(ctx context.Context, typed model.Peer, reply chan<- typedResult) {
	if o.isSelf(typed.Addrs) {
		reply <- typedResult{self: true}
		return
	}
	o.table.add(time.Now(), typed.Name, typed.Addrs)
	o.book.addTyped(typed.Name)
	o.dirty = true
	// The owner must take its next step when the wait is over.
	o.waiting = append(o.waiting, waiting{ctx: ctx, typed: typed, reply: reply})
	context.AfterFunc(ctx, func() { o.do(func(*owner) {}) })
}

func (o *owner) isSelf(addrs []netip.AddrPort) bool {
	for _, a := range addrs {
		if o.own.Port != 0 && a.Port() == o.own.Port && o.table.net.owns(a.Addr()) {
			return true
		}
	}
	return false
}

// answerWaiting ends the calls of Add whose computer answered or whose time is
// over.
func (o *owner) answerWaiting(now time.Time) {
	var left []waiting
	for _, w := range o.waiting {
		e := o.table.typedAs(w.typed.Name)
		switch {
		case e == nil: // it is this program, or was forgotten meanwhile
			w.reply <- typedResult{peer: w.typed, self: w.self}
		case e.best != nil || w.ctx.Err() != nil || !o.table.hello:
			w.reply <- typedResult{peer: e.peer(now, o.table.net)}
		default:
			left = append(left, w)
		}
	}
	o.waiting = left
}

// foundSelf drops a typed address that turned out to be this program.
func (o *owner) foundSelf(at netip.AddrPort) {
	for i := range o.waiting {
		w := &o.waiting[i]
		if o.table.typedAs(w.typed.Name) == nil && slices.Contains(w.typed.Addrs, at) {
			o.log.Info("typed address is this program", "address", at)
			w.self = true
			o.untype(w.typed.Name)
		}
	}
}

// retryNames looks typed names up again that had no address, in a network that
// may know them.
func (o *owner) retryNames() {
	for _, e := range o.table.entries {
		if e.typed != "" && len(e.ends) == 0 {
			text := e.typed
			o.working.Go(func() { o.restore(text) })
		}
	}
}
