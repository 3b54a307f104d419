package control_test

import (
	"context"
	"errors"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"linkpace/engine/control"
	"linkpace/engine/model"
)

func peerAt(addr string) model.Peer {
	return model.Peer{ID: "KEY", Addrs: []netip.AddrPort{netip.AddrPortFrom(netip.MustParseAddr(addr), 1)}}
}

func TestAllowLocal(t *testing.T) {
	for addr, want := range map[string]bool{
		"192.168.1.5": true, "10.1.2.3": true, "172.16.0.1": true, "169.254.7.7": true, "fe80::1%eth0": true,
		"fd00::1": true, "127.0.0.1": true, "::ffff:192.168.0.1": true,
		"8.8.8.8": false, "2001:4860::1": false, "100.64.0.1": false,
	} {
		_, err := control.AllowLocal().Decide(context.Background(), peerAt(addr), model.DefaultSpec())
		if (err == nil) != want {
			t.Errorf("%s: %v, want allowed %v", addr, err, want)
		}
	}
}

func TestLimitsOfWhoPays(t *testing.T) {
	long := model.DefaultSpec()
	long.Interval = model.MaxInterval
	long.Phases = []model.Phase{{Direction: model.Send, Duration: model.MaxPhase}, {Direction: model.Receive, Duration: time.Hour}}
	wide := model.DefaultSpec()
	wide.Streams = 100000
	for name, spec := range map[string]model.Spec{"long": long, "wide": wide, "empty": {}} {
		if _, err := control.AllowAny().Decide(context.Background(), peerAt("10.0.0.1"), spec); err == nil {
			t.Errorf("%s: allowed", name)
		}
	}
	if _, err := control.AllowAny().Decide(context.Background(), peerAt("8.8.8.8"), model.DefaultSpec()); err != nil {
		t.Errorf("an ordinary test: %v", err)
	}
	endless := model.DefaultSpec()
	endless.Interval, endless.Probe = time.Second, time.Second
	endless.Phases = model.Plan([]model.Direction{model.Both}, model.DefaultIdle, model.MaxPhase, model.DefaultWarmup)
	if _, err := control.AllowAny().Decide(context.Background(), peerAt("10.0.0.1"), endless); err != nil {
		t.Errorf("a test without an end: %v", err)
	}
}

func TestAllowKnown(t *testing.T) {
	pins := control.MemoryPins()
	policy := control.AllowKnown(pins)
	if _, err := policy.Decide(context.Background(), peerAt("10.0.0.1"), model.DefaultSpec()); err == nil {
		t.Error("a stranger was allowed")
	}
	pins.Remember("KEY", "NAS", "somewhere")
	if _, err := policy.Decide(context.Background(), peerAt("10.0.0.1"), model.DefaultSpec()); err != nil {
		t.Errorf("a known one: %v", err)
	}
}

type asker func(context.Context) bool

func (a asker) Ask(ctx context.Context, _ model.Peer, _ model.Spec) bool { return a(ctx) }

func TestNoAnswerIsNo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		silent := asker(func(ctx context.Context) bool { <-ctx.Done(); return false })
		began := time.Now()
		_, err := control.AskFirst(silent, control.AllowAny()).Decide(t.Context(), peerAt("10.0.0.1"), model.DefaultSpec())
		var problem *model.Problem
		if !errors.As(err, &problem) || problem.Code != model.CodeDeclined {
			t.Errorf("got %v, want declined", err)
		}
		if waited := time.Since(began); waited != control.AskTime {
			t.Errorf("waited %v, want %v", waited, control.AskTime)
		}
	})
}

func TestNoHoldsForAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		policy := control.AskFirst(asker(func(context.Context) bool { asked++; return asked > 1 }), control.AllowAny())
		decide := func(addr string) error {
			from := peerAt(addr)
			from.ID = addr
			_, err := policy.Decide(t.Context(), from, model.DefaultSpec())
			return err
		}
		for range 2 {
			if decide("10.0.0.1") == nil || asked != 1 {
				t.Errorf("asked %d times about one computer, want once", asked)
			}
		}
		if decide("10.0.0.2") != nil || asked != 2 {
			t.Errorf("asked %d times, want once about another computer", asked)
		}
		time.Sleep(time.Minute)
		if decide("10.0.0.1") != nil || asked != 3 {
			t.Errorf("asked %d times, want once more after a minute", asked)
		}
	})
}

func TestAnswersCount(t *testing.T) {
	for _, yes := range []bool{true, false} {
		_, err := control.AskFirst(asker(func(context.Context) bool { return yes }), control.AllowAny()).Decide(context.Background(), peerAt("10.0.0.1"), model.DefaultSpec())
		if (err == nil) != yes {
			t.Errorf("answer %v: %v", yes, err)
		}
	}
	never := asker(func(context.Context) bool { t.Error("asked about a test that is refused anyway"); return true })
	control.AskFirst(never, control.AllowNobody("NAS")).Decide(context.Background(), peerAt("10.0.0.1"), model.DefaultSpec())
}
