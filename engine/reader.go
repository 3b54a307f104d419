package engine

import (
	"time"

	"linkpace/engine/internal/meter"
	"linkpace/engine/model"
)

// reader reads everything that one side of a phase counts. It is for one
// goroutine at a time.
type reader struct {
	party    *party
	phase    int
	counters *meter.Phase
	flows    map[model.Direction][]flow // by the view of this side and number
	perFlow  bool
	loaded   time.Duration // when the load was last read; 0 is not yet
}

// loadEvery is the least time between two readings of the load: systems count
// it in ticks of up to 15.6 ms, and a reading of less is nothing or everything.
const loadEvery = 20 * time.Millisecond

// counters makes those of phase i.
func (p *party) counters(i int) *meter.Phase {
	spec := p.run.Spec()
	return meter.NewPhase(spec.Phases[i].Direction, spec.Streams)
}

// reader makes that of phase i.
func (p *party) reader(i int, counters *meter.Phase, all flows) *reader {
	return &reader{party: p, phase: i, counters: counters, flows: p.ordered(all), perFlow: eachFlow(p.run.Spec())}
}

// ordered sorts flows by the view of this side.
func (p *party) ordered(all flows) map[model.Direction][]flow {
	sorted := map[model.Direction][]flow{}
	streams := p.run.Spec().Streams
	for id, f := range all {
		way := p.view(id.Way)
		if sorted[way] == nil {
			sorted[way] = make([]flow, streams)
		}
		sorted[way][id.Flow] = f
	}
	return sorted
}

// read reads everything once: for each way the sum, then each flow if they get
// samples of their own; the load comes with the first. Round trips that ended
// since the last time follow.
func (r *reader) read() []model.Sample {
	at := r.party.clock.Now()
	ways := meter.Ways(r.counters.Direction())
	samples := make([]model.Sample, 0, 1+len(ways))
	for _, way := range ways {
		samples = r.readWay(samples, model.Sample{At: at, Phase: r.phase, Side: model.Local, Dir: way})
	}
	if len(ways) == 0 {
		samples = append(samples, model.Sample{At: at, Phase: r.phase, Side: model.Local, Flow: model.SumFlow})
	}
	samples[0].Host = r.load(at)
	return append(samples, r.party.takeDelays()...)
}

// load reads the load of this computer; nil where it is not known or too soon.
func (r *reader) load(at time.Duration) *model.Host {
	if r.loaded > 0 && at-r.loaded < loadEvery {
		return nil
	}
	host, err := r.party.gauge.Read()
	if err != nil && len(host.Cores) == 0 {
		r.party.engine.config.Log.Debug("load is not readable", "err", err)
		return nil
	}
	r.loaded = at
	return &host
}

// readWay appends what the flows of one way count; blank holds what all samples
// have in common.
func (r *reader) readWay(samples []model.Sample, blank model.Sample) []model.Sample {
	bytes, _ := r.counters.Read(blank.Dir)
	each := make([]model.Sample, len(bytes))
	for i := range each {
		each[i] = blank
		each[i].Flow, each[i].Bytes = i, bytes[i]
		if f := r.flow(blank.Dir, i); f != nil {
			f.figures(&each[i]) // those of datagrams are one reading, bytes and all
		}
	}
	total := model.SumSamples(each)
	total.At, total.Phase, total.Side, total.Dir, total.Flow = blank.At, blank.Phase, blank.Side, blank.Dir, model.SumFlow
	samples = append(samples, total)
	if r.perFlow {
		samples = append(samples, each...)
	}
	return samples
}

func (r *reader) flow(way model.Direction, i int) flow {
	if all := r.flows[way]; i < len(all) {
		return all[i]
	}
	return nil
}
