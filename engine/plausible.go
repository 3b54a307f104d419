package engine

import (
	"errors"
	"time"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// What no honest side exceeds, with room for years of progress, and small enough
// that sums over all connections are numbers still.
const (
	maxCount  = uint64(1) << 48 // datagrams and segments
	maxAmount = units.Bytes(1) << 56
	maxSpeed  = units.BitRate(1 << 56)
	// maxSpan is longer than all connections of the longest test together.
	maxSpan  = 2 * model.MaxStreams * model.MaxPhase
	maxCores = 4096
)

// plausible refuses readings that no honest side can have.
func plausible(s model.Sample, spec model.Spec, now time.Duration) error {
	bad := s.Phase < 0 || s.Phase >= len(spec.Phases) || s.Flow < model.SumFlow || s.Flow >= spec.Streams ||
		s.At < -time.Second || s.At > now+10*time.Second
	switch s.Dir {
	case "", model.Send, model.Receive:
	default:
		bad = true
	}
	if bad || !plausibleFigures(s) || s.TCP != nil && !plausibleTCP(*s.TCP) || s.Host != nil && !plausibleHost(*s.Host) {
		return errors.New("a sample that cannot be")
	}
	return nil
}

func plausibleFigures(s model.Sample) bool {
	return within(maxAmount, s.Bytes) && within(maxCount, s.Packets, s.Lost, s.Late, s.Duplicated, s.Dropped) &&
		within(maxSpan, s.Jitter, s.Ping, s.PingProgram)
}

func plausibleTCP(t model.TCPInfo) bool {
	return within(maxCount, t.Retransmits, t.Reordered) &&
		within(maxAmount, t.Window, t.PeerWindow, t.InFlight, t.MSS) && within(maxSpeed, t.Delivery) &&
		within(maxSpan, t.RTT, t.RTTVar, t.MinRTT, t.Busy, t.ReceiverLimited, t.SendBufferLimited, t.CongestionLimited)
}

// plausibleHost lets the counters of adapters pass: drivers tell anything.
func plausibleHost(h model.Host) bool {
	const whole = 1.001 // shares are rounded
	return len(h.Cores) <= maxCores && len(h.Interrupts) <= maxCores &&
		within(whole, h.Cores...) && within(whole, h.Interrupts...) && within(maxCores, h.Own)
}

// within tells whether values are neither negative nor more than most; what is
// no number is not.
func within[T ~int64 | ~uint64 | ~float64](most T, values ...T) bool {
	for _, v := range values {
		if sane := v >= 0 && v <= most; !sane {
			return false
		}
	}
	return true
}
