package model

import (
	"fmt"
	"time"

	"linkpace/engine/units"
)

// Limits of a Spec. The side that pays (sends, listens, computes) may set
// tighter ones.
const (
	MaxPhases      = 8
	MaxStreams     = 128
	MinPhase       = 100 * time.Millisecond
	MaxPhase       = 10 * time.Hour
	MinInterval    = 10 * time.Millisecond
	MaxInterval    = 10 * time.Second
	MinProbe       = time.Millisecond
	MaxBlock       = units.Bytes(16 << 20)
	MaxBuffer      = units.Bytes(1 << 30)
	MinMSS         = 88 // Linux's TCP_MIN_MSS
	MaxMSS         = 32767
	MaxDSCP        = 63
	MaxThreads     = 256
	MaxCPU         = 4095
	MaxOutstanding = 64
	// MinDatagram holds the header that numbers and dates a datagram.
	MinDatagram = units.Bytes(32)
	// MaxDatagram is the largest payload of UDP over IPv4 (RFC 768, RFC 791).
	MaxDatagram    = units.Bytes(65507)
	MaxSeriesSteps = 36000
	// MaxProbes is how many delay probes both computers have the memory for.
	MaxProbes = 1_000_000
)

// Phase is one stretch of a test with one direction.
type Phase struct {
	Direction Direction `json:"direction"`
	// Start is when the phase began, since the start of the run; it is known
	// only in a Result.
	Start time.Duration `json:"start_ns"`
	// Warmup is the part at the beginning that is drawn but not measured.
	Warmup time.Duration `json:"warmup_ns"`
	// Duration is the whole length of the phase, its warm-up and cool-down
	// included.
	Duration time.Duration `json:"duration_ns"`
	// Cooldown is the part at the end that is drawn but not measured.
	Cooldown time.Duration `json:"cooldown_ns,omitempty"`
}

// Window gives the measured part of a phase, since the start of the run.
func (p Phase) Window() (from, to time.Duration) {
	return p.Start + p.Warmup, p.Start + p.Duration - p.Cooldown
}

// End gives when a phase is over, since the start of the run.
func (p Phase) End() time.Duration { return p.Start + p.Duration }

// EndAt ends a phase at a moment before its time. What was not measured at its
// edges takes no more than there is.
func (p *Phase) EndAt(at time.Duration) {
	p.Duration = at - p.Start
	p.Warmup = min(p.Warmup, p.Duration)
	p.Cooldown = min(p.Cooldown, p.Duration-p.Warmup)
}

// Spec says what a test does. Two runs with the same Spec can be compared.
type Spec struct {
	Protocol  Protocol  `json:"protocol"`
	Transport Transport `json:"transport"`
	Mode      Mode      `json:"mode"`
	Phases    []Phase   `json:"phases"`
	// Streams is the number of connections in each direction.
	Streams int `json:"streams"`
	// Block is the size of one write, with UDP the payload of one datagram; 0
	// leaves it to the backend, with UDP to what fits the path.
	Block units.Bytes `json:"block_bytes"`
	// Limit ends each direction of a phase after so many bytes, if they are sent
	// before its time is up; 0 is no limit.
	Limit units.Bytes `json:"limit_bytes,omitempty"`
	// Rate is the most that each direction sends; 0 is as fast as possible.
	Rate units.BitRate `json:"rate_bps"`
	// Interval is the time between two samples.
	Interval time.Duration `json:"interval_ns"`
	// Probe is the time between two delay probes; 0 sends none.
	Probe time.Duration `json:"probe_ns"`
	// Verify has the receiver check every byte.
	Verify bool `json:"verify"`
	// Bind is the local address or adapter to use; empty leaves it to the route.
	Bind string `json:"bind,omitempty"`
	// Family keeps the test to one version of IP; empty takes what there is.
	Family Family `json:"family,omitempty"`

	// What is asked of the payload sockets on both computers; zero leaves it to
	// the systems. Effective says what they granted.

	SendBuffer    units.Bytes `json:"send_buffer_bytes,omitempty"`
	ReceiveBuffer units.Bytes `json:"receive_buffer_bytes,omitempty"`
	// NoDelay switches Nagle's algorithm off (RFC 9293, 3.7.4).
	NoDelay bool `json:"no_delay,omitempty"`
	// MSS is the largest segment, in bytes of payload.
	MSS int `json:"mss_bytes,omitempty"`
	// DSCP marks the packets (RFC 2474), 0 to 63.
	DSCP int `json:"dscp,omitempty"`
	// Congestion names the congestion control algorithm of the senders.
	Congestion string `json:"congestion,omitempty"`

	// What is asked of the programs.

	// Backend is BackendPortable to do without the fast socket backend.
	Backend string `json:"backend_asked,omitempty"`
	// Syscalls is SyscallsPlain to do without system calls that bypass the
	// scheduler of the language.
	Syscalls string `json:"syscalls_asked,omitempty"`
	// Threads is how many threads move payload on each side; 0 leaves it to the
	// backend. There are never more than streams.
	Threads int `json:"threads,omitempty"`
	// CPUs are the processors of this computer that those threads keep to, PeerCPUs
	// those of the other one.
	CPUs     []int `json:"cpus,omitempty"`
	PeerCPUs []int `json:"peer_cpus,omitempty"`
	// Outstanding is how many reads and writes are in the system's hands at once
	// for each stream, on Windows.
	Outstanding int `json:"outstanding,omitempty"`
	// PlainDatagrams does without segmentation and coalescing of datagrams in the
	// kernel, so that each one costs what it costs a simple program.
	PlainDatagrams bool `json:"plain_datagrams,omitempty"`
}

// Defaults of a test that nobody configured.
//
// A second of warm-up: connections that start together overshoot a slow link
// within some 250 ms, a segment lost then is sent again after at least 200 ms
// (the smallest retransmission time-out of Linux, TCP_RTO_MIN), and what piled
// up behind the gap arrives at once. Half a second would end in the middle of
// that, and the measured window would begin with bytes of the time before it.
const (
	DefaultTime     = 4 * time.Second
	DefaultWarmup   = time.Second
	DefaultIdle     = 500 * time.Millisecond
	DefaultInterval = 100 * time.Millisecond
	DefaultProbe    = 20 * time.Millisecond
	DefaultStreams  = 4
)

// DefaultSpec is the test of one click: delay on the idle link, sending,
// receiving, both at once.
func DefaultSpec() Spec {
	return Spec{
		Protocol: Linkpace, Transport: TCP, Mode: ModeLink,
		Phases:   Plan([]Direction{Send, Receive, Both}, DefaultIdle, DefaultTime, DefaultWarmup),
		Streams:  DefaultStreams,
		Interval: DefaultInterval,
		Probe:    DefaultProbe,
	}
}

// Plan makes the phases of a test: the idle link for a time first, unless that is
// 0, then each direction for length, of which warmup is not measured.
func Plan(directions []Direction, idle, length, warmup time.Duration) []Phase {
	var phases []Phase
	if idle > 0 {
		phases = append(phases, Phase{Direction: Idle, Duration: idle})
	}
	for _, d := range directions {
		phases = append(phases, Phase{Direction: d, Warmup: warmup, Duration: length})
	}
	return phases
}

// Length is the time that all phases take together.
func (s Spec) Length() time.Duration {
	var sum time.Duration
	for _, p := range s.Phases {
		sum += p.Duration
	}
	return sum
}

// Flip gives the same Spec as the other side sees it.
func (s Spec) Flip() Spec {
	flipped := s
	flipped.Phases = make([]Phase, len(s.Phases))
	for i, p := range s.Phases {
		p.Direction = p.Direction.Flip()
		flipped.Phases[i] = p
	}
	flipped.CPUs, flipped.PeerCPUs = s.PeerCPUs, s.CPUs
	return flipped
}

// Validate checks that the Spec can be carried out. The error names the field,
// the value and what is accepted.
func (s Spec) Validate() error {
	switch {
	case s.Protocol != Linkpace && s.Protocol != IPerf3 && s.Protocol != NTttcp && s.Protocol != CTSTraffic:
		return badField("protocol", s.Protocol, "use linkpace, iperf3, ntttcp or ctstraffic")
	case s.Transport != TCP && s.Transport != UDP:
		return badField("transport", s.Transport, "use tcp or udp")
	case s.Mode != ModeLink && s.Mode != ModeApp:
		return badField("mode", s.Mode, "use link or app")
	case len(s.Phases) == 0 || len(s.Phases) > MaxPhases:
		return badField("number of phases", len(s.Phases), fmt.Sprintf("use 1 to %d", MaxPhases))
	case s.Streams < 1 || s.Streams > MaxStreams:
		return badField("streams", s.Streams, fmt.Sprintf("use 1 to %d", MaxStreams))
	case s.Block < 0 || s.Block > MaxBlock:
		return badField("block", s.Block.Buffer(), "use 1 byte to "+MaxBlock.Buffer())
	case s.Rate < 0:
		return badField("rate", s.Rate, "use 0 (as fast as possible) or more")
	case s.Interval < MinInterval || s.Interval > MaxInterval:
		return badField("interval", s.Interval, fmt.Sprintf("use %v to %v", MinInterval, MaxInterval))
	case s.Probe != 0 && (s.Probe < MinProbe || s.Probe > MaxInterval):
		return badField("probe interval", s.Probe, fmt.Sprintf("use 0 (none) or %v to %v", MinProbe, MaxInterval))
	}
	for _, p := range s.Phases {
		if err := p.validate(); err != nil {
			return err
		}
	}
	if err := s.validateSockets(); err != nil {
		return err
	}
	if steps := s.Length() / s.Interval; steps > MaxSeriesSteps {
		return badField("number of samples", int64(steps), fmt.Sprintf("at most %d: use a longer interval or a shorter time", MaxSeriesSteps))
	}
	if s.Probe > 0 && s.Length()/s.Probe > MaxProbes {
		return badField("number of delay probes", int64(s.Length()/s.Probe), fmt.Sprintf("at most %d: use a longer probe interval or a shorter time", MaxProbes))
	}
	return nil
}

func (p Phase) validate() error {
	switch p.Direction {
	case Send, Receive, Both, Idle:
	default:
		return fmt.Errorf("direction is %q: use send, receive, both or idle", p.Direction)
	}
	if p.Duration < MinPhase || p.Duration > MaxPhase {
		return fmt.Errorf("time is %v: use %v to %v", p.Duration, MinPhase, MaxPhase)
	}
	if p.Warmup < 0 || p.Warmup >= p.Duration {
		return fmt.Errorf("warmup is %v: use 0 or more, and less than the time of a phase (%v)", p.Warmup, p.Duration)
	}
	if p.Cooldown < 0 || p.Cooldown >= p.Duration-p.Warmup {
		return fmt.Errorf("cooldown is %v: use 0 or more, and less than what the warm-up leaves of a phase (%v)", p.Cooldown, p.Duration-p.Warmup)
	}
	return nil
}
