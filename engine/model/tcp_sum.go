package model

import "time"

// SumTCP puts together what the kernel says of the connections of one way:
// counters, times, windows and rates add up, RTT and RTTVar are means in which
// each connection that knows its own counts the same, MinRTT is the smallest that
// is known, MSS that of the first connection that knows it.
func SumTCP(all []TCPInfo) TCPInfo {
	var sum TCPInfo
	var rtt, rttVar meanTime
	for _, one := range all {
		rtt.add(one.RTT)
		rttVar.add(one.RTTVar)
		sum.addCounts(one)
		if one.MinRTT > 0 && (sum.MinRTT == 0 || one.MinRTT < sum.MinRTT) {
			sum.MinRTT = one.MinRTT
		}
		if sum.MSS == 0 {
			sum.MSS = one.MSS
		}
	}
	sum.RTT, sum.RTTVar = rtt.value(), rttVar.value()
	return sum
}

func (t *TCPInfo) addCounts(one TCPInfo) {
	t.Retransmits += one.Retransmits
	t.Window += one.Window
	t.PeerWindow += one.PeerWindow
	t.InFlight += one.InFlight
	t.Delivery += one.Delivery
	t.Busy += one.Busy
	t.ReceiverLimited += one.ReceiverLimited
	t.SendBufferLimited += one.SendBufferLimited
	t.CongestionLimited += one.CongestionLimited
	t.Reordered += one.Reordered
}

// meanTime averages the lengths of time that are known.
type meanTime struct {
	sum   time.Duration
	count int
}

func (m *meanTime) add(d time.Duration) {
	if d > 0 {
		m.sum, m.count = m.sum+d, m.count+1
	}
}

func (m meanTime) value() time.Duration {
	if m.count == 0 {
		return 0
	}
	return m.sum / time.Duration(m.count)
}
