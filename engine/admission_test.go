package engine

import (
	"context"
	"io"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"linkpace/engine/control"
	"linkpace/engine/internal/sock"
	"linkpace/engine/model"
)

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		policy control.Policy
		code   model.Code
	}{
		"nobody":   {control.AllowNobody("NAS"), model.CodePolicy},
		"stranger": {control.AllowKnown(control.MemoryPins()), model.CodePolicy},
		"broken": {control.PolicyFunc(func(context.Context, model.Peer, model.Spec) (model.Spec, error) {
			return model.Spec{}, io.ErrNoProgress
		}), model.CodeInternal},
		"greedy": {control.PolicyFunc(func(_ context.Context, _ model.Peer, s model.Spec) (model.Spec, error) {
			s.Streams = 100
			return s, nil
		}), model.CodePeerLost},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPair(t, &sock.Mem{}, func(_, b *Config) { b.Policy = c.policy })
				run, _ := p.a.Start(t.Context(), p.peer, short())
				r, err := run.Result(t.Context())
				if err != nil || r.Outcome != model.Failed || problemCode(r) != c.code || r.Problem.Text == "" {
					t.Errorf("%s, %v, %v; want code %s", r.Outcome, r.Problem, err, c.code)
				}
				if kept := p.kept.all(); len(kept) != 0 {
					t.Errorf("a refused test was kept")
				}
			})
		})
	}
}

func TestGrantedLess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, &sock.Mem{}, func(_, b *Config) {
			b.Policy = control.PolicyFunc(func(_ context.Context, _ model.Peer, s model.Spec) (model.Spec, error) {
				s.Streams = 1
				return s, nil
			})
		})
		a, b := p.run(t, short())
		if a.Asked.Streams != 2 || a.Effective.Streams != 1 || b.Effective.Streams != 1 || a.Outcome != model.Completed {
			t.Errorf("asked %d, effective %d and %d, %s %v", a.Asked.Streams, a.Effective.Streams, b.Effective.Streams, a.Outcome, a.Problem)
		}
	})
}

func TestOneTestAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := &sock.Mem{}
		p := newPair(t, net)
		third := New(Config{Name: "TV", Identity: identity(t), Machine: still{}, network: net, now: time.Now})
		first, _ := p.a.Start(t.Context(), p.peer, short())
		at(t, first, 0, 0)
		second, _ := third.Start(t.Context(), p.peer, short())
		at(t, first, 3, 100*time.Millisecond)
		if s := second.Progress().State; s != Queued {
			t.Errorf("the second test is %q, want queued", s)
		}
		r1, _ := first.Result(t.Context())
		r2, _ := second.Result(t.Context())
		if r1.Outcome != model.Completed || r2.Outcome != model.Completed {
			t.Errorf("%v, %v", r1.Problem, r2.Problem)
		}
		if r2.Phases[0].Duration == 0 || r2.Started.After(r1.Started.Add(time.Second)) {
			t.Errorf("second started %v after the first", r2.Started.Sub(r1.Started))
		}
		third.Wait()
	})
}

func TestBothStartAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := &sock.Mem{}
		p := newPair(t, net, func(a, _ *Config) { a.Policy = control.AllowAny() })
		port, err := p.a.ListenLoopback()
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		served := make(chan struct{})
		go func() { defer close(served); p.a.Serve(ctx, port) }()
		back := model.Peer{Name: "DESK", Addrs: []netip.AddrPort{port.Addr()}}
		one, _ := p.a.Start(t.Context(), p.peer, short())
		two, _ := p.b.Start(t.Context(), back, short())
		r1, _ := one.Result(t.Context())
		r2, _ := two.Result(t.Context())
		completed := 0
		for _, r := range []*model.Result{r1, r2} {
			switch {
			case r.Outcome == model.Completed:
				completed++
			case problemCode(r) != model.CodeBusy:
				t.Errorf("the one that gave way: %v", r.Problem)
			}
		}
		if completed == 0 {
			t.Errorf("neither test was done: %v; %v", r1.Problem, r2.Problem)
		}
		stop()
		<-served
	})
}

func TestChangedKeyIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, &sock.Mem{})
		peer := p.peer
		peer.ID = strings.Repeat("A", 52)
		run, _ := p.a.Start(t.Context(), peer, short())
		r, _ := run.Result(t.Context())
		if problemCode(r) != model.CodeIdentityChanged {
			t.Errorf("%v", r.Problem)
		}
	})
}
