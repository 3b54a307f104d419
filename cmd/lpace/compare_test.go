package main

import (
	"strings"
	"testing"
	"time"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// oneWay is a Result of DESK and NAS in which a second of payload went one way.
func oneWay(way model.Direction, rate units.BitRate) *model.Result {
	sample := func(at time.Duration) model.Sample {
		return model.Sample{At: at, Side: model.Receiver(way), Dir: way, Flow: model.SumFlow, Bytes: rate.In(at)}
	}
	return &model.Result{
		Protocol: model.Linkpace, Transport: model.TCP, Mode: model.ModeLink,
		Local: model.Endpoint{Name: "DESK", ID: "d"}, Remote: model.Endpoint{Name: "NAS", ID: "n"},
		Phases: []model.Phase{{Direction: way, Duration: time.Second}}, Samples: []model.Sample{sample(0), sample(time.Second)},
	}
}

func TestComparison(t *testing.T) {
	const rate = units.BitRate(800_000_000)
	swapped := oneWay(model.Receive, rate/2)
	swapped.Local, swapped.Remote = swapped.Remote, swapped.Local
	app := oneWay(model.Send, rate/2)
	app.Mode = model.ModeApp
	for name, c := range map[string]struct {
		other      *model.Result
		has, hasNo string
	}{
		"slower":                {oneWay(model.Send, rate/2), "-50.0 %", "do not compare"},
		"kept by the other one": {swapped, "DESK to NAS  800 Mb/s (100 MB/s)  400 Mb/s (50.0 MB/s)  -50.0 %", "NAS to DESK"},
		"the other way":         {oneWay(model.Receive, rate), "NAS to DESK  -", "%"},
		"another mode":          {app, "The mode: link and app.", "%"},
	} {
		var out strings.Builder
		if err := writeComparison(&out, oneWay(model.Send, rate), c.other); err != nil {
			t.Fatal(err)
		}
		if text := out.String(); !strings.Contains(text, c.has) || strings.Contains(text, c.hasNo) {
			t.Errorf("%s: want %q and not %q in\n%s", name, c.has, c.hasNo, text)
		}
	}
}

func TestCompareNeedsTwoResults(t *testing.T) {
	home := t.TempDir()
	if _, _, code := lpace(t, home, "history", "compare", "3fa9"); code != exitUsage {
		t.Errorf("one ID: exit code %d", code)
	}
	if _, errOut, code := lpace(t, home, "history", "compare", "3fa9", "77c0"); code != exitFailed || !strings.Contains(errOut, "3fa9") {
		t.Errorf("unknown IDs: exit code %d, %q", code, errOut)
	}
}
