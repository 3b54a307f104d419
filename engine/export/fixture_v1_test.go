package export_test

import (
	"time"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

const (
	ms      = time.Millisecond
	second  = time.Second
	megabit = units.BitRate(1_000_000)
)

// fixtureV1 is the Result that testdata/result-v1.json holds, with every field of
// schema 1 in use: DESK and NAS, 0.5 s idle, then 1 s for each of the three
// directions.
func fixtureV1() *model.Result {
	r := &model.Result{
		Schema: 1, ID: "3f9a2c417be05d68", Started: time.Date(2026, 11, 30, 12, 0, 0, 250_000_000, time.UTC),
		Role: model.Initiator, Protocol: model.Linkpace, Transport: model.TCP, Mode: model.ModeLink,
		Local: model.Endpoint{Name: "DESK", ID: "k7q2", Address: "192.168.1.10", OS: "Windows 11 Pro", CPU: "AMD Ryzen 7 5800X 8-Core Processor", Cores: 16, Version: "0.1.0", Backend: "portable",
			Adapter: model.Adapter{Name: "Ethernet", Kind: model.Ethernet, Link: 1000 * megabit, MTU: 1500}},
		Remote: model.Endpoint{Name: "NAS", ID: "m3x9", Address: "192.168.1.20", OS: "Debian GNU/Linux 12 (bookworm)", CPU: "Intel(R) N100", Cores: 4, Version: "0.1.0", Backend: "portable",
			Adapter: model.Adapter{Name: "wlan0", Kind: model.WiFi, Link: 1200 * megabit, Duplex: "full", MTU: 1500,
				WiFi: &model.WiFiFacts{SSID: "home & <garden>", Band: "5 GHz", Signal: -52, TxRate: 1200 * megabit, RxRate: 1080 * megabit}}},
		Notes:   []model.Note{{At: 512 * ms, Side: model.Remote, Code: "buffer", Text: "asked for a send buffer of 4 MiB, got 416 KiB"}},
		Outcome: model.Partial,
		Problem: &model.Problem{Side: model.Local, Op: "test", Code: model.CodePeerLost, Text: "NAS stopped answering. See that it is awake, and test again."},
	}
	r.Asked = model.DefaultSpec()
	r.Asked.Phases = model.Plan([]model.Direction{model.Send, model.Receive, model.Both}, 500*ms, second, 200*ms)
	r.Effective = model.Effective{Spec: r.Asked, Backend: "portable", SendMethod: "copy", ReceiveMethod: "copy", SendBuffer: 425984, ReceiveBuffer: 4 << 20, DelayPath: "udp"}
	r.Phases = append(r.Phases, r.Asked.Phases...)
	for i := 1; i < len(r.Phases); i++ {
		r.Phases[i].Start = r.Phases[i-1].Start + r.Phases[i-1].Duration
	}
	r.Samples = samples(r.Phases)
	return r
}

func samples(phases []model.Phase) []model.Sample {
	out := []model.Sample{
		{At: 100 * ms, Side: model.Local, Flow: model.SumFlow, Ping: 410 * time.Microsecond},
		{At: 120 * ms, Side: model.Local, Flow: model.SumFlow, Ping: 530 * time.Microsecond},
		{At: 499 * ms, Side: model.Remote, Flow: model.SumFlow, Host: &model.Host{Cores: []float64{0.02, 0.01, 0, 0.05}, Own: 0.01, AdapterRx: 1000, AdapterTx: 2000}},
	}
	for i, rates := range [][]units.BitRate{nil, {941 * megabit}, {712 * megabit}, {640 * megabit, 320 * megabit}} {
		if rates == nil {
			continue
		}
		from, to := phases[i].Window()
		for _, at := range []time.Duration{from, from + 400*ms, to} {
			out = append(out, phaseSamples(phases[i], i, at, rates)...)
		}
	}
	return out
}

// phaseSamples are the readings of both sides at one time.
func phaseSamples(p model.Phase, i int, at time.Duration, rates []units.BitRate) []model.Sample {
	var out []model.Sample
	ways := []model.Direction{p.Direction}
	if p.Direction == model.Both {
		ways = []model.Direction{model.Send, model.Receive}
	}
	for k, way := range ways {
		bytes := rates[k].In(at - p.Start)
		receiver := model.Receiver(way)
		out = append(out,
			model.Sample{At: at, Phase: i, Side: receiver, Dir: way, Flow: model.SumFlow, Bytes: bytes},
			model.Sample{At: at, Phase: i, Side: receiver.Flip(), Dir: way, Flow: model.SumFlow, Bytes: bytes + 65536},
			model.Sample{At: at, Phase: i, Side: receiver.Flip(), Dir: way, Flow: 0, Bytes: bytes + 65536,
				TCP: &model.TCPInfo{RTT: 2 * ms, RTTVar: 300 * time.Microsecond, Retransmits: uint64(at / (500 * ms)), Window: 1 << 20}})
	}
	return append(out,
		model.Sample{At: at, Phase: i, Side: model.Local, Flow: model.SumFlow, Ping: 3 * ms},
		model.Sample{At: at, Phase: i, Side: model.Local, Flow: model.SumFlow, Host: &model.Host{Cores: []float64{0.25, 0.125}, Own: 0.5}},
		model.Sample{At: at, Phase: i, Side: model.Remote, Flow: model.SumFlow, Host: &model.Host{Cores: []float64{0.75, 0.25}, Own: 0.875}})
}
