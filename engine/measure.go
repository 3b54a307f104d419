package engine

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"linkpace/engine/control"
	"linkpace/engine/internal/meter"
	"linkpace/engine/internal/sock"
	"linkpace/engine/model"
	"linkpace/engine/protocol/native"
	"linkpace/engine/units"
)

const (
	// tail is how long senders go on after the measured window, so that its end
	// is full for the receiver whatever the delay and the error of the clocks.
	tail = 100 * time.Millisecond
	// drain is how long a receiver then takes in what is still on its way.
	drain = 2 * time.Second
	// maxSeries is how many connections get samples of their own, and
	// maxFlowSteps how many samples they have together in one direction: a long
	// test with many connections would fill the memory of both computers.
	maxSeries    = 32
	maxFlowSteps = 20000
	// ahead is how much before the end of the window its last sample is taken,
	// so that a timer that fires late still falls inside.
	ahead = 2 * time.Millisecond
)

// measure runs phase i from the moment at on over the connections of this side.
// It returns when all of them have ended.
func (p *party) measure(ctx context.Context, i int, at time.Duration, streams map[native.FlowID]sock.Stream) []control.Total {
	spec := p.run.Spec()
	counters := meter.NewPhase(spec.Phases[i].Direction, spec.Streams)
	p.run.beginPhase(i, at)

	var flows sync.WaitGroup
	var mu sync.Mutex
	var totals []control.Total
	for id, stream := range streams {
		flows.Go(func() {
			total := p.carry(ctx, spec, i, at, id, stream, counters)
			mu.Lock()
			defer mu.Unlock()
			totals = append(totals, total)
		})
	}
	perFlow := eachFlow(spec)
	p.sample(ctx, i, at, counters, perFlow)
	flows.Wait()
	if len(streams) > 0 {
		p.run.append(p.reading(i, counters, perFlow)...) // what came after the window
	}
	return totals
}

// carry moves the payload of one connection.
func (p *party) carry(ctx context.Context, spec model.Spec, i int, at time.Duration, id native.FlowID, stream sock.Stream, counters *meter.Phase) control.Total {
	way := p.view(id.Way)
	counter := counters.Flow(way, id.Flow)
	content := native.Content{
		Block: native.BlockFor(int(spec.Block), counters.Flows(way)), Verify: spec.Verify, Random: p.random,
		Seed: p.secret.Seed(id),
	}
	if spec.Rate > 0 {
		content.Rate = max(spec.Rate/units.BitRate(counters.Flows(way)), 1)
	}
	end := at + spec.Phases[i].Duration
	var err error
	if way == model.Send {
		p.await(ctx, at)
		err = native.Send(ctx, stream, content, counter, p.clock.Local(end+tail))
	} else {
		counters.Watch(id.Flow, stream)
		err = native.Receive(ctx, stream, content, counter, p.clock.Local(end+tail+drain))
		if err == nil && p.clock.Now() < end-grace && ctx.Err() == nil {
			err = errEndedEarly
		}
	}
	total := control.Total{Way: way, Flow: id.Flow, Bytes: counter.Bytes(), Whole: err == nil}
	switch {
	case err == nil:
	case errors.Is(err, os.ErrDeadlineExceeded):
		p.note("late_payload_dropped", "Data that was still on its way two seconds after the end of a phase was dropped: something between the computers holds a long queue.")
	case ctx.Err() == nil:
		p.flowBroke(ctx, err)
	}
	return total
}

var errEndedEarly = errors.New("the sender ended before its time")

// view turns a direction of the initiator's view into this side's, or back.
func (p *party) view(way model.Direction) model.Direction {
	if p.run.Role() == model.Responder {
		return way.Flip()
	}
	return way
}

// await waits for a moment of the run.
func (p *party) await(ctx context.Context, at time.Duration) {
	timer := time.NewTimer(time.Until(p.clock.Local(at)))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// sample is the sampler of phase i: it reads all counters at every interval and
// at both edges of the measured window, and alone writes what it read to the
// log. Steps that a busy computer missed are left out, not made up for.
func (p *party) sample(ctx context.Context, i int, at time.Duration, counters *meter.Phase, perFlow bool) {
	spec := p.run.Spec()
	phase := spec.Phases[i]
	edge, end := at+phase.Warmup, at+phase.Duration-ahead
	for next := at; ; {
		p.await(ctx, next)
		if ctx.Err() != nil {
			return
		}
		p.run.append(p.reading(i, counters, perFlow)...)
		now := p.clock.Now()
		if next >= end || now >= end+ahead {
			return
		}
		step := at + ((now-at)/spec.Interval+1)*spec.Interval
		switch {
		case next < edge && now < edge && step > edge:
			next = edge
		case step > end:
			next = end
		default:
			next = step
		}
	}
}

// eachFlow reports whether connections get samples of their own.
func eachFlow(spec model.Spec) bool {
	steps := int(spec.Length() / spec.Interval)
	return spec.Streams > 1 && spec.Streams <= maxSeries && steps*spec.Streams <= maxFlowSteps
}

// reading reads everything once.
func (p *party) reading(i int, counters *meter.Phase, perFlow bool) []model.Sample {
	at := p.clock.Now()
	ways := meter.Ways(counters.Direction())
	samples := make([]model.Sample, 0, 1+len(ways))
	for _, way := range ways {
		flows, sum := counters.Read(way)
		samples = append(samples, model.Sample{At: at, Phase: i, Side: model.Local, Dir: way, Flow: model.SumFlow, Bytes: sum})
		for flow, bytes := range flows {
			if perFlow {
				samples = append(samples, model.Sample{At: at, Phase: i, Side: model.Local, Dir: way, Flow: flow, Bytes: bytes})
			}
		}
	}
	if len(ways) == 0 {
		samples = append(samples, model.Sample{At: at, Phase: i, Side: model.Local, Flow: model.SumFlow})
	}
	if host, err := p.gauge.Read(); err == nil || len(host.Cores) > 0 {
		samples[0].Host = &host
	} else {
		p.engine.config.Log.Debug("load is not readable", "err", err)
	}
	return samples
}
