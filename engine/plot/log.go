package plot

import (
	"math"
	"time"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// Log collects the samples of one test into series, each sample once and in the
// order in which they come. It serves one goroutine.
type Log struct {
	phases        []model.Phase
	local, remote model.Endpoint
	same          bool

	sent, received rates
	delay          []Point
	idle           time.Duration // lowest round trip so far
	localLoad      []Point
	remoteLoad     []Point
	last           time.Duration
}

// rates is the speed of one direction, computed from the receiver's counter.
type rates struct {
	points []Point
	from   model.Sample // start of the measured part of the phase
	prev   model.Sample
	begun  bool
}

// shortest is the least time between two readings that says anything of a speed:
// a late reading can be followed by one in time within a moment.
const shortest = 5 * time.Millisecond

// FromResult collects all samples of a finished test.
func FromResult(r *model.Result) *Log {
	l := new(Log)
	l.SetEnds(r.Local, r.Remote, r.SameMachine)
	l.SetPhases(r.Phases)
	l.Add(r.Samples...)
	return l
}

// SetEnds names the two computers. With same, both are this one.
func (l *Log) SetEnds(local, remote model.Endpoint, same bool) {
	l.local, l.remote, l.same = local, remote, same
}

// SetPhases tells when the phases began. The Log keeps its own copy.
func (l *Log) SetPhases(phases []model.Phase) {
	l.phases = append(l.phases[:0], phases...)
	at := time.Duration(0)
	for i := range l.phases {
		p := &l.phases[i]
		if p.Start == 0 {
			p.Start = at // not begun: it will not begin before those ahead of it end
		}
		at = p.Start + p.Duration
	}
}

// Add takes the next samples of the test.
func (l *Log) Add(samples ...model.Sample) {
	for i := range samples {
		l.add(&samples[i])
	}
}

func (l *Log) add(s *model.Sample) {
	if s.Phase < 0 || s.Phase >= len(l.phases) || s.At < 0 {
		return
	}
	l.last = max(l.last, s.At)
	if s.Ping > 0 {
		l.delay = append(l.delay, Point{s.At, float64(s.Ping)})
		if l.idle == 0 || s.Ping < l.idle {
			l.idle = s.Ping
		}
	}
	if s.Host != nil && len(s.Host.Cores) > 0 {
		l.addLoad(s)
	}
	if phase := l.phases[s.Phase]; countsPayload(s) && phase.Direction.Has(s.Dir) {
		l.rates(s.Dir).add(s, phase)
	}
}

// countsPayload is true for what the receiver of a direction counted in all.
func countsPayload(s *model.Sample) bool {
	return s.Flow == model.SumFlow && (s.Dir == model.Send || s.Dir == model.Receive) && s.Side == model.Receiver(s.Dir)
}

func (l *Log) rates(way model.Direction) *rates {
	if way == model.Send {
		return &l.sent
	}
	return &l.received
}

func (l *Log) addLoad(s *model.Sample) {
	p := Point{s.At, min(s.Host.Busiest(), 1)}
	if s.Side == model.Local {
		l.localLoad = append(l.localLoad, p)
	} else {
		l.remoteLoad = append(l.remoteLoad, p)
	}
}

func (t *rates) add(s *model.Sample, phase model.Phase) {
	if !t.begun || t.prev.Phase != s.Phase {
		t.begin(s, phase)
	}
	if s.At < t.prev.At+shortest || s.Bytes < t.prev.Bytes {
		return // the next reading covers this one's time
	}
	middle := (t.prev.At + s.At) / 2
	t.points = append(t.points, Point{middle, float64(model.Rate(t.prev, *s))})
	if warm, _ := phase.Window(); t.from.At < warm && s.At <= warm {
		t.from = *s
	}
	t.prev = *s
}

// begin starts the counter of a phase at nothing, and interrupts the line.
func (t *rates) begin(s *model.Sample, phase model.Phase) {
	if len(t.points) > 0 {
		t.points = append(t.points, Point{phase.Start, math.NaN()})
	}
	t.begun = true
	t.prev = model.Sample{At: min(phase.Start, s.At), Phase: s.Phase}
	t.from = t.prev
}

// mean is the speed of the current phase so far, its warm-up left out as soon as
// that is over.
func (t *rates) mean() (units.BitRate, int, bool) {
	if t.prev.At <= t.from.At {
		return 0, 0, false
	}
	return model.Rate(t.from, t.prev), t.prev.Phase, true
}

// Speed gives the speed so far of the latest phase with payload in direction
// way (Send or Receive) and the index of that phase. It is false before the
// first bytes.
func (l *Log) Speed(way model.Direction) (rate units.BitRate, phase int, known bool) {
	return l.rates(way).mean()
}

// Delay gives the latest round trip and the lowest so far; both are 0 when none
// was measured.
func (l *Log) Delay() (latest, lowest time.Duration) {
	if len(l.delay) == 0 {
		return 0, 0
	}
	return time.Duration(l.delay[len(l.delay)-1].Value), l.idle
}

// Load gives the share (0 to 1) of the busiest processor core of one computer
// at its latest reading. It is false when that computer did not tell.
func (l *Log) Load(side model.Side) (share float64, known bool) {
	points := l.remoteLoad
	if side == model.Local || l.same {
		points = l.localLoad
	}
	if len(points) == 0 {
		return 0, false
	}
	return points[len(points)-1].Value, true
}

// Last is the time of the latest sample.
func (l *Log) Last() time.Duration { return l.last }

// Span is how long the whole test takes, as far as it can be known yet.
func (l *Log) Span() time.Duration {
	end := max(l.last, model.MinPhase)
	for _, p := range l.phases {
		end = max(end, p.Start+p.Duration)
	}
	return end
}
