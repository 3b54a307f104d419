package engine

import (
	"testing"
	"testing/synctest"
	"time"

	"linkpace/engine/internal/sock"
	"linkpace/engine/model"
)

// onBoth runs a test in memory with fake time, and on loopback with real time.
func onBoth(t *testing.T, test func(t *testing.T, n sock.Network)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { test(t, &sock.Mem{}) })
	})
	t.Run("loopback", func(t *testing.T) { test(t, sock.Best()) })
}

func TestWholeTest(t *testing.T) {
	onBoth(t, func(t *testing.T, n sock.Network) {
		p := newPair(t, n)
		a, b := p.run(t, short())
		for name, r := range map[string]*model.Result{"initiator": a, "responder": b} {
			if r.Outcome != model.Completed || r.Problem != nil {
				t.Fatalf("%s: %s, %v", name, r.Outcome, r.Problem)
			}
			if len(r.Phases) != 4 || r.ID != a.ID || !r.SameMachine {
				t.Errorf("%s: %d phases, ID %s, same machine %v", name, len(r.Phases), r.ID, r.SameMachine)
			}
			if e := r.Effective; e.SendMethod == "" || e.SendMethod != e.PeerSendMethod || e.ReceiveMethod == "" || e.ReceiveMethod != e.PeerReceiveMethod || e.Syscalls == "" {
				t.Errorf("%s: moved by %q and %q here, %q and %q there, system calls %q", name, e.SendMethod, e.ReceiveMethod, e.PeerSendMethod, e.PeerReceiveMethod, e.Syscalls)
			}
			if r.Local.Name == r.Remote.Name || r.Remote.ID == "" || r.Remote.OS != "test" {
				t.Errorf("%s: ends %+v and %+v", name, r.Local, r.Remote)
			}
			checkSeries(t, name, r)
		}
		if a.Phases[1].Direction != model.Send || b.Phases[1].Direction != model.Receive {
			t.Errorf("first phase: %s here, %s there", a.Phases[1].Direction, b.Phases[1].Direction)
		}
		checkSameFigures(t, a, b)
		if kept := p.kept.all(); len(kept) != 1 || kept[0].ID != a.ID {
			t.Errorf("the other side kept %d results", len(kept))
		}
	})
}

// checkSeries checks that each side counted each way of each phase, that
// counters only grow, and that both sides end with the same number.
func checkSeries(t *testing.T, name string, r *model.Result) {
	t.Helper()
	type series struct {
		phase int
		side  model.Side
		dir   model.Direction
		flow  int
	}
	last := map[series]model.Sample{}
	hosts := map[model.Side]int{}
	for _, s := range r.Samples {
		if s.Host != nil {
			hosts[s.Side]++
		}
		if s.Ping > 0 {
			continue
		}
		k := series{s.Phase, s.Side, s.Dir, s.Flow}
		if before, ok := last[k]; ok && (s.Bytes < before.Bytes || s.At < before.At) {
			t.Errorf("%s: %+v goes back from %d to %d bytes", name, k, before.Bytes, s.Bytes)
		}
		last[k] = s
	}
	for i, phase := range r.Phases {
		for _, way := range []model.Direction{model.Send, model.Receive} {
			if !phase.Direction.Has(way) {
				continue
			}
			for flow := model.SumFlow; flow < 2; flow++ {
				here, there := last[series{i, model.Local, way, flow}].Bytes, last[series{i, model.Remote, way, flow}].Bytes
				if here == 0 || here != there {
					t.Errorf("%s: phase %d %s flow %d: %d bytes here, %d there", name, i, way, flow, here, there)
				}
			}
		}
	}
	if hosts[model.Local] < 10 || hosts[model.Remote] < 10 {
		t.Errorf("%s: load readings %v", name, hosts)
	}
}

// checkSameFigures checks that both sides come to the same result, for both
// count what the receiver got.
func checkSameFigures(t *testing.T, a, b *model.Result) {
	t.Helper()
	as, bs := a.Summaries(), b.Summaries()
	if len(as) != 4 || len(bs) != 4 {
		t.Fatalf("%d and %d summaries, want 4", len(as), len(bs))
	}
	for _, x := range as {
		found := false
		for _, y := range bs {
			if x.Phase == y.Phase && x.Dir == y.Dir.Flip() {
				found = true
				if x.Bytes != y.Bytes || x.Duration != y.Duration {
					t.Errorf("phase %d %s: %d bytes in %v here, %d in %v there", x.Phase, x.Dir, x.Bytes, x.Duration, y.Bytes, y.Duration)
				}
			}
		}
		if !found {
			t.Errorf("the other side has no phase %d %s", x.Phase, x.Dir.Flip())
		}
		if x.DelayLoaded == nil || x.DelayIdle == nil {
			t.Errorf("phase %d %s: delay idle %v, loaded %v", x.Phase, x.Dir, x.DelayIdle, x.DelayLoaded)
		}
		if x.CPU == nil || x.CPU.RemoteMean == 0 {
			t.Errorf("phase %d: processor %+v", x.Phase, x.CPU)
		}
	}
}

func TestRateIsHeldInFakeTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, &sock.Mem{})
		spec := short()
		spec.Phases = model.Plan([]model.Direction{model.Send}, model.DefaultIdle, 4*time.Second, 500*time.Millisecond)
		a, _ := p.run(t, spec)
		s := a.Summaries()[0]
		if s.Rate < 39.5e6 || s.Rate > 40.5e6 {
			t.Errorf("measured %v, asked for %v", s.Rate, spec.Rate)
		}
		if s.Duration < 3400*time.Millisecond || s.Duration > 3500*time.Millisecond {
			t.Errorf("measured over %v, want 3.5 s less the reading ahead", s.Duration)
		}
	})
}

func TestVerifiedTest(t *testing.T) {
	onBoth(t, func(t *testing.T, n sock.Network) {
		spec := short()
		spec.Verify = true
		spec.Streams = 1
		if a, _ := newPair(t, n).run(t, spec); a.Outcome != model.Completed {
			t.Errorf("%s, %v", a.Outcome, a.Problem)
		}
	})
}

func TestANoteIsKeptOnce(t *testing.T) {
	r := newRun("1", model.Initiator, short(), nil)
	for at, n := range []model.Note{
		{Side: model.Local, Code: "late", Text: "a"},
		{Side: model.Local, Code: "late", Text: "a"},
		{Side: model.Remote, Code: "late", Text: "a"},
		{Side: model.Local, Code: "late", Text: "b"},
	} {
		n.At = time.Duration(at)
		r.note(n)
	}
	if local, remote := r.notesOf(model.Local), r.notesOf(model.Remote); len(local) != 2 || len(remote) != 1 || local[0].At != 0 {
		t.Errorf("kept %v and %v", local, remote)
	}
}
