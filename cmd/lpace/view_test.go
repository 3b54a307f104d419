package main

import (
	"testing"
	"time"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

func TestLiveFigures(t *testing.T) {
	reading := func(at time.Duration, bytes units.Bytes, came, lost uint64) model.Sample {
		return model.Sample{At: at, Phase: 1, Side: model.Remote, Dir: model.Send, Flow: model.SumFlow, Bytes: bytes, Packets: came, Lost: lost}
	}
	for name, c := range map[string]struct {
		last model.Sample
		want string
	}{
		"tcp":             {reading(time.Second, 1_000_000, 0, 0), "8.00 Mb/s (1.00 MB/s)"},
		"udp":             {reading(time.Second, 1_000_000, 970, 30), "8.00 Mb/s (1.00 MB/s), 3.00 % lost"},
		"udp, all came":   {reading(time.Second, 1_000_000, 1000, 0), "8.00 Mb/s (1.00 MB/s), 0 % lost"},
		"another phase's": {model.Sample{Phase: 2}, "0 b/s (0 B/s)"},
	} {
		var f figures
		f.add(reading(0, 0, 0, 0), 1)
		f.add(c.last, 1)
		if got := f.line(model.Send, 0); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestLiveRateOfALimitedAmount(t *testing.T) {
	f := figures{limit: 1_000_000}
	for at, bytes := range []units.Bytes{0, 1_000_000, 1_000_000, 1_000_000} {
		f.add(model.Sample{At: time.Duration(at) * time.Second, Side: model.Remote, Dir: model.Send, Flow: model.SumFlow, Bytes: bytes}, 0)
	}
	if got := f.rate(model.Send, 0); got != 8_000_000 {
		t.Errorf("got %v, want that of the first second", got)
	}
}

func TestLineOfAPhaseLeavesOutTheWaitAfterIt(t *testing.T) {
	var f figures
	for _, at := range []time.Duration{0, time.Second, 2 * time.Second, 4 * time.Second} {
		f.add(model.Sample{At: at, Side: model.Remote, Dir: model.Send, Flow: model.SumFlow, Bytes: units.Bytes(min(at, 2*time.Second) / 1000)}, 0)
	}
	f.end(2 * time.Second)
	if got := f.rate(model.Send, 0); got != 8_000_000 {
		t.Errorf("got %v, want that of the first two seconds", got)
	}
}

func TestLeftWords(t *testing.T) {
	for left, want := range map[time.Duration]string{
		0: "0.0 s left", 2340 * time.Millisecond: "2.3 s left", time.Minute: "60.0 s left", 10*time.Hour - 1500*time.Millisecond: "9h59m59s left",
	} {
		if got := leftWords(left); got != want {
			t.Errorf("%v: got %q, want %q", left, got, want)
		}
	}
}
