package verdict_test

import (
	"time"

	"linkpace/engine/model"
	"linkpace/engine/units"
	"linkpace/engine/verdict"
)

const (
	gigabit   = units.BitRate(1_000_000_000)
	megabit   = gigabit / 1000
	phaseTime = 4 * time.Second
	warmup    = 500 * time.Millisecond
)

// test builds a Result between DESK and NAS, both on gigabit cables, phase by
// phase.
type test struct{ model.Result }

func newTest() *test {
	gigabitCable := model.Adapter{Name: "eth0", Kind: model.Ethernet, Link: gigabit, Duplex: "full", MTU: 1500}
	return &test{model.Result{
		Transport: model.TCP, Outcome: model.Completed,
		Local:  model.Endpoint{Name: "DESK", Adapter: gigabitCable},
		Remote: model.Endpoint{Name: "NAS", Adapter: gigabitCable},
		Phases: []model.Phase{{Direction: model.Idle, Duration: warmup}},
	}}
}

func (t *test) end() time.Duration {
	last := t.Phases[len(t.Phases)-1]
	return last.Start + last.Duration
}

// phase appends a phase in which payload goes at these rates.
func (t *test) phase(direction model.Direction, rates ...units.BitRate) *test {
	p := model.Phase{Direction: direction, Start: t.end(), Warmup: warmup, Duration: phaseTime}
	t.Phases = append(t.Phases, p)
	from, to := p.Window()
	ways := []model.Direction{direction}
	if direction == model.Both {
		ways = []model.Direction{model.Send, model.Receive}
	}
	for i, way := range ways {
		for _, at := range []time.Duration{from, to} {
			t.Samples = append(t.Samples, model.Sample{
				At: at, Phase: len(t.Phases) - 1, Side: model.Receiver(way), Dir: way, Flow: model.SumFlow, Bytes: rates[i].In(at - p.Start),
			})
		}
	}
	return t
}

// load adds four readings of a side's load to the last phase. The adapter's
// counters grow by rx and tx.
func (t *test) load(side model.Side, rx, tx units.BitRate, busy ...float64) *test {
	from, to := t.Phases[len(t.Phases)-1].Window()
	for i, share := range busy {
		at := from + (to-from)*time.Duration(i)/time.Duration(len(busy)-1)
		t.Samples = append(t.Samples, model.Sample{At: at, Phase: len(t.Phases) - 1, Side: side, Flow: model.SumFlow, Host: &model.Host{
			Cores: []float64{0.1, share}, AdapterRx: 1000 + rx.In(at), AdapterTx: 1000 + tx.In(at),
		}})
	}
	return t
}

// ping adds one probe to the last phase.
func (t *test) ping(rtt time.Duration) *test {
	from, _ := t.Phases[len(t.Phases)-1].Window()
	t.Samples = append(t.Samples, model.Sample{At: from, Phase: len(t.Phases) - 1, Side: model.Local, Flow: model.SumFlow, Ping: rtt})
	return t
}

func (t *test) over(transport model.Transport) *test {
	t.Transport = transport
	return t
}

// receiver is the last reading of the last phase's receiver.
func (t *test) receiver() *model.Sample {
	last := &t.Samples[len(t.Samples)-1]
	for i := range t.Samples {
		if s := &t.Samples[i]; s.Dir != "" && s.Side == model.Receiver(s.Dir) {
			last = s
		}
	}
	return last
}

// lost gives the last phase counts of datagrams.
func (t *test) lost(came, lost, dropped uint64) *test {
	s := t.receiver()
	s.Packets, s.Lost, s.Dropped = came, lost, dropped
	return t
}

// half has the last phase's receiver get its last byte in the middle of the
// window.
func (t *test) half() *test {
	last := t.receiver()
	from, to := t.Phases[len(t.Phases)-1].Window()
	early := *last
	early.At = (from + to) / 2
	t.Samples = append(t.Samples, early)
	return t
}

// busy adds readings of a side with one core at its stop, of which this test
// used own and that core's interrupts; these are unknown when negative.
func (t *test) busy(side model.Side, own, interrupts float64) *test {
	before := len(t.Samples)
	t.load(side, 0, 0, 0.5, 0.97, 0.99, 1)
	for _, s := range t.Samples[before:] {
		s.Host.Own = own
		if interrupts >= 0 {
			s.Host.Interrupts = []float64{0, interrupts}
		}
	}
	return t
}

// held adds what the sender's system says: which shares of ten seconds it was
// held back, and its round trip, of which 1 ms is the path.
func (t *test) held(receiver, buffer float64, rtt time.Duration) *test {
	from, to := t.Phases[len(t.Phases)-1].Window()
	const busy = 10 * time.Second
	for _, at := range []time.Duration{from, to} {
		info := &model.TCPInfo{RTT: rtt, MinRTT: time.Millisecond}
		if at == to {
			info.Busy, info.ReceiverLimited, info.SendBufferLimited = busy, time.Duration(receiver*float64(busy)), time.Duration(buffer*float64(busy))
		}
		t.Samples = append(t.Samples, model.Sample{At: at, Phase: len(t.Phases) - 1, Side: model.Local, Dir: model.Send, Flow: model.SumFlow, TCP: info})
	}
	return t
}

// programs has the last probe seen by programs as taking so long.
func (t *test) programs(rtt time.Duration) *test {
	t.Samples[len(t.Samples)-1].PingProgram = rtt
	return t
}

func (t *test) change(change func(*model.Result)) *test {
	change(&t.Result)
	return t
}

func (t *test) codes() []string {
	var codes []string
	for _, f := range verdict.Findings(&t.Result) {
		codes = append(codes, f.Code)
	}
	return codes
}
