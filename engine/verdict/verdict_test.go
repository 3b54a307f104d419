package verdict_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"linkpace/engine/model"
	"linkpace/engine/units"
	"linkpace/engine/verdict"
)

const (
	gigabit   = units.BitRate(1_000_000_000)
	megabit   = gigabit / 1000
	phaseTime = 4 * time.Second
	warmup    = 500 * time.Millisecond
)

// test builds a Result between DESK and NAS, both on gigabit cables, phase by
// phase.
type test struct{ model.Result }

func newTest() *test {
	gigabitCable := model.Adapter{Name: "eth0", Kind: model.Ethernet, Link: gigabit, Duplex: "full", MTU: 1500}
	return &test{model.Result{
		Transport: model.TCP, Outcome: model.Completed,
		Local:  model.Endpoint{Name: "DESK", Adapter: gigabitCable},
		Remote: model.Endpoint{Name: "NAS", Adapter: gigabitCable},
		Phases: []model.Phase{{Direction: model.Idle, Duration: warmup}},
	}}
}

func (t *test) end() time.Duration {
	last := t.Phases[len(t.Phases)-1]
	return last.Start + last.Duration
}

// phase appends a phase in which payload goes at these rates.
func (t *test) phase(direction model.Direction, rates ...units.BitRate) *test {
	p := model.Phase{Direction: direction, Start: t.end(), Warmup: warmup, Duration: phaseTime}
	t.Phases = append(t.Phases, p)
	from, to := p.Window()
	ways := []model.Direction{direction}
	if direction == model.Both {
		ways = []model.Direction{model.Send, model.Receive}
	}
	for i, way := range ways {
		for _, at := range []time.Duration{from, to} {
			t.Samples = append(t.Samples, model.Sample{
				At: at, Phase: len(t.Phases) - 1, Side: model.Receiver(way), Dir: way, Flow: model.SumFlow, Bytes: rates[i].In(at - p.Start),
			})
		}
	}
	return t
}

// load adds four readings of a side's load to the last phase. The adapter's
// counters grow by rx and tx.
func (t *test) load(side model.Side, rx, tx units.BitRate, busy ...float64) *test {
	from, to := t.Phases[len(t.Phases)-1].Window()
	for i, share := range busy {
		at := from + (to-from)*time.Duration(i)/time.Duration(len(busy)-1)
		t.Samples = append(t.Samples, model.Sample{At: at, Phase: len(t.Phases) - 1, Side: side, Flow: model.SumFlow, Host: &model.Host{
			Cores: []float64{0.1, share}, AdapterRx: 1000 + rx.In(at), AdapterTx: 1000 + tx.In(at),
		}})
	}
	return t
}

// ping adds one probe to the last phase.
func (t *test) ping(rtt time.Duration) *test {
	from, _ := t.Phases[len(t.Phases)-1].Window()
	t.Samples = append(t.Samples, model.Sample{At: from, Phase: len(t.Phases) - 1, Side: model.Local, Flow: model.SumFlow, Ping: rtt})
	return t
}

func (t *test) change(change func(*model.Result)) *test {
	change(&t.Result)
	return t
}

func (t *test) codes() []string {
	var codes []string
	for _, f := range verdict.Findings(&t.Result) {
		codes = append(codes, f.Code)
	}
	return codes
}

// Every rule has a Result that it holds for and a near miss.
func TestRules(t *testing.T) {
	local := func(a model.Adapter) func(*model.Result) {
		return func(r *model.Result) { r.Local.Adapter = a }
	}
	cable := func(link units.BitRate, duplex string) func(*model.Result) {
		return local(model.Adapter{Kind: model.Ethernet, Link: link, Duplex: duplex, MTU: 1500})
	}
	for _, c := range []struct {
		name string
		test *test
		want []string
	}{
		{"same machine", newTest().change(func(r *model.Result) { r.SameMachine = true }).phase(model.Send, 40*gigabit).change(local(model.Adapter{Kind: model.Loopback})).
			change(func(r *model.Result) { r.Remote.Adapter.Kind = model.Loopback }), []string{verdict.SameMachine}},
		{"two machines", newTest().phase(model.Send, 500*megabit), []string{verdict.Unexplained}},

		// 800 of payload bring 856 with headers; 150 more are 15 % of 1006.
		{"foreign traffic at the receiver", newTest().phase(model.Send, 800*megabit).load(model.Remote, 1006*megabit, 10*megabit, 0, 0, 0, 0), []string{verdict.ForeignTraffic}},
		{"a little foreign traffic", newTest().phase(model.Send, 800*megabit).load(model.Remote, 930*megabit, 10*megabit, 0, 0, 0, 0), []string{verdict.Unexplained}},
		{"own acknowledgements and probes", newTest().phase(model.Send, 800*megabit).load(model.Local, 20*megabit, 850*megabit, 0, 0, 0, 0), []string{verdict.Unexplained}},
		{"no counters", newTest().phase(model.Send, 800*megabit).load(model.Local, 0, 0, 0, 0, 0, 0), []string{verdict.Unexplained}},

		{"linked at 100", newTest().change(cable(100*megabit, "full")).phase(model.Send, 60*megabit), []string{verdict.SlowLink}},
		{"linked at 1000", newTest().change(cable(gigabit, "full")).phase(model.Send, 60*megabit), []string{verdict.Unexplained}},
		{"a virtual 100", newTest().change(local(model.Adapter{Kind: model.Virtual, Link: 100 * megabit})).phase(model.Send, 60*megabit), []string{verdict.Unexplained}},

		{"half duplex", newTest().change(cable(gigabit, "half")).phase(model.Send, 60*megabit), []string{verdict.HalfDuplex}},
		{"half duplex of a virtual adapter", newTest().change(local(model.Adapter{Kind: model.Virtual, Duplex: "half"})).phase(model.Send, 60*megabit), []string{verdict.Unexplained}},

		// 90 % of 94.1 % is 847.
		{"full", newTest().phase(model.Send, 941*megabit).phase(model.Receive, 848*megabit).phase(model.Both, 700*megabit, 700*megabit), []string{verdict.LinkFull}},
		{"nearly full", newTest().phase(model.Send, 941*megabit).phase(model.Receive, 846*megabit), []string{verdict.Unexplained}},
		{"full both ways at once", newTest().phase(model.Both, 900*megabit, 900*megabit), []string{verdict.LinkFull}},
		{"slow link and full", newTest().change(cable(100*megabit, "full")).phase(model.Send, 94*megabit), []string{verdict.SlowLink, verdict.LinkFull}},
		{"wireless rate is no ceiling", newTest().change(local(model.Adapter{Kind: model.WiFi, Link: 600 * megabit})).phase(model.Send, 590*megabit), []string{verdict.Unexplained}},

		{"a core at its stop", newTest().phase(model.Send, 600*megabit).load(model.Remote, 640*megabit, megabit, 0.5, 0.96, 0.99, 1), []string{verdict.ProcessorLimit}},
		{"a core at its stop half of the time", newTest().phase(model.Send, 600*megabit).load(model.Remote, 640*megabit, megabit, 0.5, 0.94, 0.99, 1), []string{verdict.Unexplained}},

		{"one way slow", newTest().phase(model.Send, 370*megabit).phase(model.Receive, 500*megabit), []string{verdict.OneWaySlow}},
		{"one way a little slower", newTest().phase(model.Send, 500*megabit).phase(model.Receive, 380*megabit), []string{verdict.Unexplained}},

		{"delay rises by 60", newTest().ping(time.Millisecond).phase(model.Send, 500*megabit).ping(61 * time.Millisecond), []string{verdict.DelayUnderLoad}},
		{"delay rises by 59", newTest().ping(time.Millisecond).phase(model.Send, 500*megabit).ping(60 * time.Millisecond), []string{verdict.Unexplained}},
		{"idle delay unknown", newTest().phase(model.Send, 500*megabit).ping(time.Second), []string{verdict.Unexplained}},

		{"more than the link carries", newTest().change(cable(100*megabit, "full")).phase(model.Send, 500*megabit), []string{verdict.LinkRateWrong}},
		{"jumbo packets", newTest().change(func(r *model.Result) { r.Local.Adapter.MTU, r.Remote.Adapter.MTU = 9000, 9000 }).phase(model.Send, 990*megabit), []string{verdict.LinkFull}},
		{"jumbo packets at one end only", newTest().change(func(r *model.Result) { r.Local.Adapter.MTU = 9000 }).phase(model.Send, 990*megabit), []string{verdict.LinkRateWrong}},
	} {
		if got := c.test.codes(); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestEnds(t *testing.T) {
	lost := &model.Problem{Side: model.Local, Op: "test", Code: model.CodePeerLost, Text: "NAS stopped answering."}
	for _, c := range []struct {
		name     string
		outcome  model.Outcome
		measured bool
		want     []string
		headline string
	}{
		{"failed", model.Failed, false, []string{verdict.Failed}, "The test with NAS failed"},
		{"partial", model.Partial, true, []string{verdict.EndedEarly}, "The test ended early; what was measured until then is kept"},
		{"partial without figures", model.Partial, false, []string{verdict.EndedEarly}, "The test ended before anything was measured"},
		{"cancelled", model.Cancelled, true, []string{verdict.EndedEarly}, "The test was stopped; what was measured until then is kept"},
		{"completed without figures", model.Completed, false, []string{verdict.NothingMeasured}, "Nothing was measured"},
	} {
		test := newTest().change(func(r *model.Result) { r.Outcome, r.Problem = c.outcome, lost })
		if c.measured {
			test.phase(model.Send, 500*megabit)
		}
		got := verdict.Findings(&test.Result)
		if !slices.Equal(test.codes(), c.want) || got[0].Headline != c.headline {
			t.Errorf("%s: got %+v", c.name, got)
		}
		if c.outcome != model.Completed && got[0].Detail != lost.Text {
			t.Errorf("%s: %q does not say why", c.name, got[0].Detail)
		}
	}
}

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		test     *test
		headline string
		detail   string
	}{
		{newTest().phase(model.Send, 941*megabit), "Your cable is the limit, and it is full. That is as good as 1 Gb/s gets", "DESK to NAS: 941 Mb/s (118 MB/s)."},
		{newTest().change(func(r *model.Result) { r.Local.Adapter.Link, r.Remote.Adapter.Link = 100*megabit, 100*megabit }).phase(model.Receive, 60*megabit),
			"DESK and NAS are linked at 100 Mb/s, and that caps everything at about 94.1 Mb/s", "NAS to DESK: 60.0 Mb/s (7.50 MB/s)."},
		{newTest().phase(model.Receive, 800*megabit).load(model.Local, 1006*megabit, 10*megabit, 0, 0, 0, 0),
			"Something else was using the network at DESK, at about 149 Mb/s (18.6 MB/s)", "14.8 % of what the adapter moved did not belong to the test."},
		{newTest().change(func(r *model.Result) { r.Remote.Name = "" }).phase(model.Receive, 100*megabit).load(model.Remote, megabit, 100*megabit, 1, 1, 1),
			"The other computer's processor is the limit", "At least one of its cores was fully busy for most of the time while sending."},
		{newTest().phase(model.Send, 300*megabit).phase(model.Receive, 600*megabit), "One direction is slow: DESK to NAS", "It reaches 300 Mb/s (37.5 MB/s), the other way 600 Mb/s (75.0 MB/s)."},
		{newTest().phase(model.Both, 300*megabit, 400*megabit), "Nothing on these two computers limits the link",
			"No processor was busy all the time, and what is known of the adapters does not explain the speed either."},
		{newTest().phase(model.Both, 941*megabit, 941*megabit).change(func(r *model.Result) { r.Remote.Adapter.Link = 100 * megabit }), "The link rate is reported wrongly",
			"941 Mb/s (118 MB/s) came through, but an adapter claims a link of 100 Mb/s. It is not used to judge the result."},
	} {
		got := verdict.Findings(&c.test.Result)[0]
		if got.Headline != c.headline || got.Detail != c.detail {
			t.Errorf("got  %q\n     %q\nwant %q\n     %q", got.Headline, got.Detail, c.headline, c.detail)
		}
	}
}

func TestDamagedResultIsJudgedToo(t *testing.T) {
	test := newTest().phase(model.Send, 500*megabit)
	for i := range test.Samples {
		test.Samples[i].Phase = 99
	}
	test.Samples = append(test.Samples, model.Sample{Phase: -5, Host: &model.Host{}}, model.Sample{Dir: "up"})
	if got := strings.Join(test.codes(), ""); got != verdict.NothingMeasured {
		t.Errorf("got %s", got)
	}
}
