package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"linkpace/engine/model"
)

// home is the first screen: this computer, the others, and an address to type.
type home struct {
	root      fyne.CanvasObject
	frame     *fyne.Container
	self      *selfCard
	count     *words
	list      *fyne.Container // cards of peers, or what is said without any
	address   *addressRow
	startTest func(model.Peer)
	keys      func(*fyne.KeyEvent)
	peers     []model.Peer
	searching bool
}

func newHome(startTest func(model.Peer), rescan func(), add func(string), keys func(*fyne.KeyEvent)) *home {
	h := &home{
		self:      newSelfCard(keys),
		count:     newWords("", sizeBody, colourFaint),
		list:      column(8),
		address:   newAddressRow(add, keys),
		startTest: startTest,
		keys:      keys,
	}
	again := newButton(textSearchAgain, rescan)
	again.Icon, again.keys = theme.ViewRefreshIcon(), keys
	others := container.NewBorder(nil, nil, middle(newBold(textOtherComputers, sizeTitle).whole()), again, inset(middle(h.count), 0, 10))
	top := column(14, h.self.root, others)
	// A scroll cuts what touches its edge, and a card's outline does.
	const edge = 4
	h.frame = container.NewBorder(
		top, inset(h.address.root, 4, 0), nil, nil,
		inset(container.NewVScroll(inset(h.list, 0, edge)), 10, -edge),
	)
	h.root = inset(h.frame, 16, 20)
	h.address.resized = h.frame.Refresh
	h.showPeers()
	return h
}

func (h *home) setSelf(self Self) { h.self.show(self, h.startTest) }

func (h *home) setSearching(searching bool) {
	h.searching = searching
	h.showPeers()
}

func (h *home) setPeers(peers []model.Peer) {
	h.peers = peers
	h.showPeers()
}

func (h *home) showPeers() {
	h.list.RemoveAll()
	h.count.SetText("")
	if len(h.peers) == 0 {
		h.list.Add(h.nobody())
		return
	}
	h.count.SetText(foundWords(len(h.peers)))
	for _, p := range h.peers {
		h.list.Add(newPeerCard(p, h.startTest, h.keys))
	}
}

// nobody is what stands where the cards would.
func (h *home) nobody() fyne.CanvasObject {
	if h.searching {
		return newCard(container.NewCenter(inset(newWords(textSearching, sizeTitle, theme.ColorNameForeground).whole(), 24, 0)))
	}
	return newCard(column(0, newBold(textNobody, sizeTitle), outdent(newSentence(textNobodyHint))))
}

// outdent takes back the padding that a label has and words have not.
func outdent(l *widget.Label) fyne.CanvasObject { return inset(l, -4, -8) }

// added tells how adding an address went. The list brings a peer that answered.
func (h *home) added(peer model.Peer, err error) {
	h.address.done(err)
	if err != nil {
		return
	}
	for _, p := range h.peers {
		if p.Key() == peer.Key() {
			return
		}
	}
	h.setPeers(append([]model.Peer{peer}, h.peers...))
}

// find gives the peer that a kept result was measured with, if it is there.
func (h *home) find(r *model.Result) (model.Peer, bool) {
	if r.SameMachine {
		return h.self.peer, h.self.known
	}
	for _, p := range h.peers {
		if p.ID != "" && p.ID == r.Remote.ID {
			return p, true
		}
	}
	return model.Peer{}, false
}
