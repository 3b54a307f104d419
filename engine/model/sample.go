package model

import (
	"time"

	"linkpace/engine/units"
)

// SumFlow is the Flow of a Sample that adds up all connections.
const SumFlow = -1

// Sample is one reading. Counters only grow within a phase, so a reader that
// skips samples loses resolution, never bytes.
type Sample struct {
	// At is since the start of the run, on the initiator's monotonic clock.
	At time.Duration `json:"at_ns"`
	// Phase is the index into the Result's phases.
	Phase int `json:"phase"`
	// Side says which computer read it.
	Side Side `json:"side"`
	// Dir is the way the counted payload goes, seen from the computer that
	// keeps the Result: "send" is from local to remote, whichever side
	// counted it. It is empty for samples without payload.
	Dir Direction `json:"dir,omitempty"`
	// Flow is the connection's number, or SumFlow.
	Flow int `json:"flow"`
	// Bytes is the payload of the phase so far.
	Bytes units.Bytes `json:"bytes"`

	Packets uint64 `json:"packets,omitempty"`
	Lost    uint64 `json:"lost,omitempty"`
	Late    uint64 `json:"late,omitempty"`

	TCP *TCPInfo `json:"tcp,omitempty"`
	// Ping is the round trip of one delay probe; 0 where the sample is none.
	Ping time.Duration `json:"ping_ns,omitempty"`
	Host *Host         `json:"host,omitempty"`
}

// TCPInfo is what the kernel says of one connection.
type TCPInfo struct {
	RTT         time.Duration `json:"rtt_ns"`
	RTTVar      time.Duration `json:"rttvar_ns"`
	Retransmits uint64        `json:"retransmits"`
	Window      units.Bytes   `json:"cwnd_bytes"`
}

// Host is the load of one computer, averaged since its previous reading.
type Host struct {
	// Cores is each core's busy share, 0 to 1.
	Cores []float64 `json:"cores"`
	// Own is this program's processor time as a number of cores: 1 is one core
	// kept busy, 2 is two.
	Own float64 `json:"own"`
	// AdapterRx and AdapterTx are the counters of the adapter that the test
	// uses, as the system counts them (all programs, headers included).
	AdapterRx units.Bytes `json:"adapter_rx_bytes"`
	AdapterTx units.Bytes `json:"adapter_tx_bytes"`
}

// Mean is the average over all cores, and 0 without cores.
func (h Host) Mean() float64 {
	if len(h.Cores) == 0 {
		return 0
	}
	var sum float64
	for _, c := range h.Cores {
		sum += c
	}
	return sum / float64(len(h.Cores))
}

// Busiest is the share of the busiest core.
func (h Host) Busiest() float64 {
	var top float64
	for _, c := range h.Cores {
		top = max(top, c)
	}
	return top
}

// Rate is the average rate between two samples of the same series, and 0 when
// they are not in order or not of the same phase.
func Rate(from, to Sample) units.BitRate {
	if from.Phase != to.Phase || to.At <= from.At || to.Bytes < from.Bytes {
		return 0
	}
	return units.RateOf(to.Bytes-from.Bytes, to.At-from.At)
}
