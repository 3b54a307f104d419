package gui

import (
	"context"

	"linkpace/engine/model"
)

// askConsent asks the question of the first start, then or when the person
// wants to answer it anew.
func (u *UI) askConsent() {
	keep := func(a Answer) func() { return func() { u.keepAnswer(a) } }
	u.ask(textConsentTitle, consentBody(u.deps.Consent.Answer()),
		choice{textConsentYes, keep(OnNetwork)},
		choice{textConsentAsk, keep(AskEachTime)},
		choice{textConsentNo, keep(Nobody)},
	)
}

// keepAnswer writes the answer down, and tells the person when that fails.
func (u *UI) keepAnswer(a Answer) {
	go func() {
		if err := u.deps.Consent.SetAnswer(a); err != nil {
			deliver(u.ctx, u.on, func() { u.tell(textNotKept, sentenceOf(err)) })
		}
	}()
}

// Ask asks the person whether peer may carry out spec with this computer. It may
// be called from any goroutine. Without an answer until ctx ends, or when the
// window closes, it is a no.
func (u *UI) Ask(ctx context.Context, peer model.Peer, spec model.Spec) bool {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(u.ctx, cancel)()
	answer := make(chan bool, 1)
	deliver(ctx, u.on, func() { u.askPerson(ctx, peer, spec, answer) })
	select {
	case yes := <-answer:
		return yes
	case <-ctx.Done():
		return false
	}
}

// askPerson shows the question until it is answered or ctx ends.
func (u *UI) askPerson(ctx context.Context, peer model.Peer, spec model.Spec, answer chan<- bool) {
	reply := func(yes bool) func() {
		return func() {
			select {
			case answer <- yes:
			default: // answered before
			}
		}
	}
	q := u.ask(askTitle(peer), askWords(peer, spec), choice{textAskAllow, reply(true)}, choice{textAskDeny, reply(false)})
	u.window.RequestFocus()
	context.AfterFunc(ctx, func() { u.on(q.close) })
}
