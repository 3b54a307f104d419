package plot

import (
	"math"
	"time"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// gigabit is a made-up test over a good gigabit cable: every figure follows
// from i, so that pictures of it never change.
func gigabit() *model.Result {
	r := &model.Result{
		Started: time.Date(2026, 11, 30, 14, 5, 0, 0, time.UTC),
		Local:   model.Endpoint{Name: "desk", ID: "a", Adapter: model.Adapter{Kind: model.Ethernet, Link: 1e9}},
		Remote:  model.Endpoint{Name: "living-room-nas", ID: "b", Adapter: model.Adapter{Kind: model.Ethernet, Link: 1e9}},
		Phases:  model.DefaultSpec().Phases,
	}
	at := time.Duration(0)
	for i := range r.Phases {
		r.Phases[i].Start = at
		r.Samples = append(r.Samples, phaseSamples(i, r.Phases[i])...)
		at += r.Phases[i].Duration + 50*time.Millisecond
	}
	return r
}

func phaseSamples(index int, p model.Phase) (samples []model.Sample) {
	const every = 100 * time.Millisecond
	var bytes units.Bytes
	for i := 1; time.Duration(i)*every <= p.Duration; i++ {
		at := p.Start + time.Duration(i)*every
		rate := units.BitRate(930e6 + 12e6*math.Sin(float64(i)))
		if i <= 4 {
			rate *= units.BitRate(i) / 5
		}
		bytes += rate.In(every)
		for _, way := range []model.Direction{model.Send, model.Receive} {
			if p.Direction.Has(way) {
				samples = append(samples, model.Sample{
					At: at, Phase: index, Side: model.Receiver(way), Dir: way, Flow: model.SumFlow, Bytes: bytes,
				})
			}
		}
		samples = append(samples, probesAndLoads(index, i, at, p.Direction != model.Idle)...)
	}
	return samples
}

func probesAndLoads(index, i int, at time.Duration, loaded bool) []model.Sample {
	ping, busy := 300*time.Microsecond, 0.05
	if loaded {
		ping = time.Duration(1500+400*math.Sin(float64(i)*1.7)) * time.Microsecond
		busy = 0.45 + 0.1*math.Sin(float64(i)/3)
	}
	return []model.Sample{
		{At: at, Phase: index, Side: model.Local, Flow: model.SumFlow, Ping: ping},
		{At: at, Phase: index, Side: model.Local, Flow: model.SumFlow, Host: &model.Host{Cores: []float64{busy, 0.1}}},
		{At: at, Phase: index, Side: model.Remote, Flow: model.SumFlow, Host: &model.Host{Cores: []float64{0.2, busy * 1.6}}},
	}
}
