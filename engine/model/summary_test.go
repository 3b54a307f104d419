package model_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

const ms = time.Millisecond

// reading is a sum of payload in phase 0 as the receiver of way counts it.
func reading(at time.Duration, way model.Direction, bytes units.Bytes) model.Sample {
	return model.Sample{At: at, Side: model.Receiver(way), Dir: way, Flow: model.SumFlow, Bytes: bytes}
}

func asSender(s model.Sample) model.Sample {
	s.Side = s.Side.Flip()
	return s
}

func inPhase(phase int, s model.Sample) model.Sample {
	s.Phase = phase
	return s
}

func ping(at time.Duration, phase int, rtt time.Duration) model.Sample {
	return model.Sample{At: at, Phase: phase, Side: model.Local, Flow: model.SumFlow, Ping: rtt}
}

func host(at time.Duration, side model.Side, own float64, cores ...float64) model.Sample {
	return model.Sample{At: at, Side: side, Flow: model.SumFlow, Host: &model.Host{Own: own, Cores: cores}}
}

func result(phases []model.Phase, samples ...model.Sample) *model.Result {
	return &model.Result{
		Phases: phases, Samples: samples,
		Effective: model.Effective{Spec: model.Spec{Interval: 100 * ms}},
	}
}

// sendPhase starts at 1 s and is measured from 1.5 s to 2 s.
func sendPhase() []model.Phase {
	return []model.Phase{{Direction: model.Send, Start: 1000 * ms, Warmup: 500 * ms, Duration: 1000 * ms}}
}

func only(t *testing.T, r *model.Result) model.Summary {
	t.Helper()
	all := r.Summaries()
	if len(all) != 1 {
		t.Fatalf("got %d summaries, want 1: %+v", len(all), all)
	}
	return all[0]
}

func TestRateIsBytesBetweenTheReceiversStamps(t *testing.T) {
	for name, c := range map[string]struct {
		samples  []model.Sample
		bytes    units.Bytes
		duration time.Duration
		rate     units.BitRate
	}{
		"samples at both edges": {
			[]model.Sample{reading(1400*ms, model.Send, 100), reading(1500*ms, model.Send, 1000), reading(1750*ms, model.Send, 2000), reading(2000*ms, model.Send, 6000), reading(2010*ms, model.Send, 9999)},
			5000, 500 * ms, 80_000,
		},
		"ended early": {
			[]model.Sample{reading(1500*ms, model.Send, 1000), reading(1600*ms, model.Send, 2000), reading(1700*ms, model.Send, 4000)},
			3000, 200 * ms, 120_000,
		},
		"no sample at the edges": {
			[]model.Sample{reading(1490*ms, model.Send, 1), reading(1520*ms, model.Send, 1000), reading(1980*ms, model.Send, 5600), reading(2030*ms, model.Send, 9000)},
			4600, 460 * ms, 80_000,
		},
		"late at the end": {
			[]model.Sample{reading(1500*ms, model.Send, 1000), reading(1900*ms, model.Send, 2000), reading(2005*ms, model.Send, 6050), reading(2100*ms, model.Send, 9000)},
			5050, 505 * ms, 80_000,
		},
		"too late at the end": {
			[]model.Sample{reading(1500*ms, model.Send, 1000), reading(1900*ms, model.Send, 5000), reading(2060*ms, model.Send, 5100)},
			4000, 400 * ms, 80_000,
		},
		"one alone in the window": {
			[]model.Sample{reading(1000*ms, model.Send, 0), reading(1450*ms, model.Send, 1000), reading(1900*ms, model.Send, 9000), reading(2100*ms, model.Send, 9001)},
			9000, 900 * ms, 80_000,
		},
		"out of order in the log": {
			[]model.Sample{reading(2000*ms, model.Send, 6000), reading(1500*ms, model.Send, 1000)},
			5000, 500 * ms, 80_000,
		},
		"nothing came": {
			[]model.Sample{reading(1500*ms, model.Send, 1000), reading(2000*ms, model.Send, 1000)},
			0, 500 * ms, 0,
		},
		"single connections and the sender do not count": {
			[]model.Sample{
				reading(1500*ms, model.Send, 1000), reading(2000*ms, model.Send, 6000),
				{At: 1600 * ms, Side: model.Remote, Dir: model.Send, Flow: 0, Bytes: 777},
				asSender(reading(1500*ms, model.Send, 2000)), asSender(reading(2000*ms, model.Send, 9000)),
				inPhase(1, reading(1700*ms, model.Send, 88)), inPhase(-1, reading(1700*ms, model.Send, 88)),
			},
			5000, 500 * ms, 80_000,
		},
	} {
		s := only(t, result(sendPhase(), c.samples...))
		if s.Bytes != c.bytes || s.Duration != c.duration || s.Rate != c.rate {
			t.Errorf("%s: got %d bytes in %v, %v; want %d in %v, %v", name, s.Bytes, s.Duration, float64(s.Rate), c.bytes, c.duration, float64(c.rate))
		}
		if s.Direction != model.Send || s.Dir != model.Send || s.Sender != model.Local || s.Receiver != model.Remote {
			t.Errorf("%s: wrong way round: %+v", name, s)
		}
	}
}

func TestTimeAfterTheLastByteDoesNotCount(t *testing.T) {
	samples := []model.Sample{
		reading(1500*ms, model.Send, 0), reading(1600*ms, model.Send, 5000), reading(1700*ms, model.Send, 10_000),
		reading(1800*ms, model.Send, 10_000), reading(2000*ms, model.Send, 10_000),
		ping(1600*ms, 0, 1*ms), ping(1900*ms, 0, 9*ms),
		host(1700*ms, model.Local, 1, 1), host(2000*ms, model.Local, 0, 0),
	}
	for name, c := range map[string]struct {
		limit    units.Bytes
		duration time.Duration
		probes   int
		own      float64
	}{
		"no limit":          {0, 500 * ms, 2, 0.4},
		"all came":          {10_000, 200 * ms, 1, 1},
		"the last did not":  {10_050, 200 * ms, 1, 1},
		"the link stood by": {11_000, 500 * ms, 2, 0.4},
	} {
		r := result(sendPhase(), samples...)
		r.Effective.Limit = c.limit
		s := only(t, r)
		if s.Bytes != 10_000 || s.Duration != c.duration || s.DelayLoaded.Count != c.probes || math.Abs(s.CPU.LocalOwn-c.own) > 1e-9 {
			t.Errorf("%s: got %d bytes in %v, %d probes, %v cores", name, s.Bytes, s.Duration, s.DelayLoaded.Count, s.CPU.LocalOwn)
		}
	}
}

func TestNoSummaryWithoutTwoReadings(t *testing.T) {
	for name, samples := range map[string][]model.Sample{
		"none":              nil,
		"one":               {reading(1500*ms, model.Send, 1)},
		"warm-up only":      {reading(1000*ms, model.Send, 1), reading(1400*ms, model.Send, 2)},
		"other direction":   {reading(1500*ms, model.Receive, 1), reading(2000*ms, model.Receive, 2)},
		"only the sender's": {asSender(reading(1500*ms, model.Send, 1)), asSender(reading(2000*ms, model.Send, 2))},
	} {
		if all := result(sendPhase(), samples...).Summaries(); len(all) != 0 {
			t.Errorf("%s: got %+v", name, all)
		}
	}
}

func TestSpreadJoinsTheShortStepsAtTheEdges(t *testing.T) {
	// 100 ms steps of 1000, 3000 and 2000 bytes: 80, 240 and 160 kbit per
	// second; the mean is 160, the variance (6400+6400+0)/3, its root 65.32.
	// A regular reading 5 ms after the edge makes no step of its own.
	s := only(t, result(sendPhase(),
		reading(1500*ms, model.Send, 0), reading(1505*ms, model.Send, 900), reading(1600*ms, model.Send, 1000),
		reading(1700*ms, model.Send, 4000), reading(1800*ms, model.Send, 6000), reading(1803*ms, model.Send, 6001)))
	if s.Min != 80_000 || s.Max != 240_000 || s.Deviation != 65_320 {
		t.Errorf("got %v %v %v", float64(s.Min), float64(s.Max), float64(s.Deviation))
	}
	short := only(t, result(sendPhase(), reading(1500*ms, model.Send, 0), reading(1510*ms, model.Send, 100)))
	if short.Min != 80_000 || short.Max != 80_000 || short.Deviation != 0 {
		t.Errorf("a single short step: got %v %v %v", float64(short.Min), float64(short.Max), float64(short.Deviation))
	}
}

func TestBothDirectionsGiveTwoSummaries(t *testing.T) {
	phases := []model.Phase{{Direction: model.Both, Duration: 1000 * ms}}
	all := result(phases,
		reading(0, model.Send, 0), reading(1000*ms, model.Send, 1000),
		asSender(reading(0, model.Send, 0)), asSender(reading(1000*ms, model.Send, 1500)),
		reading(0, model.Receive, 0), reading(1000*ms, model.Receive, 3000),
		host(1000*ms, model.Local, 2, 1, 0.5)).Summaries()
	if len(all) != 2 {
		t.Fatalf("got %d", len(all))
	}
	sent, received := all[0], all[1]
	if sent.Dir != model.Send || sent.Rate != 8000 || sent.SenderBytes != 1500 || sent.Receiver != model.Remote || sent.Direction != model.Both {
		t.Errorf("sent: %+v", sent)
	}
	if received.Dir != model.Receive || received.Rate != 24000 || received.SenderBytes != 0 || received.Receiver != model.Local {
		t.Errorf("received: %+v", received)
	}
	// Two cores for a second over the 4000 bytes of both directions.
	if got := received.CPU.LocalPerByte; got != 2e9/4000 || sent.CPU.LocalPerByte != got {
		t.Errorf("per byte: got %v", got)
	}
}

func TestDelays(t *testing.T) {
	phases := []model.Phase{
		{Direction: model.Idle, Duration: 500 * ms},
		{Direction: model.Receive, Start: 500 * ms, Warmup: 100 * ms, Duration: 1000 * ms},
	}
	samples := []model.Sample{
		inPhase(1, reading(600*ms, model.Receive, 0)), inPhase(1, reading(1500*ms, model.Receive, 9)),
		ping(100*ms, 0, 3*ms), ping(200*ms, 0, 1*ms), ping(300*ms, 0, 2*ms), ping(501*ms, 0, 90*ms),
		ping(550*ms, 1, 80*ms), // in the warm-up
	}
	for i := range 100 {
		samples = append(samples, ping(600*ms+time.Duration(i)*ms, 1, time.Duration(100-i)*ms))
	}
	s := only(t, result(phases, samples...))
	if *s.DelayIdle != (model.Delays{Median: 2 * ms, P95: 3 * ms, P99: 3 * ms, Count: 3}) {
		t.Errorf("idle: got %+v", *s.DelayIdle)
	}
	if *s.DelayLoaded != (model.Delays{Median: 50 * ms, P95: 95 * ms, P99: 99 * ms, Count: 100}) {
		t.Errorf("loaded: got %+v", *s.DelayLoaded)
	}
}

func TestDelaysOfProgramsAreKeptApart(t *testing.T) {
	samples := []model.Sample{reading(1500*ms, model.Send, 0), reading(2000*ms, model.Send, 9)}
	for i, program := range []time.Duration{8 * ms, 0, 40 * ms, 9 * ms} {
		s := ping(1600*ms+time.Duration(i)*ms, 0, 2*ms)
		s.PingProgram = program
		samples = append(samples, s)
	}
	s := only(t, result(sendPhase(), samples...))
	if want := (model.Delays{Median: 2 * ms, P95: 2 * ms, P99: 2 * ms, Count: 4, ProgramMedian: 9 * ms, ProgramP99: 40 * ms}); *s.DelayLoaded != want {
		t.Errorf("got %+v, want %+v", *s.DelayLoaded, want)
	}
}

func TestCPUIsWeightedByTimeInsideTheWindow(t *testing.T) {
	// The window is 1.5 s to 2 s. Local readings cover 1.4-1.6 (half of it
	// inside), 1.6-1.9 and 1.9-2.1 (half inside).
	s := only(t, result(sendPhase(),
		reading(1500*ms, model.Send, 0), reading(2000*ms, model.Send, 1_000_000),
		host(1400*ms, model.Local, 9, 1, 1),
		host(1600*ms, model.Local, 1, 1, 0),
		host(1900*ms, model.Local, 2, 0.5, 0.5),
		host(2100*ms, model.Local, 0, 0, 1),
		host(2000*ms, model.Remote, 0.25, 0.2, 0.6)))
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	near("local mean", s.CPU.LocalMean, (0.1*0.5+0.3*0.5+0.1*0.5)/0.5)
	near("local busiest", s.CPU.LocalCoreMax, (0.1*1+0.3*0.5+0.1*0)/0.5)
	near("local per byte", s.CPU.LocalPerByte, (0.1*1+0.3*2+0.1*0)*1e9/1e6)
	near("remote mean", s.CPU.RemoteMean, 0.4)
	near("remote busiest", s.CPU.RemoteCoreMax, 0.6)
	near("remote per byte", s.CPU.RemotePerByte, 0.5*0.25*1e9/1e6)
	near("local own", s.CPU.LocalOwn, (0.1*1+0.3*2+0.1*0)/0.5)
	near("remote own", s.CPU.RemoteOwn, 0.25)
}

func TestInterruptsAreAveragedOverCores(t *testing.T) {
	told := host(1600*ms, model.Local, 1, 0.5, 0.5)
	told.Host.Interrupts = []float64{0.4, 0}
	silent := host(2000*ms, model.Local, 1, 0.5, 0.5)
	s := only(t, result(sendPhase(), reading(1500*ms, model.Send, 0), reading(2000*ms, model.Send, 1), told, silent))
	if s.CPU.LocalInterrupts != 0.2 || s.CPU.RemoteInterrupts != 0 {
		t.Errorf("got %v and %v, want 0.2 and nothing", s.CPU.LocalInterrupts, s.CPU.RemoteInterrupts)
	}
}

func TestCPUBoundsDamagedReadings(t *testing.T) {
	s := only(t, result(sendPhase(), reading(1500*ms, model.Send, 0), reading(2000*ms, model.Send, 1),
		host(1800*ms, model.Local, math.MaxFloat64, 5, -3), host(2000*ms, model.Local, math.MaxFloat64)))
	if s.CPU.LocalCoreMax != 1 || s.CPU.LocalMean != 0.5 || math.IsInf(s.CPU.LocalPerByte, 0) {
		t.Errorf("got %+v", *s.CPU)
	}
}

// Scripts read these names.
func TestSummaryNames(t *testing.T) {
	n, ratio, jitter := uint64(1), 0.5, time.Duration(14)
	d := &model.Delays{1, 2, 3, 4, 5, 6}
	text, err := json.Marshal(model.Summary{1, model.Both, model.Send, model.Local, model.Remote, 2, 3, 4, 5, 6, 7, 8, &n, &ratio, 9, 10, 11, 12, 13, &jitter,
		d, d, &model.CPU{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, &model.Limited{1, 2, 3}, 15, 16})
	if err != nil {
		t.Fatal(err)
	}
	const delays = `{"median_ns":1,"p95_ns":2,"p99_ns":3,"count":4,"program_median_ns":5,"program_p99_ns":6}`
	want := `{"phase":1,"direction":"both","dir":"send","sender":"local","receiver":"remote","bytes":2,"sender_bytes":3,"duration_ns":4,` +
		`"rate_bps":5,"min_bps":6,"max_bps":7,"stddev_bps":8,"retransmits":1,"loss_ratio":0.5,"packets":9,"lost":10,"late":11,"duplicated":12,"dropped":13,"jitter_ns":14,"delay_idle":` + delays + `,"delay_loaded":` + delays +
		`,"cpu":{"local_mean":1,"local_core_max":2,"remote_mean":3,"remote_core_max":4,"local_ns_per_byte":5,"remote_ns_per_byte":6,` +
		`"local_interrupts":7,"remote_interrupts":8,"local_own_cores":9,"remote_own_cores":10},` +
		`"limited":{"receiver":1,"send_buffer":2,"congestion":3},"tcp_rtt_ns":15,"tcp_min_rtt_ns":16}`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	bare, err := json.Marshal(model.Summary{})
	if err != nil || strings.Contains(string(bare), "cpu") || strings.Contains(string(bare), "retransmits") || !strings.Contains(string(bare), `"rate_bps":0`) {
		t.Errorf("a bare summary is %s (%v)", bare, err)
	}
}
