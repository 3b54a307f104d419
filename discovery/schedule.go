package discovery

import "time"

// advance lets time pass: it removes who is gone and gives the requests that
// are due now, and when to call it next.
func (t *table) advance(now time.Time) (asks []target, next time.Time) {
	next = now.Add(time.Hour)
	for key, e := range t.entries {
		e.expire(now)
		if e.best != nil && now.Sub(e.heard) >= deadAfter {
			t.lose(now, e)
		}
		if e.over(now) {
			delete(t.entries, key)
			continue
		}
		if t.hello {
			asks = append(asks, e.ask(now)...)
		}
		next = earlier(next, e.wake(now, t.hello))
	}
	return asks, next
}

// ask gives the requests that are due to one peer.
func (e *entry) ask(now time.Time) []target {
	silent := e.best == nil || now.Sub(e.heard) >= silentAfter
	all := silent && !now.Before(e.due) || !now.Before(e.recheck)
	switch {
	case all:
		e.recheck = now.Add(recheckEvery)
	case now.Before(e.due):
		return nil
	}
	switch {
	case e.best == nil:
		e.due = now.Add(e.retry())
		e.tries++
	case silent:
		e.due = now.Add(askAgain)
	default:
		e.due = now.Add(min(helloEvery, max(silentAfter-now.Sub(e.heard), askAgain)))
	}
	if !all {
		return []target{{e.key, e.best.hello}}
	}
	asks := make([]target, 0, len(e.ends))
	for _, end := range e.ends {
		asks = append(asks, target{e.key, end.hello})
	}
	return asks
}

// wake is when the entry needs attention next.
func (e *entry) wake(now time.Time, hello bool) time.Time {
	next := now.Add(staleAfter)
	if hello {
		next = earlier(next, earlier(e.due, e.recheck))
	}
	if e.best != nil {
		next = earlier(next, e.heard.Add(deadAfter))
	} else if shown := e.born.Add(hiddenFor); shown.After(now) {
		next = earlier(next, shown)
	}
	if !e.shownBy.IsZero() {
		if stale := e.shownBy.Add(staleAfter); stale.After(now) {
			next = earlier(next, stale)
		}
	}
	return next
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
