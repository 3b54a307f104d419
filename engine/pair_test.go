package engine

import (
	"context"
	"log/slog"
	"net/netip"
	"sync"
	"testing"
	"time"

	"linkpace/engine/control"
	"linkpace/engine/internal/sock"
	"linkpace/engine/model"
)

// pair is two engines that can reach each other, on a network in memory or on
// loopback: one argument switches a test from the fake to the real thing.
type pair struct {
	a, b *Engine
	peer model.Peer // how a sees b
	kept *keeper    // what b kept
	port *control.Port
	stop context.CancelFunc
}

// still is a machine with a load that never changes.
type still struct{}

func (still) Describe(netip.Addr) model.Endpoint { return model.Endpoint{OS: "test", Cores: 2} }
func (still) Gauge(netip.Addr) Gauge             { return still{} }
func (still) Close() error                       { return nil }
func (still) Read() (model.Host, error) {
	return model.Host{Cores: []float64{0.25, 0.75}, Own: 0.5, AdapterRx: 1, AdapterTx: 2}, nil
}

// keeper remembers the Results that an engine kept.
type keeper struct {
	mu      sync.Mutex
	results []*model.Result
}

func (k *keeper) keep(_ context.Context, r *model.Result) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.results = append(k.results, r)
	return nil
}

func (k *keeper) all() []*model.Result {
	k.mu.Lock()
	defer k.mu.Unlock()
	return append([]*model.Result(nil), k.results...)
}

type option func(a, b *Config)

func newPair(t *testing.T, n sock.Network, options ...option) *pair {
	t.Helper()
	p := &pair{kept: &keeper{}}
	a := Config{Name: "DESK", Version: "1", Identity: identity(t), Machine: still{}, network: n, now: time.Now}
	b := Config{Name: "NAS", Version: "1", Identity: identity(t), Machine: still{}, network: n, now: time.Now, Policy: control.AllowAny(), Keep: p.kept.keep}
	for _, o := range options {
		o(&a, &b)
	}
	p.a, p.b = New(a), New(b)
	port, err := control.OpenLoopback(n, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	p.port = port
	p.peer = model.Peer{Name: "NAS", Addrs: []netip.AddrPort{port.Addr()}}
	ctx, stop := context.WithCancel(context.Background())
	p.stop = stop
	served := make(chan struct{})
	go func() {
		defer close(served)
		p.b.Serve(ctx, port)
	}()
	t.Cleanup(func() {
		stop()
		<-served
		p.a.Wait()
		p.b.Wait()
	})
	return p
}

func identity(t *testing.T) *control.Identity {
	t.Helper()
	id, err := control.NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// short is a whole test in a second. A rate lets the fake time of synctest go
// on, which it does only when everybody waits.
func short() model.Spec {
	s := model.DefaultSpec()
	s.Phases = []model.Phase{{Direction: model.Idle, Duration: 100 * time.Millisecond}}
	for _, d := range []model.Direction{model.Send, model.Receive, model.Both} {
		s.Phases = append(s.Phases, model.Phase{Direction: d, Warmup: 100 * time.Millisecond, Duration: 300 * time.Millisecond})
	}
	s.Streams = 2
	s.Interval = 50 * time.Millisecond
	s.Rate = 40e6
	return s
}

// run does a whole test and returns both sides' Results.
func (p *pair) run(t *testing.T, spec model.Spec) (a, b *model.Result) {
	t.Helper()
	run, err := p.a.Start(context.Background(), p.peer, spec)
	if err != nil {
		t.Fatal(err)
	}
	return p.results(t, run)
}

func (p *pair) results(t *testing.T, run *Run) (a, b *model.Result) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	a, err := run.Result(ctx)
	if err != nil {
		t.Fatal("the run did not end:", err)
	}
	runs, err := p.b.Runs(ctx, 0)
	if err != nil {
		return a, nil
	}
	if b, err = runs[len(runs)-1].Result(ctx); err != nil {
		t.Fatal("the other side did not end:", err)
	}
	return a, b
}
