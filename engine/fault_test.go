package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"linkpace/engine/control"
	"linkpace/engine/internal/sock"
	"linkpace/engine/model"
)

// at waits until a run is in a phase and some time into it.
func at(t *testing.T, run *Run, phase int, into time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for place := (Cursor{}); ; {
		samples, result, next, err := run.Next(ctx, place)
		if err != nil || result != nil {
			t.Fatalf("the run never came to phase %d: %v", phase, err)
		}
		place = next
		for _, s := range samples {
			p := run.Progress()
			if p.Phase >= phase && s.At >= p.Phases[phase].Start+into {
				return
			}
		}
	}
}

func problemCode(r *model.Result) model.Code {
	if r.Problem == nil {
		return ""
	}
	return r.Problem.Code
}

func TestCancelAtEachStep(t *testing.T) {
	for phase := range 4 {
		for _, who := range []string{"initiator", "responder"} {
			t.Run(fmt.Sprintf("phase %d by %s", phase, who), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					p := newPair(t, &sock.Mem{})
					run, err := p.a.Start(t.Context(), p.peer, short())
					if err != nil {
						t.Fatal(err)
					}
					at(t, run, phase, 60*time.Millisecond)
					other, _ := p.b.Runs(t.Context(), 0)
					if who == "initiator" {
						run.Cancel()
					} else {
						other[0].Cancel()
					}
					a, b := p.results(t, run)
					mine, theirs := a, b
					if who == "responder" {
						mine, theirs = b, a
					}
					if mine.Outcome != model.Cancelled || problemCode(mine) != model.CodeCancelled {
						t.Errorf("who stopped it: %s, %v", mine.Outcome, mine.Problem)
					}
					if problemCode(theirs) != model.CodePeerStopped {
						t.Errorf("the other: %s, %v", theirs.Outcome, theirs.Problem)
					}
					if phase > 0 && (theirs.Outcome != model.Partial || !mine.Measured()) {
						t.Errorf("what was measured is gone: %s, %v", theirs.Outcome, mine.Measured())
					}
				})
			})
		}
	}
}

func TestCancelBeforeAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := make(chan context.Context, 1)
		p := newPair(t, &sock.Mem{}, func(_, b *Config) {
			b.Policy = control.PolicyFunc(func(ctx context.Context, _ model.Peer, s model.Spec) (model.Spec, error) {
				asked <- ctx
				<-ctx.Done()
				return s, ctx.Err()
			})
		})
		run, _ := p.a.Start(t.Context(), p.peer, short())
		question := <-asked
		time.Sleep(3 * time.Second)
		if s := run.Progress().State; s != Waiting {
			t.Errorf("state %q while the person is asked, want waiting", s)
		}
		run.Cancel()
		r, err := run.Result(t.Context())
		if err != nil || r.Outcome != model.Cancelled {
			t.Errorf("%v, %v", r, err)
		}
		<-question.Done() // the question goes away on the other side
	})
}

func TestCutInMidTest(t *testing.T) {
	for phase := 1; phase < 4; phase++ {
		t.Run(fmt.Sprint("phase ", phase), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				net := &sock.Mem{}
				p := newPair(t, net)
				run, _ := p.a.Start(t.Context(), p.peer, short())
				at(t, run, phase, 100*time.Millisecond)
				net.Cut()
				cut := time.Now()
				a, b := p.results(t, run)
				if took := time.Since(cut); took > 5*time.Second {
					t.Errorf("ended %v after the cut", took)
				}
				for name, r := range map[string]*model.Result{"initiator": a, "responder": b} {
					if r.Outcome != model.Partial || problemCode(r) != model.CodePeerLost || len(r.Samples) == 0 {
						t.Errorf("%s: %s, %v, %d samples", name, r.Outcome, r.Problem, len(r.Samples))
					}
					if took := r.Phases[phase].Duration; took < 50*time.Millisecond || took > 150*time.Millisecond {
						t.Errorf("%s: the phase that was cut after 100 ms is said to have taken %v", name, took)
					}
				}
			})
		})
	}
}

// muted is a network whose streams stop carrying anything at once, without any
// error, as when a cable is pulled.
type muted struct {
	sock.Mem
	off chan struct{}
}

type mutedStream struct {
	sock.Stream
	off chan struct{}
}

func (m *muted) Dial(ctx context.Context, to netip.AddrPort, from netip.Addr, t sock.Tuning) (sock.Stream, error) {
	s, err := m.Mem.Dial(ctx, to, from, t)
	if err != nil {
		return nil, err
	}
	return &mutedStream{s, m.off}, nil
}

func (m *mutedStream) Write(b []byte) (int, error) {
	select {
	case <-m.off:
		return len(b), nil
	default:
		return m.Stream.Write(b)
	}
}

func TestSilentPeerEndsTheTestWithin5s(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := &muted{off: make(chan struct{})}
		p := newPair(t, net)
		run, _ := p.a.Start(t.Context(), p.peer, short())
		at(t, run, 1, 100*time.Millisecond)
		close(net.off) // B hears nothing any more
		began := time.Now()
		_, b := p.results(t, run)
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("both had ended after %v", took)
		}
		if b.Outcome != model.Partial || problemCode(b) != model.CodePeerLost {
			t.Errorf("responder: %s, %v", b.Outcome, b.Problem)
		}
	})
}

func TestNobodyThere(t *testing.T) {
	onBoth(t, func(t *testing.T, n sock.Network) {
		p := newPair(t, n)
		p.stop()
		p.port.Close()
		run, _ := p.a.Start(context.Background(), p.peer, short())
		r, err := run.Result(context.Background())
		if err != nil || problemCode(r) != model.CodeUnreachable || r.Outcome != model.Failed {
			t.Errorf("%v, %v", r, err)
		}
	})
}

func TestOtherProgramsOnThePort(t *testing.T) {
	for name, answer := range map[string]string{
		"HTTP": "HTTP/1.1 400 Bad Request\r\n\r\n", "iperf3": "\x09", "SSH": "SSH-2.0-x\r\n", "closes": "", "silent": "never",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				net := &sock.Mem{}
				l, _ := net.Listen(netip.AddrPort{})
				served := make(chan struct{})
				go func() {
					defer close(served)
					s, err := l.Accept()
					if err != nil {
						return
					}
					s.Read(make([]byte, 37))
					if answer == "never" {
						time.Sleep(time.Minute)
					} else {
						s.Write([]byte(answer))
					}
					s.Close()
				}()
				a := New(Config{Name: "DESK", Identity: identity(t), Machine: still{}, network: net, now: time.Now})
				run, _ := a.Start(t.Context(), model.Peer{Addrs: []netip.AddrPort{l.Addr()}}, short())
				r, _ := run.Result(t.Context())
				if problemCode(r) != model.CodeNotLinkpace {
					t.Errorf("%v", r.Problem)
				}
				l.Close()
				<-served
			})
		})
	}
}

func TestGarbageOnThePortChangesNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, n sock.Network) {
		p := newPair(t, n)
		for _, garbage := range []string{
			"GET / HTTP/1.0\r\n\r\n", "\x16\x03\x01\xff\xff" + strings.Repeat("A", 5000), "L", "LPF1" + strings.Repeat("\x00", 16), "\x00", "",
		} {
			s, err := n.Dial(context.Background(), p.port.Addr(), netip.Addr{}, sock.Tuning{})
			if err != nil {
				t.Fatal(err)
			}
			s.SetDeadline(time.Now().Add(20 * time.Second))
			s.Write([]byte(garbage))
			if garbage == "" || garbage == "L" {
				s.Close()
				continue
			}
			if n, _ := io.Copy(io.Discard, s); n > 100 {
				t.Errorf("%.10q was answered with %d bytes", garbage, n)
			}
			s.Close()
		}
		if a, _ := p.run(t, short()); a.Outcome != model.Completed {
			t.Errorf("afterwards: %s, %v", a.Outcome, a.Problem)
		}
	})
}

func TestBadSpecs(t *testing.T) {
	e := New(Config{Name: "DESK", Identity: identity(t), Machine: still{}})
	for name, change := range map[string]func(*model.Spec){
		"no streams":   func(s *model.Spec) { s.Streams = 0 },
		"many streams": func(s *model.Spec) { s.Streams = 100000 },
		"no time":      func(s *model.Spec) { s.Phases[1].Duration = 0 },
		"all warm-up":  func(s *model.Spec) { s.Phases[1].Warmup = s.Phases[1].Duration },
		"bind":         func(s *model.Spec) { s.Bind = "nowhere0" },
		"interval":     func(s *model.Spec) { s.Interval = 0 },
	} {
		spec := short()
		change(&spec)
		_, err := e.Start(context.Background(), model.Peer{}, spec)
		var problem *model.Problem
		if !errors.As(err, &problem) || problem.Code != model.CodeBadInput {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNothingIsLeftBehind(t *testing.T) {
	for name, spec := range map[string]model.Spec{"connections": short(), "datagrams": byUDP()} {
		for _, n := range []sock.Network{sock.Portable{}, sock.Best()} {
			t.Run(name+" "+n.Name(), func(t *testing.T) { leavesNothing(t, n, spec) })
		}
	}
}

func leavesNothing(t *testing.T, n sock.Network, spec model.Spec) {
	t.Helper()
	p := newPair(t, n)
	spec.Phases = spec.Phases[:2]
	p.run(t, spec)
	before := runtime.NumGoroutine()
	for i := range 10 {
		run, _ := p.a.Start(context.Background(), p.peer, spec)
		if i%2 == 0 {
			time.Sleep(time.Duration(i) * 20 * time.Millisecond)
			run.Cancel()
		}
		if _, err := run.Result(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	p.a.Wait()
	p.b.Wait()
	deadline := time.Now().Add(10 * time.Second)
	for runtime.NumGoroutine() > before && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond) // timers and closed sockets end their goroutines in a moment
	}
	if now := runtime.NumGoroutine(); now > before {
		var stacks [1 << 16]byte
		t.Errorf("%d goroutines before, %d after\n%s", before, now, stacks[:runtime.Stack(stacks[:], true)])
	}
}
