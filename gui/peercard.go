package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"linkpace/engine/model"
)

// newPeerCard shows one computer that was found, with its button.
func newPeerCard(p model.Peer, start func(), keys func(*fyne.KeyEvent)) fyne.CanvasObject {
	test := newButton(textTestIt, start).primary()
	test.Icon, test.keys = theme.MediaPlayIcon(), keys
	name := container.NewBorder(nil, nil, nil, badges(p), newBold(p.Name, sizeTitle))
	facts := newWords(peerFacts(p), sizeBody, colourFaint)
	return newCard(container.NewBorder(nil, nil, nil, inset(middle(test), 0, 6), column(3, name, facts)))
}

// badges are remarks worth a look before any test.
func badges(p model.Peer) fyne.CanvasObject {
	list := row(6)
	if isSlow(p.Adapter) {
		list.Add(newBadge(slowWords(p.Adapter)))
	}
	if p.SameMachine {
		list.Add(newBadge(textSameMachineBadge))
	}
	return list
}

// selfCard shows this computer.
type selfCard struct {
	root    fyne.CanvasObject
	name    *words
	adapter *words
	address *words
	trouble *words
	badge   *fyne.Container
	line    *fyne.Container
	test    *button
	peer    model.Peer
	known   bool
}

func newSelfCard(keys func(*fyne.KeyEvent)) *selfCard {
	c := &selfCard{
		name:    newBold("…", sizeName),
		adapter: newWords(" ", sizeBody, colourFaint),
		address: newBold(" ", sizeTitle),
		trouble: newWords("", sizeBody, theme.ColorNameError),
		badge:   row(6),
		test:    newButton(textTestSelf, nil),
	}
	c.trouble.Hide()
	c.test.Disable()
	c.test.keys = keys
	title := container.NewBorder(nil, nil, nil, c.badge, c.name)
	left := column(3, newWords(textThisComputer, sizeSmall, colourFaint), title, c.adapter)
	right := column(3, newWords(textAddress, sizeSmall, colourFaint), c.address, newWords(" ", sizeBody, colourFaint))
	c.line = column(4, container.NewBorder(nil, nil, nil, inset(middle(c.test), 0, 6), container.NewGridWithColumns(2, left, right)), c.trouble)
	c.root = newCard(c.line)
	return c
}

// show fills the card. Before that its button is off.
func (c *selfCard) show(self Self, start func(model.Peer)) {
	c.peer, c.known = self.Peer, true
	c.test.OnTapped = func() { start(self.Peer) }
	c.test.Enable()
	c.name.SetText(self.Endpoint.Name)
	c.adapter.SetText(joined([]string{adapterWords(self.Endpoint.Adapter), systemWords(self.Endpoint.OS)}))
	c.address.SetText(addressWords(self.Addrs, self.UsualPort))
	c.badge.RemoveAll()
	if isSlow(self.Endpoint.Adapter) {
		c.badge.Add(newBadge(slowWords(self.Endpoint.Adapter)))
	}
	c.trouble.SetText(self.Trouble)
	c.trouble.Hide()
	if self.Trouble != "" {
		c.trouble.Show()
	}
	c.line.Refresh()
}
