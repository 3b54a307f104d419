package export_test

import (
	"time"

	"linkpace/engine/model"
)

// fixture is the Result that testdata/result-v2.json holds: the one of schema 1
// with the fields that schema 2 added in use.
func fixture() *model.Result {
	r := fixtureV1()
	r.Schema = 2
	r.Asked.Limit, r.Asked.Family, r.Asked.SendBuffer, r.Asked.ReceiveBuffer = 1<<30, model.IPv4, 4<<20, 8<<20
	r.Asked.NoDelay, r.Asked.MSS, r.Asked.DSCP, r.Asked.Congestion = true, 1400, 46, "cubic"
	r.Asked.Backend, r.Asked.Syscalls, r.Asked.Threads, r.Asked.Outstanding = model.BackendPortable, model.SyscallsPlain, 2, 4
	r.Asked.CPUs, r.Asked.PeerCPUs = []int{0, 2}, []int{1}
	r.Effective.Spec = r.Asked
	// What was granted stands in their place.
	r.Effective.Spec.SendBuffer, r.Effective.Spec.ReceiveBuffer, r.Effective.Spec.MSS, r.Effective.Spec.Congestion = 0, 0, 0, ""
	r.Effective.SendMethod, r.Effective.ReceiveMethod, r.Effective.PeerSendMethod, r.Effective.PeerReceiveMethod = "vmsplice", "discard", "write", "read"
	r.Effective.Syscalls, r.Effective.MSS, r.Effective.Congestion = "raw", 1388, "cubic"
	for i := range r.Samples {
		addFields(&r.Samples[i])
	}
	return r
}

// addFields gives a sample the figures that schema 2 added.
func addFields(s *model.Sample) {
	since := s.At - 700*ms
	switch {
	case s.Ping > 0:
		s.PingProgram = s.Ping + 5*ms
	case s.Host != nil:
		s.Host.Interrupts = make([]float64, len(s.Host.Cores))
		s.Host.Interrupts[0] = 0.125
	case s.Flow == model.SumFlow && s.Side == model.Receiver(s.Dir).Flip():
		s.TCP = &model.TCPInfo{
			RTT: 2 * ms, RTTVar: 300 * time.Microsecond, MinRTT: ms, Retransmits: uint64(s.At / (200 * ms)),
			Window: 1 << 20, PeerWindow: 3 << 20, InFlight: 1 << 19, MSS: 1388, Delivery: 940 * megabit,
			Busy: since, ReceiverLimited: since / 4, SendBufferLimited: since / 8, CongestionLimited: since / 16, Reordered: 3,
		}
	}
}

// datagrams is a Result of a test over UDP: 100 000 sent each way, of which 4000
// did not come; NAS had no room for 3000 of them.
func datagrams() *model.Result {
	r := fixtureV1()
	r.Schema, r.ID, r.Transport, r.Outcome, r.Problem = 2, "77c0", model.UDP, model.Completed, nil
	r.Asked.Transport, r.Effective.Transport, r.Asked.Block = model.UDP, model.UDP, 1448
	r.Effective.SendMethod, r.Effective.PeerReceiveMethod = "sendmmsg+gso", "recvmmsg+gro"
	for i := range r.Samples {
		s := &r.Samples[i]
		s.TCP = nil
		if _, to := r.Phases[s.Phase].Window(); s.Dir == "" || s.At != to {
			continue
		}
		s.Packets = 100_000
		if s.Side == model.Receiver(s.Dir) {
			s.Packets, s.Lost, s.Late, s.Duplicated, s.Jitter = 96_000, 4000, 12, 1, 80*time.Microsecond
		}
		if s.Side == model.Remote && s.Dir == model.Send {
			s.Dropped = 3000
		}
	}
	return r
}
