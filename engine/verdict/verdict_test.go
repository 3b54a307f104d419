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

// Every rule has a Result that it holds for and a near miss.
func TestRules(t *testing.T) {
	local := func(a model.Adapter) func(*model.Result) {
		return func(r *model.Result) { r.Local.Adapter = a }
	}
	cable := func(link units.BitRate, duplex string) func(*model.Result) {
		return local(model.Adapter{Kind: model.Ethernet, Link: link, Duplex: duplex, MTU: 1500})
	}
	asked := func(rate units.BitRate) func(*model.Result) {
		return func(r *model.Result) { r.Asked.Rate = rate }
	}
	paced := func(algorithm string, link units.BitRate) func(*model.Result) {
		return func(r *model.Result) {
			r.Effective.Congestion, r.Local.Adapter.Link, r.Remote.Adapter.Link = algorithm, link, link
		}
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
		{"datagrams dropped by the receiver", newTest().over(model.UDP).phase(model.Send, 500*megabit).lost(9600, 400, 300), []string{verdict.DatagramsDropped}},
		{"datagrams lost on the way", newTest().over(model.UDP).phase(model.Send, 500*megabit).lost(9600, 400, 100), []string{verdict.DatagramsLost}},
		{"a lost datagram of a thousand", newTest().over(model.UDP).phase(model.Send, 500*megabit).lost(9990, 10, 0), []string{verdict.DatagramsLost}},
		{"hardly a lost datagram", newTest().over(model.UDP).phase(model.Send, 500*megabit).lost(9991, 9, 9), []string{verdict.Unexplained}},
		{"a flood that fills the link", newTest().over(model.UDP).phase(model.Send, 950*megabit).lost(9000, 1000, 0), []string{verdict.LinkFull, verdict.DatagramsLost}},

		{"as fast as asked", newTest().change(asked(100*megabit)).phase(model.Send, 100*megabit).phase(model.Receive, 98*megabit), []string{verdict.RateAsked}},
		{"slower than asked", newTest().change(asked(100*megabit)).phase(model.Send, 100*megabit).phase(model.Receive, 96*megabit), []string{verdict.Unexplained}},

		{"own load at the stop", newTest().phase(model.Send, 600*megabit).busy(model.Remote, 0.6, 0.3), []string{verdict.ProcessorLimit}},
		{"interrupts at the stop", newTest().phase(model.Send, 600*megabit).busy(model.Remote, 0.1, 0.9), []string{verdict.ProcessorLimit}},
		{"another program at the stop", newTest().phase(model.Send, 600*megabit).busy(model.Remote, 0.3, 0.1), []string{verdict.ProcessorTaken}},
		{"interrupts unknown", newTest().phase(model.Send, 600*megabit).busy(model.Remote, 0.3, -1), []string{verdict.ProcessorLimit}},
		{"another program here, the test there", newTest().phase(model.Send, 600*megabit).busy(model.Local, 0.3, 0.1).busy(model.Remote, 0.9, 0), []string{verdict.ProcessorLimit}},

		// All 175 MB have come after the first half of the window.
		{"busy after the last byte", newTest().change(func(r *model.Result) { r.Effective.Limit = 175_000_000 }).phase(model.Send, 400*megabit).half().load(model.Remote, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1), []string{verdict.Unexplained}},

		{"the receiver has no room", newTest().phase(model.Send, 600*megabit).held(0.51, 0.1, 2*time.Millisecond), []string{verdict.ReceiverLimit}},
		{"the receiver has no room at times", newTest().phase(model.Send, 600*megabit).held(0.49, 0.1, 2*time.Millisecond), []string{verdict.Unexplained}},
		{"no room because of a queue on the way", newTest().phase(model.Send, 600*megabit).held(0.9, 0, 5*time.Millisecond), []string{verdict.Unexplained}},
		{"no room on a full link", newTest().phase(model.Send, 941*megabit).held(0.9, 0, time.Millisecond), []string{verdict.LinkFull}},
		{"the send buffer is small", newTest().phase(model.Send, 600*megabit).held(0.1, 0.8, time.Millisecond), []string{verdict.SenderLimit}},
		{"held back within one machine", newTest().change(func(r *model.Result) { r.SameMachine = true }).phase(model.Send, 600*megabit).held(0.9, 0, time.Millisecond), []string{verdict.SameMachine}},

		{"bbr on a fast path", newTest().change(paced("bbr", 10*gigabit)).phase(model.Send, 6*gigabit), []string{verdict.SlowPacing}},
		{"bbr on a slow path", newTest().change(paced("bbr", 10*gigabit)).phase(model.Send, 5*gigabit), []string{verdict.Unexplained}},
		{"cubic on a fast path", newTest().change(paced("cubic", 10*gigabit)).phase(model.Send, 6*gigabit), []string{verdict.Unexplained}},
		{"bbr on a full path", newTest().change(paced("bbr", 10*gigabit)).phase(model.Send, 9.3*gigabit), []string{verdict.LinkFull}},
		{"bbr within one machine", newTest().change(paced("bbr2", 0)).change(func(r *model.Result) { r.SameMachine = true }).phase(model.Send, gigabit), []string{verdict.SameMachine, verdict.SlowPacing}},
		{"small segments are no foreign traffic", newTest().change(func(r *model.Result) { r.Asked.MSS = 100 }).phase(model.Send, 400*megabit).load(model.Remote, 800*megabit, 10*megabit, 0, 0, 0, 0), []string{verdict.Unexplained}},

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
		{newTest().over(model.UDP).phase(model.Send, 480*megabit).lost(9600, 400, 300), "NAS could not keep up: 3.00 % of the datagrams arrived there and found no room",
			"400 of 10000 did not come; 480 Mb/s (60.0 MB/s) arrived. Another 1.00 % got lost on the way."},
		{newTest().over(model.UDP).phase(model.Send, 480*megabit).lost(9600, 400, 100), "3.00 % of the datagrams got lost on the way from DESK to NAS",
			"400 of 10000 did not come; 480 Mb/s (60.0 MB/s) arrived. Another 1.00 % arrived at NAS and found no room."},
		{newTest().over(model.UDP).phase(model.Send, 480*megabit).lost(9600, 400, 400), "NAS could not keep up: 4.00 % of the datagrams arrived there and found no room",
			"400 of 10000 did not come; 480 Mb/s (60.0 MB/s) arrived."},
		{newTest().phase(model.Send, 600*megabit).busy(model.Remote, 0.25, 0.1), "Another program keeps NAS's processor busy",
			"At least one of its cores was fully busy for most of the time while receiving, but the test used only 35.0 % of a core there."},
		{newTest().phase(model.Send, 600*megabit).held(0.83, 0, time.Millisecond), "NAS holds DESK back: most of the time it had no room for more",
			"DESK to NAS: its receive window was full for 83.0 % of the time that there was something to send."},
		{newTest().ping(time.Millisecond).phase(model.Send, 500*megabit).ping(71 * time.Millisecond).programs(300 * time.Millisecond), "Fast, but it stutters when busy",
			"An answer takes 1.00 ms on the idle link and 71.0 ms under load. That is the network alone: while these computers are busy, a program on them may wait 300 ms."},
		{newTest().ping(time.Millisecond).phase(model.Send, 500*megabit).ping(71 * time.Millisecond).programs(80 * time.Millisecond), "Fast, but it stutters when busy",
			"An answer takes 1.00 ms on the idle link and 71.0 ms under load."},
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
