package gui

import (
	"fmt"
	"slices"

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
	looks     []string // what the cards show
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
		searching: true, // a window that just opened has not found nobody
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

// setPeers shows the computers that were found. Cards that would look the same
// stay, so that a button does not go away under a finger.
func (h *home) setPeers(peers []model.Peer) {
	h.peers = peers
	if !slices.Equal(h.looks, looksOf(peers)) {
		h.showPeers()
	}
}

// looksOf gives what the cards show.
func looksOf(peers []model.Peer) []string {
	looks := make([]string, 0, len(peers))
	for _, p := range peers {
		looks = append(looks, fmt.Sprint(p.Key(), "\n", p.Name, "\n", peerFacts(p), isSlow(p.Adapter), p.SameMachine))
	}
	return looks
}

// latest is what is known about p now.
func (h *home) latest(p model.Peer) model.Peer {
	for _, now := range h.peers {
		if now.Key() == p.Key() {
			return now
		}
	}
	return p
}

func (h *home) showPeers() {
	h.looks = looksOf(h.peers)
	h.list.RemoveAll()
	h.count.SetText("")
	if len(h.peers) == 0 {
		h.list.Add(h.nobody())
		return
	}
	h.count.SetText(foundWords(len(h.peers)))
	for _, p := range h.peers {
		h.list.Add(newPeerCard(p, func() { h.startTest(h.latest(p)) }, h.keys))
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
