package main

import (
	"context"
	"sync"

	"linkpace/cmd/internal/node"
	"linkpace/engine/control"
	"linkpace/engine/model"
	"linkpace/gui"
	"linkpace/platform/settings"
)

// consent is the answer of the first start: it decides for the engine, and the
// window asks for it. An answer holds at once.
type consent struct {
	mu     sync.Mutex
	node   *node.Node
	asking control.Policy // nil until the window can ask
	answer gui.Answer
}

// attach tells where the answer is kept.
func (c *consent) attach(n *node.Node) {
	c.node = n
	c.answer = gui.Answer(n.Settings.Consent)
}

// ask tells who can ask the person.
func (c *consent) ask(asker control.Asker) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asking = control.AskFirst(asker, control.AllowLocal())
}

// Answer is part of gui.Consent.
func (c *consent) Answer() gui.Answer {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.answer
}

// SetAnswer is part of gui.Consent. The other settings are read anew, because
// another program may have written them.
func (c *consent) SetAnswer(answer gui.Answer) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answer = answer
	kept, err := settings.Load(c.node.Dirs.Config)
	if err != nil {
		return err
	}
	kept.Consent = string(answer)
	return kept.Save(c.node.Dirs.Config)
}

// Decide is part of control.Policy. Before there is an answer, it is no.
func (c *consent) Decide(ctx context.Context, from model.Peer, spec model.Spec) (model.Spec, error) {
	return c.policy().Decide(ctx, from, spec)
}

func (c *consent) policy() control.Policy {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.answer == gui.OnNetwork:
		return control.AllowLocal()
	case c.answer == gui.AskEachTime && c.asking != nil:
		return c.asking
	}
	return control.AllowNobody(c.node.Settings.Name)
}
