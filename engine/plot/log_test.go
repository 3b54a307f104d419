package plot

import (
	"math"
	"testing"
	"time"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

func sum(phase int, at time.Duration, side model.Side, way model.Direction, bytes units.Bytes) model.Sample {
	return model.Sample{At: at, Phase: phase, Side: side, Dir: way, Flow: model.SumFlow, Bytes: bytes}
}

func sendOnly(warmup time.Duration) *Log {
	l := new(Log)
	l.SetPhases([]model.Phase{{Direction: model.Send, Warmup: warmup, Duration: 4 * time.Second}})
	return l
}

func TestSpeedComesFromTheReceiver(t *testing.T) {
	l := sendOnly(0)
	l.Add(
		sum(0, time.Second, model.Local, model.Send, 500e6), // the sender's own count
		sum(0, time.Second, model.Remote, model.Send, 100e6),
		sum(0, time.Second, model.Local, model.Receive, 0),
	)
	rate, phase, known := l.Speed(model.Send)
	if !known || phase != 0 || rate != units.RateOf(100e6, time.Second) {
		t.Errorf("got %v in phase %d (known: %v), want the remote side's 800 million bits", rate, phase, known)
	}
	if _, _, known := l.Speed(model.Receive); known {
		t.Error("a direction without bytes has a speed")
	}
}

func TestSpeedLeavesWarmUpOut(t *testing.T) {
	l := sendOnly(time.Second)
	l.Add(sum(0, time.Second, model.Remote, model.Send, 1e6))
	early, _, _ := l.Speed(model.Send)
	l.Add(sum(0, 2*time.Second, model.Remote, model.Send, 101e6), sum(0, 3*time.Second, model.Remote, model.Send, 201e6))
	late, _, _ := l.Speed(model.Send)
	if early != 0 || late != units.RateOf(100e6, time.Second) {
		t.Errorf("got %v at the end of the warm-up and %v after it", early, late)
	}
}

func TestLineIsInterruptedBetweenPhases(t *testing.T) {
	l := new(Log)
	l.SetPhases([]model.Phase{
		{Direction: model.Send, Duration: time.Second},
		{Direction: model.Both, Start: 2 * time.Second, Duration: time.Second},
	})
	l.Add(sum(0, time.Second, model.Remote, model.Send, 10), sum(1, 3*time.Second, model.Remote, model.Send, 20))
	points := l.Chart().Speed.Lines[0].Points
	if len(points) != 3 || !math.IsNaN(points[1].Value) {
		t.Fatalf("got %v, want two points with a gap between", points)
	}
	if points[2].Value != float64(units.RateOf(20, time.Second)) {
		t.Errorf("the second phase counts the bytes of the first: %v", points[2])
	}
}

func TestStrangeSamplesAreLeftOut(t *testing.T) {
	l := sendOnly(0)
	l.Add(
		sum(-1, time.Second, model.Remote, model.Send, 10),
		sum(7, time.Second, model.Remote, model.Send, 10),
		sum(0, -time.Second, model.Remote, model.Send, 10),
		sum(0, 2*time.Second, model.Remote, model.Send, 100),
		sum(0, time.Second, model.Remote, model.Send, 200),  // earlier than the last
		sum(0, 3*time.Second, model.Remote, model.Send, 50), // a counter that shrinks
		model.Sample{At: time.Second, Flow: 3, Side: model.Remote, Dir: model.Send, Bytes: 9},
	)
	if got := l.Chart().Speed.Lines[0].Points; len(got) != 1 {
		t.Errorf("got %v, want the one good point", got)
	}
}

func TestProbesDoNotInterruptTheSpeed(t *testing.T) {
	l := new(Log)
	l.SetPhases([]model.Phase{{Direction: model.Both, Duration: 4 * time.Second}})
	l.Add(
		sum(0, time.Second, model.Local, model.Receive, 10),
		model.Sample{At: 1500 * time.Millisecond, Side: model.Local, Flow: model.SumFlow, Ping: time.Millisecond},
		sum(0, 2*time.Second, model.Local, model.Receive, 20),
	)
	if points := l.Chart().Speed.Lines[1].Points; len(points) != 2 {
		t.Errorf("got %v, want two points", points)
	}
}

func TestDelayAndLoad(t *testing.T) {
	l := FromResult(gigabit())
	latest, lowest := l.Delay()
	if lowest != 300*time.Microsecond || latest < time.Millisecond {
		t.Errorf("latest %v, lowest %v", latest, lowest)
	}
	if load, known := l.Load(model.Remote); !known || load < 0.5 || load > 1 {
		t.Errorf("remote load %v (known: %v)", load, known)
	}
	if _, known := new(Log).Load(model.Remote); known {
		t.Error("a computer that told nothing has a load")
	}
}

func TestBothEndsOnOneComputerShareALine(t *testing.T) {
	r := gigabit()
	r.SameMachine = true
	c := FromResult(r).Chart()
	if len(c.Load.Lines) != 1 || c.Speed.Marks != nil {
		t.Errorf("%d processor lines and marks %v, want one line and no link", len(c.Load.Lines), c.Speed.Marks)
	}
}

func TestChartOfNothing(t *testing.T) {
	c := new(Log).Chart()
	for _, pane := range c.Panes() {
		if !(pane.Top > 0) || len(pane.Ticks) == 0 {
			t.Errorf("%s: top %v, ticks %v", pane.Title, pane.Top, pane.Ticks)
		}
	}
	if c.Span <= 0 || len(c.Times) == 0 {
		t.Errorf("span %v, times %v", c.Span, c.Times)
	}
}

func TestLinkStandsInTheChartWhenItIsNear(t *testing.T) {
	near := gigabit()
	if marks := FromResult(near).Chart().Speed.Marks; len(marks) != 1 || marks[0].Value != 1e9 {
		t.Errorf("got %v, want the link's rate", marks)
	}
	far := gigabit()
	far.Local.Adapter.Link, far.Remote.Adapter.Link = 10e9, 10e9
	if marks := FromResult(far).Chart().Speed.Marks; marks != nil {
		t.Errorf("got %v: a line ten times above the data presses it flat", marks)
	}
	wireless := gigabit()
	wireless.Remote.Adapter.Kind = model.WiFi
	if marks := FromResult(wireless).Chart().Speed.Marks; marks != nil {
		t.Errorf("got %v for a wireless end", marks)
	}
}

func TestPeakOfTheWarmUpDoesNotPressTheRestDown(t *testing.T) {
	l := sendOnly(time.Second)
	l.Add(sum(0, 100*time.Millisecond, model.Remote, model.Send, 100e6))
	if top := l.Chart().Speed.Top; top < 8e9 {
		t.Errorf("while nothing else was read the chart ends at %v", units.BitRate(top))
	}
	l.Add(sum(0, time.Second, model.Remote, model.Send, 110e6), sum(0, 2*time.Second, model.Remote, model.Send, 210e6))
	if top := l.Chart().Speed.Top; top < 800e6 || top > 1.2e9 {
		t.Errorf("the chart ends at %v, want a little over 800 million bits", units.BitRate(top))
	}
}

func TestReadingsThatAlmostCoincideMakeNoPeak(t *testing.T) {
	l := sendOnly(0)
	l.Add(
		sum(0, 100*time.Millisecond, model.Remote, model.Send, 10e6),
		sum(0, 101*time.Millisecond, model.Remote, model.Send, 12e6),
		sum(0, 200*time.Millisecond, model.Remote, model.Send, 20e6),
	)
	for _, p := range l.Chart().Speed.Lines[0].Points {
		if p.Value > 1e9 {
			t.Errorf("%v at %v", units.BitRate(p.Value), p.At)
		}
	}
}

func TestLongTestIsShownFromItsFirstMinutes(t *testing.T) {
	l := new(Log)
	l.SetPhases([]model.Phase{{Direction: model.Both, Duration: 10 * time.Hour}})
	for _, c := range []struct{ last, want time.Duration }{
		{time.Second, 2 * time.Minute}, {2 * time.Minute, 2 * time.Minute}, {3 * time.Minute, 4 * time.Minute},
		{9 * time.Minute, 16 * time.Minute}, {9 * time.Hour, 10 * time.Hour},
	} {
		l.Add(model.Sample{At: c.last, Side: model.Local, Flow: model.SumFlow, Ping: time.Millisecond})
		if got := l.Chart().Span; got != c.want {
			t.Errorf("after %v the chart has room for %v, want %v", c.last, got, c.want)
		}
	}
	if l.Span() != 10*time.Hour {
		t.Errorf("the whole test takes %v", l.Span())
	}
}
