package engine

import (
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"linkpace/engine/internal/sock"
	"linkpace/engine/model"
	"linkpace/engine/protocol/native"
	"linkpace/engine/units"
)

// byUDP is short by datagrams.
func byUDP() model.Spec {
	s := short()
	s.Transport = model.UDP
	return s
}

// onAll is onBoth, and on the fastest backend of this system too.
func onAll(t *testing.T, test func(t *testing.T, n sock.Network)) {
	t.Helper()
	onBoth(t, test)
	t.Run("best", func(t *testing.T) { test(t, sock.Best()) })
}

// sumKey names a series over all flows.
type sumKey struct {
	phase int
	side  model.Side
	way   model.Direction
}

// lastSums gives the last reading of each series over all flows.
func lastSums(r *model.Result) map[sumKey]model.Sample {
	last := map[sumKey]model.Sample{}
	for _, s := range r.Samples {
		if s.Flow == model.SumFlow && s.Dir != "" && s.Ping == 0 {
			last[sumKey{s.Phase, s.Side, s.Dir}] = s
		}
	}
	return last
}

// checkDatagrams checks that in every phase what came and what is missing is what
// was sent, and returns the sums of what receivers counted.
func checkDatagrams(t *testing.T, r *model.Result) (all model.Sample) {
	t.Helper()
	sums := lastSums(r)
	for i, phase := range r.Phases {
		for _, way := range []model.Direction{model.Send, model.Receive} {
			if !phase.Direction.Has(way) {
				continue
			}
			receiver := model.Receiver(way)
			came, sent := sums[sumKey{i, receiver, way}], sums[sumKey{i, receiver.Flip(), way}]
			if came.Packets+came.Lost != sent.Packets {
				t.Errorf("phase %d %s: %d sent, %d came and %d lost", i, way, sent.Packets, came.Packets, came.Lost)
			}
			if want := int64(came.Packets) * int64(r.Effective.Block); int64(came.Bytes) != want {
				t.Errorf("phase %d %s: %d bytes in %d datagrams, want %d", i, way, came.Bytes, came.Packets, want)
			}
			all.Packets += came.Packets
			all.Lost += came.Lost
			all.Late += came.Late
			all.Duplicated += came.Duplicated
			all.Dropped += came.Dropped
		}
	}
	if all.Packets == 0 {
		t.Error("no datagram came at all")
	}
	return all
}

func TestWholeTestByUDP(t *testing.T) {
	onAll(t, func(t *testing.T, n sock.Network) {
		a, b := newPair(t, n).run(t, byUDP())
		for name, r := range map[string]*model.Result{"initiator": a, "responder": b} {
			if r.Outcome != model.Completed || r.Problem != nil {
				t.Fatalf("%s: %s, %v", name, r.Outcome, r.Problem)
			}
			if r.Effective.Block != 1472 || r.Asked.Block != 0 || r.Effective.SendMethod == "" || r.Effective.PeerReceiveMethod == "" {
				t.Errorf("%s: asked for %d bytes, got %+v", name, r.Asked.Block, r.Effective)
			}
			if got := checkDatagrams(t, r); got.Lost+got.Late+got.Duplicated+got.Dropped > 0 {
				t.Errorf("%s: %+v", name, got)
			}
			if n.Name() != "memory" {
				continue // a busy computer sends when it can
			}
			for _, s := range r.Summaries() {
				if s.Rate < 39.8e6 || s.Rate > 40.2e6 || s.Loss == nil || *s.Loss != 0 || s.Jitter == nil {
					t.Errorf("%s: phase %d %s: %v, loss %v", name, s.Phase, s.Dir, s.Rate, s.Loss)
				}
			}
		}
	})
}

func TestVerifiedTestByUDP(t *testing.T) {
	onAll(t, func(t *testing.T, n sock.Network) {
		spec := byUDP()
		spec.Verify, spec.Block = true, 1000
		a, _ := newPair(t, n).run(t, spec)
		if a.Outcome != model.Completed || a.Effective.Block != 1000 {
			t.Errorf("%s, %v, %d bytes", a.Outcome, a.Problem, a.Effective.Block)
		}
		checkDatagrams(t, a)
	})
}

func TestLimitByUDP(t *testing.T) {
	onAll(t, func(t *testing.T, n sock.Network) {
		spec := byUDP()
		spec.Block, spec.Limit, spec.Rate = 1000, 20_000, 1e6
		a, _ := newPair(t, n).run(t, spec)
		for key, s := range lastSums(a) {
			short := s.Packets < 20 && n.Name() == "memory" // elsewhere a busy computer may run out of time
			if short || s.Packets > 20 || s.Bytes != units.Bytes(s.Packets)*1000 {
				t.Errorf("%+v: %d datagrams, %d bytes", key, s.Packets, s.Bytes)
			}
		}
	})
}

// payload tells whether a datagram carries payload.
func payload(b []byte) bool {
	return strings.HasPrefix(string(b), native.DatagramMagic) && len(b) > native.HeaderSize
}

// everyNth gives a fate to each n-th datagram of payload and counts them.
func everyNth(n int, fate sock.Fate, count *int) func([]byte) sock.Fate {
	seen := 0
	return func(b []byte) sock.Fate {
		if !payload(b) {
			return sock.Fate{Copies: 1}
		}
		if seen++; seen%n != 0 {
			return sock.Fate{Copies: 1}
		}
		*count++
		return fate
	}
}

func TestFaultsAreCountedExactly(t *testing.T) {
	for name, c := range map[string]struct {
		fate sock.Fate
		read func(model.Sample) uint64
	}{
		"lost":       {sock.Fate{}, func(s model.Sample) uint64 { return s.Lost }},
		"duplicated": {sock.Fate{Copies: 2}, func(s model.Sample) uint64 { return s.Duplicated }},
		"late":       {sock.Fate{Copies: 1, Behind: 3}, func(s model.Sample) uint64 { return s.Late }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				done := 0
				spec := byUDP()
				net := &sock.Mem{Fault: everyNth(17, c.fate, &done)}
				a, b := newPair(t, net).run(t, spec)
				for side, r := range map[string]*model.Result{"initiator": a, "responder": b} {
					got := checkDatagrams(t, r)
					if done == 0 || c.read(got) != uint64(done) || got.Lost+got.Late+got.Duplicated != uint64(done) {
						t.Errorf("%s: %d of %s, counted %+v", side, done, name, got)
					}
				}
			})
		})
	}
}

func TestAllThatEndsIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lost := 0
		net := &sock.Mem{Fault: func(b []byte) sock.Fate {
			if strings.HasPrefix(string(b), native.DatagramMagic) && (len(b) == native.HeaderSize || b[15]%16 > 12) {
				if len(b) > native.HeaderSize {
					lost++
				}
				return sock.Fate{}
			}
			return sock.Fate{Copies: 1}
		}}
		spec := byUDP()
		spec.Streams = 1
		spec.Phases = spec.Phases[:2]
		a, _ := newPair(t, net).run(t, spec)
		if a.Outcome != model.Completed {
			t.Fatalf("%s, %v", a.Outcome, a.Problem)
		}
		if got := checkDatagrams(t, a); lost == 0 || got.Lost != uint64(lost) {
			t.Errorf("%d lost, counted %+v", lost, got)
		}
	})
}

func TestOpeningsMayGetLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opened := 0
		net := &sock.Mem{Fault: func(b []byte) sock.Fate {
			if strings.HasPrefix(string(b), native.OpeningMagic) {
				if opened++; opened <= 7 { // openings and echoes of both flows
					return sock.Fate{}
				}
			}
			return sock.Fate{Copies: 1}
		}}
		spec := byUDP()
		spec.Phases = spec.Phases[:3]
		a, _ := newPair(t, net).run(t, spec)
		if a.Outcome != model.Completed {
			t.Fatalf("%s, %v", a.Outcome, a.Problem)
		}
		checkDatagrams(t, a)
	})
}

func TestUDPDoesNotGetThrough(t *testing.T) {
	for name, kind := range map[string]string{"there": "LPU?", "back": "LPU!"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				net := &sock.Mem{Fault: func(b []byte) sock.Fate {
					if strings.HasPrefix(string(b), kind) {
						return sock.Fate{}
					}
					return sock.Fate{Copies: 1}
				}}
				a, b := newPair(t, net).run(t, byUDP())
				for side, r := range map[string]*model.Result{"initiator": a, "responder": b} {
					if r.Problem == nil || r.Problem.Code != model.CodeUnreachable || !strings.Contains(r.Problem.Text, "UDP") {
						t.Errorf("%s: %s, %v", side, r.Outcome, r.Problem)
					}
				}
				if a.Outcome == model.Completed {
					t.Error("completed")
				}
			})
		})
	}
}

func TestCancelByUDP(t *testing.T) {
	for phase := range 4 {
		synctest.Test(t, func(t *testing.T) {
			p := newPair(t, &sock.Mem{})
			run, _ := p.a.Start(t.Context(), p.peer, byUDP())
			at(t, run, phase, 50*time.Millisecond)
			run.Cancel()
			began := time.Now()
			a, b := p.results(t, run)
			if a.Outcome != model.Cancelled || problemCode(b) != model.CodePeerStopped {
				t.Errorf("phase %d: %s, %v", phase, a.Outcome, b.Problem)
			}
			if took := time.Since(began); took > 3*time.Second {
				t.Errorf("phase %d: ended after %v", phase, took)
			}
		})
	}
}

// ownPorts is a network whose joined sockets do not share the port of the others,
// as on most systems.
type ownPorts struct{ sock.Mem }

func (n *ownPorts) Join(local, remote netip.AddrPort, t sock.Tuning) (sock.Datagrams, error) {
	if local.Port() > 50000 { // those that Listen, and so Packets, gives out
		local = netip.AddrPortFrom(local.Addr(), 0)
	}
	return n.Mem.Join(local, remote, t)
}

func TestFlowsOnPortsOfTheirOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := &ownPorts{}
		lost := 0
		net.Fault = func(b []byte) sock.Fate {
			if strings.HasPrefix(string(b), native.OpeningMagic) {
				if lost++; lost%5 == 0 {
					return sock.Fate{}
				}
			}
			return sock.Fate{Copies: 1}
		}
		a, _ := newPair(t, net).run(t, byUDP())
		if a.Outcome != model.Completed {
			t.Fatalf("%s, %v", a.Outcome, a.Problem)
		}
		if got := checkDatagrams(t, a); got.Lost > 0 {
			t.Errorf("%+v", got)
		}
	})
}
