package discovery

import (
	"context"
	"slices"
	"sync"

	"linkpace/engine/model"
)

// board is where the owner of the table puts the list for everybody else.
type board struct {
	mu       sync.Mutex
	peers    []model.Peer
	revision uint64
	changed  chan struct{} // closed at the next revision
	state    State
	problems map[string]string // by what has the problem
}

func newBoard() *board {
	return &board{changed: make(chan struct{}), problems: map[string]string{}}
}

// publish shows a new list. The revision grows when a reader could see the
// difference; that somebody was heard of again is none.
func (b *board) publish(peers []model.Peer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	same := slices.EqualFunc(b.peers, peers, samePeer)
	b.peers = peers
	if same {
		return
	}
	b.revision++
	close(b.changed)
	b.changed = make(chan struct{})
}

func samePeer(a, b model.Peer) bool {
	return a.Key() == b.Key() && a.Name == b.Name && a.OS == b.OS && a.Version == b.Version &&
		a.Adapter == b.Adapter && a.SameMachine == b.SameMachine && a.Verified == b.Verified && a.Via == b.Via &&
		slices.Equal(a.Addrs, b.Addrs)
}

func (b *board) list() []model.Peer {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.peers)
}

// next waits until the revision is past from.
func (b *board) next(ctx context.Context, from uint64) ([]model.Peer, uint64, error) {
	for {
		b.mu.Lock()
		peers, revision, changed := slices.Clone(b.peers), b.revision, b.changed
		b.mu.Unlock()
		if revision > from {
			return peers, revision, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, from, ctx.Err()
		}
	}
}

// setNetwork shows which adapters are used.
func (b *board) setNetwork(n *network) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.state.Interfaces, b.state.Addresses, b.state.Network = n.names(), n.addresses(), len(n.links) > 0
}

// setProblem shows what does not work at something; "" says that it works.
func (b *board) setProblem(what, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if text == "" {
		delete(b.problems, what)
		return
	}
	b.problems[what] = text
}

func (b *board) snapshot() State {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := State{
		Interfaces: slices.Clone(b.state.Interfaces), Addresses: slices.Clone(b.state.Addresses), Network: b.state.Network,
	}
	for _, text := range b.problems {
		s.Problems = append(s.Problems, text)
	}
	slices.Sort(s.Problems)
	return s
}
