package discovery

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"sync"
	"time"

	"linkpace/engine/model"
)

// answerTime is how long Add waits for the typed computer to answer.
const answerTime = 1500 * time.Millisecond

// Service looks for peers until it is closed. Its methods may be called from
// any goroutine.
type Service struct {
	own   card
	opts  Options
	log   *slog.Logger
	board *board

	life     context.Context
	end      context.CancelFunc
	commands chan func(*owner)
	runners  []*runner
	working  sync.WaitGroup // backends and watchers: all that may send commands
	done     chan struct{}  // closed when everything stopped
}

// Start begins to look, and to be found when o.Port is set, until ctx ends or
// Close is called. An error names an option that cannot be used; a network that
// is not there is none.
func Start(ctx context.Context, o Options) (*Service, error) {
	own := card{ID: o.ID, Instance: o.Instance, Name: model.CleanText(o.Name, maxName), OS: model.CleanText(o.OS, maxOS), Version: cleanWord(o.Version), Port: o.Port}
	if err := own.validate(); err != nil {
		return nil, fmt.Errorf("start discovery: %w", err)
	}
	o = o.withDefaults()
	s := &Service{
		own: own, opts: o, log: o.Log, board: newBoard(),
		commands: make(chan func(*owner), 64), done: make(chan struct{}),
	}
	s.life, s.end = context.WithCancel(ctx)
	n := s.look(nil)
	s.board.setNetwork(n)
	owner := newOwner(s, n)
	for _, b := range s.backends() {
		s.runners = append(s.runners, s.newRunner(b))
	}
	for _, r := range s.runners {
		s.working.Go(func() { r.supervise(s.life, n) })
	}
	s.working.Go(func() { s.watch(n) })
	go owner.work()
	return s, nil
}

func (o Options) withDefaults() Options {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Quiet == nil {
		o.Quiet = func() bool { return false }
	}
	if socket, ok := o.Datagrams.(*Socket); ok && socket == nil {
		o.Datagrams = nil // what OpenDatagrams gives with its error
	}
	if o.wall == nil {
		o.wall = func() time.Time { return time.Now().Round(0) }
	}
	if o.links == nil {
		o.links = systemLinks
	}
	return o
}

// backends are the ways of looking by multicast DNS.
func (s *Service) backends() []backend {
	if s.opts.backends != nil {
		return s.opts.backends
	}
	list := []backend{browser(s.opts.Quiet), assistant(s.opts.Quiet, s.knownInstances)}
	if s.own.Port != 0 {
		list = append(list, announcer(s.own))
	}
	return list
}

// knownInstances are the names of the peers that need not be found again.
func (s *Service) knownInstances() []string {
	var names []string
	for _, p := range s.board.list() {
		if p.Verified {
			names = append(names, instanceName(p.ID, p.Instance))
		}
	}
	return names
}

func (s *Service) newRunner(b backend) *runner {
	return &runner{
		backend: b,
		restart: make(chan *network, 1),
		found:   func(one sighting) { s.do(func(o *owner) { o.table.sight(time.Now(), one) }) },
		failed: func(err error) {
			if err == nil {
				s.board.setProblem(b.name, "")
				return
			}
			s.log.Warn("discovery backend failed", "backend", b.name, "error", err)
			s.board.setProblem(b.name, b.trouble)
		},
	}
}

// Peers gives the computers that are there now, by name.
func (s *Service) Peers() []model.Peer { return s.board.list() }

// Next waits until the list is newer than the revision from, and gives it with
// its revision. Begin with 0. The error is that of ctx.
func (s *Service) Next(ctx context.Context, from uint64) ([]model.Peer, uint64, error) {
	return s.board.next(ctx, from)
}

// State says how looking goes.
func (s *Service) State() State { return s.board.snapshot() }

// Add keeps a typed address in the list, also over restarts, until it is
// forgotten. It gives the peer as known after a short wait for its answer, and
// so unverified when it is silent. The error is a *model.Problem with the code
// bad_input, not_found or cancelled.
func (s *Service) Add(ctx context.Context, address string) (model.Peer, error) {
	typed, err := Resolve(ctx, address)
	if err != nil {
		return model.Peer{}, err
	}
	wait, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	reply := make(chan typedResult, 1)
	s.do(func(o *owner) { o.addTyped(wait, typed, reply) })
	select {
	case result := <-reply:
		if result.self {
			return model.Peer{}, addressProblem(model.CodeBadInput, fmt.Sprintf("%s is this program itself: type the address of the other computer.", typed.Name), nil)
		}
		return result.peer, nil
	case <-ctx.Done():
		return model.Peer{}, addressProblem(model.CodeCancelled, "Adding the computer was cancelled.", ctx.Err())
	case <-s.done:
		return model.Peer{}, addressProblem(model.CodeCancelled, "The search for computers has ended.", nil)
	}
}

// Forget drops the peer with a key of the list (model.Peer.Key), and what is
// remembered of it. One that is there is found again.
func (s *Service) Forget(key string) {
	s.do(func(o *owner) { o.forget(key) })
}

// Rescan looks anew by all means that need no permission.
func (s *Service) Rescan() {
	s.do(func(o *owner) {
		for _, r := range s.runners {
			if r.searches {
				r.again(o.table.net)
			}
		}
		o.table.change(time.Now(), o.table.net)
		o.search(time.Now())
	})
}

// Close says goodbye to all peers and waits until everything has stopped.
func (s *Service) Close() error {
	s.end()
	<-s.done
	return nil
}

// do has the owner of the table run f, unless the service ends.
func (s *Service) do(f func(*owner)) {
	select {
	case s.commands <- f:
	case <-s.life.Done():
	}
}

// look takes a snapshot of the adapters, or keeps the last one when the system
// does not give them.
func (s *Service) look(last *network) *network {
	links, err := s.opts.links()
	if err != nil {
		s.log.Warn("network adapters not listed", "error", err)
		s.board.setProblem("adapters", "This computer's network adapters could not be listed.")
		return cmp.Or(last, &network{adapters: map[netip.Addr]model.Adapter{}})
	}
	s.board.setProblem("adapters", "")
	return newNetwork(links, s.opts.Adapter)
}
