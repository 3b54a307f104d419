package engine

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"linkpace/engine/control"
	"linkpace/engine/internal/meter"
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

// measure runs phase i from the moment at on over the flows of this side. It
// returns when all of them have ended.
func (p *party) measure(ctx context.Context, i int, at time.Duration, all flows, counters *meter.Phase, r *reader) control.Done {
	spec := p.run.Spec()
	p.run.beginPhase(i, at)
	workers := hire(p.engine.backend(spec), spec, len(all))
	done := control.Done{Phase: i}
	ends := newEnds(all)
	var mu sync.Mutex
	for id, f := range all {
		go func() {
			total := p.carry(ctx, workers, i, at, id, f, counters)
			mu.Lock()
			defer mu.Unlock()
			done.Totals = append(done.Totals, total)
			ends.add(id.Way)
		}()
	}
	done.Ended = p.sample(ctx, i, at, r, ends)
	ends.wait()
	p.remember(workers.dismiss())
	if len(all) > 0 {
		p.run.append(r.read()...) // what came after the window
	}
	return done
}

// carry moves the payload of one flow.
func (p *party) carry(ctx context.Context, w crew, i int, at time.Duration, id native.FlowID, f flow, counters *meter.Phase) control.Total {
	spec := p.run.Spec()
	way := p.view(id.Way)
	counter := counters.Flow(way, id.Flow)
	content := contentOf(spec, counters.Flows(way), id.Flow, p.secret.Seed(id))
	end := at + spec.Phases[i].Duration
	var err error
	if way == model.Send {
		p.await(ctx, at)
		err = f.send(ctx, w, content, counter, p.clock.Local(end+tail))
	} else {
		counters.Watch(id.Flow, f)
		err = f.receive(ctx, w, content, counter, p.clock.Local(end+tail+drain))
		if err == nil && spec.Limit == 0 && p.clock.Now() < end-grace && ctx.Err() == nil {
			err = errEndedEarly
		}
	}
	last := model.Sample{Dir: way}
	f.figures(&last)
	total := control.Total{Way: way, Flow: id.Flow, Bytes: counter.Bytes(), Packets: last.Packets, Whole: err == nil}
	switch {
	case err == nil:
	case errors.Is(err, os.ErrDeadlineExceeded):
		p.note("late_payload_dropped", "Data that was still on its way two seconds after the end of a phase was dropped: something between the computers holds a long queue.")
	case ctx.Err() == nil:
		p.flowBroke(ctx, err)
	}
	return total
}

// contentOf is what one of several flows of a direction carries: its share of
// the rate and of the limit, the first ones a byte more where it does not come
// out even.
func contentOf(spec model.Spec, among, flow int, seed uint64) native.Content {
	c := native.Content{Block: int(spec.Block), Verify: spec.Verify, Seed: seed}
	if spec.Rate > 0 {
		c.Rate = max(spec.Rate/units.BitRate(among), 1)
	}
	if spec.Limit > 0 {
		n := units.Bytes(among)
		c.Limit = max((spec.Limit+n-1-units.Bytes(flow))/n, 1)
	}
	return c
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
func (p *party) await(ctx context.Context, at time.Duration) { p.awaitStep(ctx, at, nil) }

// awaitStep waits for a moment of the run or the end of a direction; over says
// that all directions have ended.
func (p *party) awaitStep(ctx context.Context, at time.Duration, ended <-chan struct{}) (over bool) {
	timer := time.NewTimer(time.Until(p.clock.Local(at)))
	defer timer.Stop()
	select {
	case <-timer.C:
	case _, more := <-ended:
		return !more
	case <-ctx.Done():
	}
	return false
}

// sample is the sampler of phase i: it reads all counters at every interval and
// at both edges of the measured window, and alone writes what it read to the
// log. Steps that a busy computer missed are left out, not made up for. A phase
// with a limit is read when a direction has carried its amount, and no longer
// than until all have. It returns when the phase ended on this side.
func (p *party) sample(ctx context.Context, i int, at time.Duration, r *reader, ends *ends) time.Duration {
	spec := p.run.Spec()
	phase := spec.Phases[i]
	edges := []time.Duration{at + phase.Warmup, at + phase.Duration - phase.Cooldown - ahead}
	end := at + phase.Duration - ahead
	var reached <-chan struct{} // never, where nothing but time ends a phase
	if spec.Limit > 0 && phase.Direction != model.Idle {
		reached = ends.each
	}
	for next := at; ; {
		over := p.awaitStep(ctx, next, reached)
		if ctx.Err() != nil {
			return at + phase.Duration
		}
		samples := r.read()
		p.run.append(samples...)
		now := p.clock.Now()
		switch {
		case next >= end || now >= end+ahead:
			return at + phase.Duration
		case over:
			return samples[0].At
		}
		step := min(at+((now-at)/spec.Interval+1)*spec.Interval, end)
		for _, edge := range edges {
			if next < edge && now < edge && step > edge {
				step = edge
			}
		}
		next = step
	}
}

// eachFlow reports whether flows get samples of their own.
func eachFlow(spec model.Spec) bool {
	steps := int(spec.Length() / spec.Interval)
	return spec.Streams > 1 && spec.Streams <= maxSeries && steps*spec.Streams <= maxFlowSteps
}
