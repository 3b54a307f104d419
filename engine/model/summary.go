package model

import (
	"math"
	"time"

	"linkpace/engine/units"
)

// Summary is what one direction of one phase comes to. It is computed from the
// samples whenever it is needed and never kept as truth.
type Summary struct {
	// Phase is the index into the Result's phases.
	Phase int `json:"phase"`
	// Direction is that of the phase; a phase "both" has two summaries.
	Direction Direction `json:"direction"`
	// Dir is the way that this summary counts: Send or Receive.
	Dir      Direction `json:"dir"`
	Sender   Side      `json:"sender"`
	Receiver Side      `json:"receiver"`
	// Bytes is the payload that the receiver got between its first and its last
	// reading inside the measured window.
	Bytes units.Bytes `json:"bytes"`
	// SenderBytes is what the sender counted in the same window: a detail, never
	// the result.
	SenderBytes units.Bytes `json:"sender_bytes,omitempty"`
	// Duration is the time between the two readings of Bytes.
	Duration time.Duration `json:"duration_ns"`
	Rate     units.BitRate `json:"rate_bps"`
	// Min, Max and Deviation (the standard deviation) are of the rates between
	// readings inside the window.
	Min       units.BitRate `json:"min_bps"`
	Max       units.BitRate `json:"max_bps"`
	Deviation units.BitRate `json:"stddev_bps"`
	// Retransmits is what the sender's kernel sent again in the window, all
	// connections together; nil when it does not tell.
	Retransmits *uint64 `json:"retransmits,omitempty"`
	// Loss is the share of packets that did not arrive; nil without packets.
	Loss *float64 `json:"loss_ratio,omitempty"`
	// Packets arrived in the window; Lost, Late, Duplicated and Dropped are as in
	// Sample.
	Packets    uint64 `json:"packets,omitempty"`
	Lost       uint64 `json:"lost,omitempty"`
	Late       uint64 `json:"late,omitempty"`
	Duplicated uint64 `json:"duplicated,omitempty"`
	Dropped    uint64 `json:"dropped,omitempty"`
	// Jitter is the median of the receiver's readings; nil without packets.
	Jitter *time.Duration `json:"jitter_ns,omitempty"`
	// DelayIdle is the delay before any payload, DelayLoaded the delay in the
	// window; nil when nothing was probed.
	DelayIdle   *Delays `json:"delay_idle,omitempty"`
	DelayLoaded *Delays `json:"delay_loaded,omitempty"`
	CPU         *CPU    `json:"cpu,omitempty"`
	// Limited, RTT (the mean) and MinRTT are what the sender's system says of all
	// connections together; nil and zero are unknown.
	Limited *Limited      `json:"limited,omitempty"`
	RTT     time.Duration `json:"tcp_rtt_ns,omitempty"`
	MinRTT  time.Duration `json:"tcp_min_rtt_ns,omitempty"`
}

// Delays is how long round trips took. Quantiles are of the nearest rank.
type Delays struct {
	Median time.Duration `json:"median_ns"`
	P95    time.Duration `json:"p95_ns"`
	P99    time.Duration `json:"p99_ns"`
	// Count is the number of probes that came back.
	Count int `json:"count"`
	// ProgramMedian and ProgramP99 are of the same probes as a program sees them,
	// its waiting for the processors included; 0 is unknown.
	ProgramMedian time.Duration `json:"program_median_ns,omitempty"`
	ProgramP99    time.Duration `json:"program_p99_ns,omitempty"`
}

// Summaries gives one Summary for each direction of each phase that has at
// least two readings of the receiver inside its window, in order of time.
func (r *Result) Summaries() []Summary {
	log := sortLog(r)
	idle := delaysOf(log.idlePings(r.Phases))
	var all []Summary
	for i := range r.Phases {
		all = append(all, r.summarise(log, i, idle)...)
	}
	return all
}

// summarise gives the summaries of phase i.
func (r *Result) summarise(log *sorted, i int, idle *Delays) []Summary {
	phase := r.Phases[i]
	from, to := phase.Window()
	to = min(to, r.busyUntil(log, i))
	loaded := delaysOf(within(log.pings[i], from, to))
	var out []Summary
	var carried units.Bytes
	for _, way := range []Direction{Send, Receive} {
		if !phase.Direction.Has(way) {
			continue
		}
		if s, ok := r.summary(log, i, way); ok {
			s.DelayIdle, s.DelayLoaded = idle, loaded
			carried += s.Bytes
			out = append(out, s)
		}
	}
	for k := range out {
		out[k].CPU = cpuOf(log.hosts, from, min(to, log.end(i)), carried)
	}
	return out
}

// summary gives what payload and connections say of one way of phase i.
func (r *Result) summary(log *sorted, i int, way Direction) (Summary, bool) {
	from, to := r.Phases[i].Window()
	receiver := Receiver(way)
	readings := measured(r.carrying(log.sums[series{i, receiver, way}]), r.Phases[i])
	if len(readings) < 2 {
		return Summary{}, false
	}
	first, last := readings[0], readings[len(readings)-1]
	s := Summary{
		Phase: i, Direction: r.Phases[i].Direction, Dir: way,
		Sender: receiver.Flip(), Receiver: receiver,
		Bytes: max(0, last.Bytes-first.Bytes), Duration: last.At - first.At,
		Rate:        Rate(first, last),
		SenderBytes: grown(within(r.carrying(log.sums[series{i, receiver.Flip(), way}]), from, to)),
	}
	k := log.kernelOf(i, r.Phases[i], way)
	s.Retransmits, s.Limited, s.RTT, s.MinRTT = k.retransmits, k.limited, k.rtt, k.minRTT
	s.countDatagrams(readings)
	s.Min, s.Max, s.Deviation = spread(readings, r.Effective.Interval)
	return s, true
}

// carrying leaves out the readings after all that was asked for had come: a
// direction that has sent its bytes waits for the other one.
func (r *Result) carrying(readings []Sample) []Sample {
	// A limit that was dealt out to streams, or of which datagrams got lost, is
	// reached without the last bytes.
	const nearly = 0.99
	n := len(readings)
	if limit := r.Effective.Limit; n == 0 || limit <= 0 || float64(readings[n-1].Bytes) < nearly*float64(limit) {
		return readings
	}
	for n > 1 && readings[n-2].Bytes == readings[n-1].Bytes {
		n--
	}
	return readings[:n]
}

// busyUntil is when phase i had carried all that was asked for, in all its ways.
func (r *Result) busyUntil(log *sorted, i int) time.Duration {
	if r.Effective.Limit <= 0 {
		return r.Phases[i].Start + r.Phases[i].Duration
	}
	var until time.Duration
	for key, readings := range log.sums {
		if carrying := r.carrying(readings); key.phase == i && len(carrying) > 0 {
			until = max(until, carrying[len(carrying)-1].At)
		}
	}
	return until
}

// lateBy is how late the reading at the end of the window may come and still
// count: senders go on for longer than that. On a busy computer timers are late.
const lateBy = 50 * time.Millisecond

// measured gives the readings that a phase is judged by: those in its window,
// up to the one nearest to its end. Where a busy computer took less than two
// there, the whole phase has to do, its start-up included, if it went on past
// the warm-up at all.
func measured(readings []Sample, phase Phase) []Sample {
	from, to := phase.Window()
	in := within(readings, from, to)
	if late := within(readings, to+1, to+lateBy); len(in) > 0 && len(late) > 0 && late[0].At-to < to-in[len(in)-1].At {
		in = in[:len(in)+1] // the next one in the same series
	}
	if len(in) < 2 && len(readings) > 0 && readings[len(readings)-1].At > from {
		return within(readings, phase.Start, to+lateBy)
	}
	return in
}

// spread gives the lowest, highest and standard deviation of the rates between
// readings. The readings at the edges of the window follow regular ones
// closely; steps shorter than half an interval are joined with the next,
// because the rate of a millisecond says nothing.
func spread(readings []Sample, interval time.Duration) (low, high, deviation units.BitRate) {
	var rates []float64
	from := readings[0]
	for _, to := range readings[1:] {
		if step := to.At - from.At; step <= 0 || step < interval/2 {
			continue
		}
		rates = append(rates, float64(Rate(from, to)))
		from = to
	}
	if len(rates) == 0 {
		whole := Rate(readings[0], readings[len(readings)-1])
		return whole, whole, 0
	}
	least, most, sum := rates[0], rates[0], 0.0
	for _, rate := range rates {
		least, most, sum = min(least, rate), max(most, rate), sum+rate
	}
	mean, squares := sum/float64(len(rates)), 0.0
	for _, rate := range rates {
		squares += (rate - mean) * (rate - mean)
	}
	return units.BitRate(least), units.BitRate(most), units.BitRate(math.Round(math.Sqrt(squares / float64(len(rates)))))
}

func grown(readings []Sample) units.Bytes {
	if len(readings) < 2 {
		return 0
	}
	return max(0, readings[len(readings)-1].Bytes-readings[0].Bytes)
}
