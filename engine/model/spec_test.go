package model_test

import (
	"strings"
	"testing"
	"time"

	"linkpace/engine/model"
)

func TestDefaultSpecIsTheTestOfOneClick(t *testing.T) {
	s := model.DefaultSpec()
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	var directions []string
	for _, p := range s.Phases {
		directions = append(directions, string(p.Direction))
	}
	if got := strings.Join(directions, " "); got != "idle send receive both" {
		t.Errorf("phases %s", got)
	}
	if length := s.Length(); length < 12*time.Second || length > 14*time.Second {
		t.Errorf("it takes %v, want about 13 s", length)
	}
}

func TestValidate(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*model.Spec)
		names  string // what the error has to name; empty where there is none
	}{
		"as it is":            {func(*model.Spec) {}, ""},
		"strange protocol":    {func(s *model.Spec) { s.Protocol = "ftp" }, "protocol"},
		"strange transport":   {func(s *model.Spec) { s.Transport = "sctp" }, "transport"},
		"strange mode":        {func(s *model.Spec) { s.Mode = "" }, "mode"},
		"no phases":           {func(s *model.Spec) { s.Phases = nil }, "phases"},
		"too many phases":     {func(s *model.Spec) { s.Phases = make([]model.Phase, model.MaxPhases+1) }, "phases"},
		"no streams":          {func(s *model.Spec) { s.Streams = 0 }, "streams"},
		"most streams":        {func(s *model.Spec) { s.Streams = model.MaxStreams }, ""},
		"too many streams":    {func(s *model.Spec) { s.Streams = model.MaxStreams + 1 }, "streams"},
		"negative block":      {func(s *model.Spec) { s.Block = -1 }, "block"},
		"largest block":       {func(s *model.Spec) { s.Block = model.MaxBlock }, ""},
		"too large block":     {func(s *model.Spec) { s.Block = model.MaxBlock + 1 }, "block"},
		"negative rate":       {func(s *model.Spec) { s.Rate = -1 }, "rate"},
		"interval too short":  {func(s *model.Spec) { s.Interval = model.MinInterval - 1 }, "interval"},
		"interval too long":   {func(s *model.Spec) { s.Interval = model.MaxInterval + 1 }, "interval"},
		"no probes":           {func(s *model.Spec) { s.Probe = 0 }, ""},
		"negative probes":     {func(s *model.Spec) { s.Probe = -1 }, "probe"},
		"strange direction":   {func(s *model.Spec) { s.Phases[1].Direction = "up" }, "direction"},
		"phase too short":     {func(s *model.Spec) { s.Phases[1].Duration = model.MinPhase - 1 }, "time"},
		"phase too long":      {func(s *model.Spec) { s.Phases[1].Duration = model.MaxPhase + 1 }, "time"},
		"negative warm-up":    {func(s *model.Spec) { s.Phases[1].Warmup = -1 }, "warmup"},
		"nothing but warm-up": {func(s *model.Spec) { s.Phases[1].Warmup = s.Phases[1].Duration }, "warmup"},
		"too many samples":    {func(s *model.Spec) { s.Interval, s.Phases[1].Duration = model.MinInterval, model.MaxPhase }, "samples"},
		"datagram too small":  {func(s *model.Spec) { s.Transport, s.Block = model.UDP, model.MinDatagram-1 }, "block"},
		"largest datagram":    {func(s *model.Spec) { s.Transport, s.Block = model.UDP, model.MaxDatagram }, ""},
		"datagram too large":  {func(s *model.Spec) { s.Transport, s.Block = model.UDP, model.MaxDatagram+1 }, "block"},
		"negative cool-down":  {func(s *model.Spec) { s.Phases[1].Cooldown = -1 }, "cooldown"},
		"warm-up and cool-down": {func(s *model.Spec) {
			s.Phases[1].Warmup, s.Phases[1].Cooldown = time.Second, s.Phases[1].Duration-time.Second
		}, "cooldown"},
		"negative limit":      {func(s *model.Spec) { s.Limit = -1 }, "bytes"},
		"strange family":      {func(s *model.Spec) { s.Family = "ipv5" }, "family"},
		"negative buffer":     {func(s *model.Spec) { s.SendBuffer = -1 }, "send buffer"},
		"buffer too large":    {func(s *model.Spec) { s.ReceiveBuffer = model.MaxBuffer + 1 }, "receive buffer"},
		"MSS too small":       {func(s *model.Spec) { s.MSS = model.MinMSS - 1 }, "MSS"},
		"MSS too large":       {func(s *model.Spec) { s.MSS = model.MaxMSS + 1 }, "MSS"},
		"DSCP too large":      {func(s *model.Spec) { s.DSCP = model.MaxDSCP + 1 }, "DSCP"},
		"an algorithm":        {func(s *model.Spec) { s.Congestion = "bbr" }, ""},
		"a path as algorithm": {func(s *model.Spec) { s.Congestion = "../x" }, "congestion"},
		"strange backend":     {func(s *model.Spec) { s.Backend = "native" }, "backend"},
		"strange syscalls":    {func(s *model.Spec) { s.Syscalls = "raw" }, "system calls"},
		"too many threads":    {func(s *model.Spec) { s.Threads = model.MaxThreads + 1 }, "threads"},
		"negative processor":  {func(s *model.Spec) { s.CPUs = []int{0, -1} }, "processor"},
		"far processor":       {func(s *model.Spec) { s.PeerCPUs = []int{model.MaxCPU + 1} }, "processor"},
		"too many operations": {func(s *model.Spec) { s.Outstanding = model.MaxOutstanding + 1 }, "outstanding"},
		"two million probes": {func(s *model.Spec) {
			s.Phases, s.Interval, s.Probe = []model.Phase{{Direction: model.Send, Duration: 2000 * time.Second}}, time.Second, time.Millisecond
		}, "probes"},
		"two million milliseconds": {func(s *model.Spec) {
			s.Phases, s.Interval, s.Probe = []model.Phase{{Direction: model.Send, Duration: 2000 * time.Second}}, time.Second, 0
		}, ""},
		"an hour at 10 a second": {func(s *model.Spec) { s.Phases = []model.Phase{{Direction: model.Send, Duration: time.Hour}} }, ""},
	} {
		s := model.DefaultSpec()
		c.change(&s)
		err := s.Validate()
		if (err == nil) != (c.names == "") || err != nil && !strings.Contains(err.Error(), c.names) {
			t.Errorf("%s: %v, want it to name %q", name, err, c.names)
		}
	}
}

func TestPlanBeginsWithTheIdleLink(t *testing.T) {
	plan := model.Plan([]model.Direction{model.Send}, time.Second, time.Minute, 2*time.Second)
	if len(plan) != 2 || plan[0] != (model.Phase{Direction: model.Idle, Duration: time.Second}) ||
		plan[1] != (model.Phase{Direction: model.Send, Warmup: 2 * time.Second, Duration: time.Minute}) {
		t.Errorf("got %+v", plan)
	}
	if plan := model.Plan([]model.Direction{model.Send}, 0, time.Minute, 0); len(plan) != 1 || plan[0].Direction != model.Send {
		t.Errorf("without the idle link: %+v", plan)
	}
}

func TestFlipIsTheOtherSidesView(t *testing.T) {
	s := model.DefaultSpec()
	f := s.Flip()
	if f.Phases[1].Direction != model.Receive || f.Phases[2].Direction != model.Send || f.Phases[3].Direction != model.Both {
		t.Errorf("flipped %+v", f.Phases)
	}
	if s.Phases[1].Direction != model.Send {
		t.Error("flipping changed the original")
	}
	if model.Local.Flip() != model.Remote || model.Receiver(model.Send) != model.Remote || model.Receiver(model.Receive) != model.Local {
		t.Error("sides are mixed up")
	}
}

func TestHas(t *testing.T) {
	for d, want := range map[model.Direction][2]bool{
		model.Send: {true, false}, model.Receive: {false, true}, model.Both: {true, true}, model.Idle: {false, false},
	} {
		if got := [2]bool{d.Has(model.Send), d.Has(model.Receive)}; got != want {
			t.Errorf("%s: send and receive %v, want %v", d, got, want)
		}
	}
}

func TestRateBetweenSamples(t *testing.T) {
	a := model.Sample{At: time.Second, Bytes: 1000}
	for name, c := range map[string]struct {
		to   model.Sample
		want float64
	}{
		"a second later": {model.Sample{At: 2 * time.Second, Bytes: 2000}, 8000},
		"at once":        {model.Sample{At: time.Second, Bytes: 2000}, 0},
		"going back":     {model.Sample{At: 2 * time.Second, Bytes: 500}, 0},
		"another phase":  {model.Sample{At: 2 * time.Second, Phase: 1, Bytes: 2000}, 0},
	} {
		if got := float64(model.Rate(a, c.to)); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestWindowLeavesOutBothEnds(t *testing.T) {
	p := model.Phase{Start: time.Second, Warmup: 2 * time.Second, Cooldown: 3 * time.Second, Duration: 10 * time.Second}
	if from, to := p.Window(); from != 3*time.Second || to != 8*time.Second {
		t.Errorf("window from %v to %v", from, to)
	}
}

func TestFlipSwapsProcessors(t *testing.T) {
	s := model.DefaultSpec()
	s.CPUs, s.PeerCPUs = []int{1}, []int{2, 3}
	if f := s.Flip(); len(f.CPUs) != 2 || len(f.PeerCPUs) != 1 {
		t.Errorf("ours %v, theirs %v", f.CPUs, f.PeerCPUs)
	}
}
