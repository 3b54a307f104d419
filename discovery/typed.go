package discovery

import (
	"context"
	"net/netip"
	"time"

	"linkpace/engine/model"
)

// addTyped takes a typed address in, and keeps the caller until there is
// something to tell.
func (o *owner) addTyped(typed model.Peer, reply chan<- typedResult, ctx context.Context) {
	if o.isSelf(typed.Addrs) {
		reply <- typedResult{self: true}
		return
	}
	o.table.add(time.Now(), typed.Name, typed.Addrs)
	o.book.addTyped(typed.Name)
	o.dirty = true
	// The owner must take its next step when the wait is over.
	o.waiting = append(o.waiting, waiting{typed.Name, reply, ctx})
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
		e := o.table.typedAs(w.text)
		switch {
		case e == nil:
			w.reply <- typedResult{self: true}
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
	for _, w := range o.waiting {
		if o.table.typedAs(w.text) == nil {
			o.log.Info("typed address is this program", "address", at)
			o.untype(w.text)
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
