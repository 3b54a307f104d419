package discovery

import (
	"context"
	"time"
)

// backendRetry is the pause before a backend that failed is started again; a
// change of the network starts it at once.
const backendRetry = 30 * time.Second

// backend is one way of looking, or of being found. Its run works on one state
// of the network until ctx ends, and tells found whom it sees.
type backend struct {
	name string
	// searches is true for one that a rescan starts again.
	searches bool
	// trouble is the sentence for people when it fails.
	trouble string
	run     func(ctx context.Context, n *network, found func(sighting)) error
}

// runner keeps one backend going over changes of the network.
type runner struct {
	backend
	restart chan *network
	found   func(sighting)
	failed  func(error) // nil: it works again
}

// supervise runs the backend until ctx ends, one run at a time.
func (r *runner) supervise(ctx context.Context, n *network) {
	for ctx.Err() == nil {
		n = r.once(ctx, n)
	}
}

// once makes one run on n and gives the network for the next.
func (r *runner) once(ctx context.Context, n *network) (next *network) {
	run, cancel := context.WithCancel(ctx)
	defer cancel()
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		err = r.run(run, n, r.found)
	}()
	select {
	case next = <-r.restart:
		cancel()
		<-done
		return next
	case <-done:
		if ctx.Err() != nil {
			return n
		}
		r.failed(err)
	}
	defer r.failed(nil)
	select {
	case next = <-r.restart:
		return next
	case <-time.After(backendRetry):
	case <-ctx.Done():
	}
	return n
}

// again has the backend start anew on n, dropping what was asked before.
func (r *runner) again(n *network) {
	select {
	case <-r.restart:
	default:
	}
	r.restart <- n // only the owner sends, and it just made room
}
