// Package engine runs tests. An Engine starts them towards a Peer, answers
// those that other computers start, and hands out each as a Run, an append-only
// log that any number of readers follow at their own pace.
//
// Data goes one way: the goroutines that move payload add to their own
// counters, one sampler per run reads all counters at each interval and appends
// to the log, readers pull. Only three things flow back: start, cancel, and the
// answer to "may they?".
package engine

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"sync"
	"time"

	"linkpace/engine/control"
	"linkpace/engine/internal/clock"
	"linkpace/engine/internal/sock"
	"linkpace/engine/model"
)

// Config is what an Engine is made of.
type Config struct {
	// Name is what this computer is called, Version the program's.
	Name, Version string
	Identity      *control.Identity
	Pins          *control.Pins
	// Policy answers whether others may test with this computer. Nil refuses.
	Policy control.Policy
	// Machine is ThisMachine unless a test has its own.
	Machine Machine
	// Keep stores a Result before the run ends; its error becomes a note. Nil
	// keeps nothing.
	Keep func(context.Context, *model.Result) error
	Log  *slog.Logger

	network sock.Network     // nil is the best that this system has
	now     func() time.Time // nil is the finest clock that this system has
}

// Engine runs tests, one at a time. All methods may be called from any goroutine.
type Engine struct {
	config Config
	slot   slot

	mu      sync.Mutex
	runs    []*Run
	dropped int // runs that came before runs[0] and are no longer held
	changed chan struct{}
	active  sync.WaitGroup
}

// heldRuns is how many runs stay in memory with their samples; a program that
// runs for months serves many.
const heldRuns = 16

// New makes an Engine.
func New(c Config) *Engine {
	if c.Machine == nil {
		c.Machine = ThisMachine()
	}
	if c.Pins == nil {
		c.Pins = control.MemoryPins()
	}
	if c.Policy == nil {
		c.Policy = control.AllowNobody(c.Name)
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.network == nil {
		c.network = sock.Best()
	}
	if c.now == nil {
		c.now = clock.Finest()
	}
	return &Engine{config: c, changed: make(chan struct{})}
}

// Listen opens the port on which other computers reach this one. port 0 is the
// default one; when it is taken and not exact, another is taken.
func (e *Engine) Listen(port uint16, exact bool) (*control.Port, error) {
	return control.OpenPort(e.config.network, port, exact, e.config.Log)
}

// ListenLoopback opens a port that only this computer reaches.
func (e *Engine) ListenLoopback() (*control.Port, error) {
	return control.OpenLoopback(e.config.network, e.config.Log)
}

// Serve answers other computers on a port until ctx ends, and then closes it.
// Runs that others started end with it.
func (e *Engine) Serve(ctx context.Context, port *control.Port) error {
	return port.Serve(ctx, e.config.Identity, e.hello, func(ctx context.Context, conn *control.Conn) {
		e.respond(ctx, port, conn)
	})
}

// Start begins a test towards a peer and returns at once; whatever happens is in
// the Run. The error says that the spec cannot be carried out at all. The run
// ends early, with what it has, when ctx ends.
func (e *Engine) Start(ctx context.Context, peer model.Peer, spec model.Spec) (*Run, error) {
	if err := spec.Validate(); err != nil {
		return nil, &model.Problem{Side: model.Local, Op: "start", Code: model.CodeBadInput, Text: fmt.Sprintf("This test is not possible: %v.", err)}
	}
	from, err := bindAddress(spec.Bind)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	run := newRun(newRunID(), model.Initiator, spec, cancel)
	run.remote = model.Endpoint{Name: peer.Name, ID: peer.ID, OS: peer.OS, Version: peer.Version, Adapter: peer.Adapter}
	run.local = model.Endpoint{Name: e.config.Name, ID: e.config.Identity.ID, Version: e.config.Version}
	e.publish(run)
	e.active.Go(func() {
		defer cancel(nil)
		e.initiate(ctx, run, peer, from)
	})
	return run, nil
}

// Runs waits until there are more runs than from and returns the ones past it,
// those that other computers started included; of a long past only the last
// few. The error is that of ctx.
func (e *Engine) Runs(ctx context.Context, from int) ([]*Run, error) {
	for {
		e.mu.Lock()
		fresh, changed := e.runs[min(max(from-e.dropped, 0), len(e.runs)):], e.changed
		e.mu.Unlock()
		if len(fresh) > 0 {
			return fresh[:len(fresh):len(fresh)], nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Busy reports whether a test runs, so that others can keep quiet meanwhile.
func (e *Engine) Busy() bool { return e.slot.busyNow() }

// Wait returns when every run has ended.
func (e *Engine) Wait() { e.active.Wait() }

func (e *Engine) publish(run *Run) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.runs) == heldRuns {
		e.runs = append(make([]*Run, 0, heldRuns), e.runs[1:]...)
		e.dropped++
	}
	e.runs = append(e.runs, run)
	close(e.changed)
	e.changed = make(chan struct{})
}

// hello introduces this computer over a connection from one of its addresses.
func (e *Engine) hello(local netip.Addr) control.Hello {
	return control.Hello{
		Version: control.Version, Oldest: control.Oldest, App: e.config.Version,
		Endpoint: e.endpoint(local),
	}
}

func (e *Engine) endpoint(local netip.Addr) model.Endpoint {
	facts := e.config.Machine.Describe(local)
	facts.Name, facts.ID, facts.Version = e.config.Name, e.config.Identity.ID, e.config.Version
	facts.Backend = e.config.network.Name()
	return facts
}

// newRunID makes the word that names a run on both computers.
func newRunID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails since Go 1.24
	return hex.EncodeToString(b[:])
}

// validRunID accepts what newRunID makes, here or in another version.
func validRunID(id string) bool {
	return len(id) >= 8 && len(id) <= 64 && strings.Trim(id, "0123456789abcdef-") == ""
}
