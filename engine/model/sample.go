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

	// Packets are the datagrams that were sent or that arrived, the first copy of
	// each; the fields below are the receiver's. All count from the beginning of
	// the phase. Lost shrinks when one comes late that was given up.
	Packets uint64 `json:"packets,omitempty"`
	Lost    uint64 `json:"lost,omitempty"`
	// Late came after one that was sent later.
	Late uint64 `json:"late,omitempty"`
	// Duplicated are further copies of one that had come.
	Duplicated uint64 `json:"duplicated,omitempty"`
	// Dropped are those of Lost that had reached the receiving computer and found
	// its socket's buffer full.
	Dropped uint64 `json:"dropped,omitempty"`
	// Jitter is the interarrival jitter of RFC 3550, 6.4.1.
	Jitter time.Duration `json:"jitter_ns,omitempty"`

	// TCP is what the kernel says of the connection, or of all together.
	TCP *TCPInfo `json:"tcp,omitempty"`
	// Ping is the round trip of one delay probe without the time that the two
	// programs took; 0 where the sample is none.
	Ping time.Duration `json:"ping_ns,omitempty"`
	// PingProgram is the same round trip as a program sees it, waiting for its
	// turn on both processors included; 0 is unknown.
	PingProgram time.Duration `json:"ping_program_ns,omitempty"`
	Host        *Host         `json:"host,omitempty"`
}

// TCPInfo is what the kernel says of one connection, since the connection began,
// or of all connections of one way: then counters, windows and rates are sums,
// RTT and RTTVar means, MinRTT the smallest. Zero is nothing or unknown.
//
// Sources: struct tcp_info of Linux (tcp(7), include/uapi/linux/tcp.h),
// TCP_INFO_v0 and _v1 of Windows (mstcpip.h).
type TCPInfo struct {
	RTT    time.Duration `json:"rtt_ns"`
	RTTVar time.Duration `json:"rttvar_ns"`
	MinRTT time.Duration `json:"min_rtt_ns,omitempty"`
	// Retransmits is segments that were sent again.
	Retransmits uint64      `json:"retransmits"`
	Window      units.Bytes `json:"cwnd_bytes"`
	// PeerWindow is what the receiver has room for.
	PeerWindow units.Bytes `json:"peer_window_bytes,omitempty"`
	// InFlight was sent and not acknowledged yet.
	InFlight units.Bytes `json:"in_flight_bytes,omitempty"`
	MSS      units.Bytes `json:"mss_bytes,omitempty"`
	// Delivery is the rate at which the receiver lately acknowledged.
	Delivery units.BitRate `json:"delivery_bps,omitempty"`
	// Busy is how long there was something to send; the others are the parts of
	// it in which the receiver's window, this side's send buffer or the congestion
	// window held it back.
	Busy              time.Duration `json:"busy_ns,omitempty"`
	ReceiverLimited   time.Duration `json:"receiver_limited_ns,omitempty"`
	SendBufferLimited time.Duration `json:"send_buffer_limited_ns,omitempty"`
	CongestionLimited time.Duration `json:"congestion_limited_ns,omitempty"`
	// Reordered is how often segments were found to have overtaken one another.
	Reordered uint64 `json:"reordered,omitempty"`
}

// Host is the load of one computer, averaged since its previous reading.
type Host struct {
	// Cores is each core's busy share, 0 to 1.
	Cores []float64 `json:"cores"`
	// Interrupts is the part of each core's time that went to interrupts and the
	// network's work after them (softirq on Linux, DPC on Windows); it is
	// included in Cores. Empty is unknown.
	Interrupts []float64 `json:"interrupts,omitempty"`
	// Own is this program's processor time as a number of cores: 1 is one core
	// kept busy, 2 is two.
	Own float64 `json:"own"`
	// AdapterRx and AdapterTx are the counters of the adapter that the test
	// uses, as the system counts them (all programs, headers included).
	AdapterRx units.Bytes `json:"adapter_rx_bytes"`
	AdapterTx units.Bytes `json:"adapter_tx_bytes"`
}

// Mean is the average over all cores, and 0 without cores.
func (h Host) Mean() float64 { return mean(h.Cores) }

// InterruptMean is the share of interrupts over all cores, and 0 where it is
// unknown.
func (h Host) InterruptMean() float64 { return mean(h.Interrupts) }

func mean(shares []float64) float64 {
	if len(shares) == 0 {
		return 0
	}
	var sum float64
	for _, s := range shares {
		sum += s
	}
	return sum / float64(len(shares))
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
