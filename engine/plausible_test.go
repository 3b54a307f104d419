package engine

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"linkpace/engine/control"
	"linkpace/engine/model"
)

func TestReadingsOfAnHonestSidePass(t *testing.T) {
	info := model.TCPInfo{RTT: time.Minute, Retransmits: 1 << 40, Window: 1 << 50, Delivery: 1 << 50, Busy: model.MaxStreams * model.MaxPhase}
	host := model.Host{Cores: make([]float64, 4096), Interrupts: []float64{1}, Own: 4096, AdapterRx: -1}
	s := model.Sample{
		At: time.Second, Dir: model.Send, Flow: model.SumFlow, Bytes: 1 << 51, Packets: 1 << 45, Lost: 1, Late: 2, Duplicated: 3, Dropped: 4,
		Jitter: time.Second, TCP: &info, Ping: 1, PingProgram: time.Hour, Host: &host,
	}
	if err := plausible(s, short(), time.Second); err != nil {
		t.Error(err)
	}
}

func TestReadingsThatCannotBeAreRefused(t *testing.T) {
	tcp := func(change func(*model.TCPInfo)) func(*model.Sample) {
		return func(s *model.Sample) { s.TCP = new(model.TCPInfo); change(s.TCP) }
	}
	host := func(change func(*model.Host)) func(*model.Sample) {
		return func(s *model.Sample) { s.Host = new(model.Host); change(s.Host) }
	}
	for name, change := range map[string]func(*model.Sample){
		"phase":             func(s *model.Sample) { s.Phase = 4 },
		"flow":              func(s *model.Sample) { s.Flow = 2 },
		"flow below":        func(s *model.Sample) { s.Flow = -2 },
		"direction":         func(s *model.Sample) { s.Dir = model.Both },
		"before the start":  func(s *model.Sample) { s.At = -time.Minute },
		"in the future":     func(s *model.Sample) { s.At = time.Minute },
		"bytes":             func(s *model.Sample) { s.Bytes = -1 },
		"too many bytes":    func(s *model.Sample) { s.Bytes = math.MaxInt64 },
		"packets":           func(s *model.Sample) { s.Packets = math.MaxUint64 },
		"lost":              func(s *model.Sample) { s.Lost = math.MaxUint64 },
		"dropped":           func(s *model.Sample) { s.Dropped = 1 << 60 },
		"jitter":            func(s *model.Sample) { s.Jitter = -1 },
		"ping":              func(s *model.Sample) { s.Ping = -1 },
		"ping of programs":  func(s *model.Sample) { s.PingProgram = math.MaxInt64 },
		"round trip":        tcp(func(i *model.TCPInfo) { i.RTT = -1 }),
		"smallest trip":     tcp(func(i *model.TCPInfo) { i.MinRTT = math.MaxInt64 }),
		"retransmits":       tcp(func(i *model.TCPInfo) { i.Retransmits = math.MaxUint64 }),
		"window":            tcp(func(i *model.TCPInfo) { i.Window = -1 }),
		"delivery":          tcp(func(i *model.TCPInfo) { i.Delivery = -1 }),
		"busy":              tcp(func(i *model.TCPInfo) { i.Busy = -time.Hour }),
		"held back":         tcp(func(i *model.TCPInfo) { i.CongestionLimited = math.MinInt64 }),
		"cores":             host(func(h *model.Host) { h.Cores = make([]float64, 4097) }),
		"interrupts":        host(func(h *model.Host) { h.Interrupts = make([]float64, 4097) }),
		"share":             host(func(h *model.Host) { h.Cores = []float64{0.5, 2} }),
		"share of nothing":  host(func(h *model.Host) { h.Cores = []float64{math.NaN()} }),
		"share below":       host(func(h *model.Host) { h.Interrupts = []float64{-0.1} }),
		"own":               host(func(h *model.Host) { h.Own = math.Inf(1) }),
		"own of nothing":    host(func(h *model.Host) { h.Own = math.NaN() }),
		"own below nothing": host(func(h *model.Host) { h.Own = -1 }),
	} {
		s := model.Sample{At: time.Second, Flow: model.SumFlow}
		if err := plausible(s, short(), time.Second); err != nil {
			t.Fatal("unchanged:", err)
		}
		change(&s)
		if plausible(s, short(), time.Second) == nil {
			t.Errorf("%s: accepted %+v", name, s)
		}
	}
}

// FuzzSamples has the other side say anything: what is accepted must come to
// figures that can be.
func FuzzSamples(f *testing.F) {
	for _, seed := range []string{
		`{"samples":[]}`,
		`{"samples":[{"at_ns":100000000,"phase":1,"side":"local","dir":"send","flow":-1,"bytes":1},{"at_ns":200000000,"phase":1,"side":"local","dir":"send","flow":-1,"bytes":900}]}`,
		`{"samples":[{"at_ns":150000000,"phase":2,"dir":"receive","flow":1,"bytes":7,"tcp":{"rtt_ns":5,"retransmits":3,"busy_ns":9,"receiver_limited_ns":4}}]}`,
		`{"samples":[{"at_ns":1,"phase":3,"dir":"receive","flow":-1,"bytes":7,"packets":9,"lost":1,"late":2,"duplicated":3,"dropped":1,"jitter_ns":4}]}`,
		`{"samples":[{"at_ns":1,"flow":-1,"ping_ns":8,"ping_program_ns":9},{"at_ns":2,"flow":-1,"host":{"cores":[0.5,1],"interrupts":[0,1],"own":1.5,"adapter_rx_bytes":-3}}]}`,
		`{"samples":[{"at_ns":-9223372036854775808,"flow":9223372036854775807,"bytes":-1}]}`,
		`{"samples":[{"packets":18446744073709551615,"lost":18446744073709551615,"host":{"cores":[1e308],"own":1e308}}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		spec := short()
		run := newRun("fuzz", model.Initiator, spec, func(error) {})
		for i := range spec.Phases {
			run.beginPhase(i, time.Duration(i)*spec.Phases[i].Duration)
		}
		p := New(Config{Machine: still{}}).newParty(run, nil, func(error) {})
		if p.takeSamples(control.Message{Kind: control.KindSamples, Body: body}) != nil {
			return
		}
		r := run.assemble(nil)
		for _, s := range r.Summaries() {
			if s.Bytes < 0 || s.Rate < 0 || s.Duration < 0 || s.Loss != nil && !within(1, *s.Loss) {
				t.Errorf("accepted what comes to %+v", s)
			}
			if c := s.CPU; c != nil && !within(1.001, c.LocalMean, c.RemoteMean, c.LocalCoreMax, c.RemoteCoreMax) {
				t.Errorf("accepted a load of %+v", *c)
			}
		}
		if _, err := json.Marshal(r); err != nil {
			t.Error(err)
		}
	})
}
