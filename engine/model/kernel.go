package model

import (
	"slices"
	"time"
)

// Limited says what held the sender's connections back, as shares (0 to 1) of
// the time in which they had something to send. What is left is the network's.
type Limited struct {
	// Receiver is the share in which the receiver had no room for more.
	Receiver float64 `json:"receiver"`
	// SendBuffer is the share in which the sender's buffer was too small.
	SendBuffer float64 `json:"send_buffer"`
	// Congestion is the share that the congestion window took, where the system
	// tells it apart.
	Congestion float64 `json:"congestion"`
}

// kernel is what the sender's system says of the connections of one way in the
// measured window.
type kernel struct {
	retransmits *uint64
	limited     *Limited
	rtt, minRTT time.Duration
}

// kernelOf reads the sums over all connections where the sender took them, else
// only what can be added up from single connections.
func (l *sorted) kernelOf(i int, phase Phase, way Direction) kernel {
	readings := measured(withTCP(l.sums[series{i, Receiver(way).Flip(), way}]), phase)
	if len(readings) == 0 {
		from, to := phase.Window()
		return kernel{retransmits: l.retransmits(i, way, from, to)}
	}
	first, last := readings[0].TCP, readings[len(readings)-1].TCP
	again := gain(first.Retransmits, last.Retransmits)
	return kernel{
		retransmits: &again,
		limited:     limitedOf(first, last),
		rtt:         meanRTT(readings),
		minRTT:      smallestRTT(readings),
	}
}

func withTCP(samples []Sample) []Sample {
	var known []Sample
	for _, s := range samples {
		if s.TCP != nil {
			known = append(known, s)
		}
	}
	return known
}

// limitedOf compares two readings of times that add up from the beginning of the
// connections.
func limitedOf(first, last *TCPInfo) *Limited {
	busy := last.Busy - first.Busy
	if first.Busy < 0 || busy <= 0 {
		return nil
	}
	share := func(from, to time.Duration) float64 {
		return min(max(float64(to)-float64(from), 0)/float64(busy), 1)
	}
	return &Limited{
		Receiver:   share(first.ReceiverLimited, last.ReceiverLimited),
		SendBuffer: share(first.SendBufferLimited, last.SendBufferLimited),
		Congestion: share(first.CongestionLimited, last.CongestionLimited),
	}
}

func meanRTT(readings []Sample) time.Duration {
	var sum, n float64
	for _, s := range readings {
		if s.TCP.RTT > 0 {
			sum, n = sum+float64(s.TCP.RTT), n+1
		}
	}
	if n == 0 {
		return 0
	}
	return time.Duration(sum / n)
}

func smallestRTT(readings []Sample) time.Duration {
	var smallest time.Duration
	for _, s := range readings {
		if rtt := s.TCP.MinRTT; rtt > 0 && (smallest == 0 || rtt < smallest) {
			smallest = rtt
		}
	}
	return smallest
}

// countDatagrams fills in what the receiver counted between its first and its
// last reading.
func (s *Summary) countDatagrams(readings []Sample) {
	first, last := readings[0], readings[len(readings)-1]
	s.Packets = gain(first.Packets, last.Packets)
	s.Lost = gain(first.Lost, last.Lost)
	s.Late = gain(first.Late, last.Late)
	s.Duplicated = gain(first.Duplicated, last.Duplicated)
	s.Dropped = gain(first.Dropped, last.Dropped)
	if all := float64(s.Packets) + float64(s.Lost); all > 0 {
		ratio := float64(s.Lost) / all
		s.Loss = &ratio
	}
	s.Jitter = medianJitter(readings)
}

func medianJitter(readings []Sample) *time.Duration {
	var all []time.Duration
	for _, s := range readings {
		if s.Packets > 0 {
			all = append(all, s.Jitter)
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.Sort(all)
	return &all[(len(all)-1)/2]
}

// gain is how much a counter grew. One that shrank (a lost datagram came after
// all, or a connection that counted is gone) has grown by nothing.
func gain(from, to uint64) uint64 { return max(from, to) - from }
