package gui

import (
	"context"
	"math"
	"net/netip"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"linkpace/engine"
	"linkpace/engine/model"
	"linkpace/engine/units"
)

// loop stands in for Fyne's goroutine: what is dispatched waits until the test
// runs it, on the test's own goroutine.
type loop struct{ calls chan func() }

func (l *loop) on(f func()) { l.calls <- f }

// until runs what was dispatched until done is true.
func (l *loop) until(t *testing.T, what string, done func() bool) {
	t.Helper()
	limit := time.After(20 * time.Second)
	again := time.NewTicker(10 * time.Millisecond) // for what comes without a call
	defer again.Stop()
	for !done() {
		select {
		case f := <-l.calls:
			f()
		case <-again.C:
		case <-limit:
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

// fakeRun is a run that the test feeds.
type fakeRun struct {
	role          model.Role
	local, remote model.Endpoint

	mu       sync.Mutex
	changed  chan struct{}
	samples  []model.Sample
	progress engine.Progress
	result   *model.Result
	stopped  bool
	changes  int
}

func newFakeRun(role model.Role) *fakeRun {
	r := gigabit()
	return &fakeRun{
		role: role, local: r.Local, remote: r.Remote, changed: make(chan struct{}),
		progress: engine.Progress{State: engine.Connecting, Phases: model.DefaultSpec().Phases, Phase: -1},
	}
}

func (f *fakeRun) Role() model.Role { return f.role }

func (f *fakeRun) Ends() (local, remote model.Endpoint) { return f.local, f.remote }

func (f *fakeRun) Progress() engine.Progress {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.progress
}

func (f *fakeRun) Next(ctx context.Context, at engine.Cursor) ([]model.Sample, *model.Result, engine.Cursor, error) {
	for {
		f.mu.Lock()
		fresh, result, changed := f.samples[at.Samples:], f.result, f.changed
		now := engine.Cursor{Samples: len(f.samples), Changes: f.changes}
		f.mu.Unlock()
		if now != at || result != nil {
			return fresh, result, now, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, nil, at, ctx.Err()
		}
	}
}

func (f *fakeRun) Cancel() { f.change(func() { f.stopped = true }) }

func (f *fakeRun) change(how func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	how()
	f.changes++
	close(f.changed)
	f.changed = make(chan struct{})
}

func (f *fakeRun) state(s engine.State) { f.change(func() { f.progress.State = s }) }

// play lets the first part (0 to 1) of r happen.
func (f *fakeRun) play(r *model.Result, part float64) {
	f.change(func() {
		f.samples = r.Samples[:int(part*float64(len(r.Samples)))]
		f.progress = engine.Progress{State: engine.Running, Phases: r.Phases, Phase: f.samples[len(f.samples)-1].Phase}
	})
}

func (f *fakeRun) end(r *model.Result) {
	f.change(func() {
		f.samples, f.result, f.progress.State = r.Samples, r, engine.Ended
	})
}

// fakeTests starts the runs that the test prepared.
type fakeTests struct {
	mu     sync.Mutex
	next   Run
	err    error
	begun  []model.Peer
	others chan Run
}

func (f *fakeTests) Start(_ context.Context, to model.Peer, _ model.Spec) (Run, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begun = append(f.begun, to)
	if f.err != nil {
		return nil, f.err
	}
	return f.next, nil
}

func (f *fakeTests) started() []model.Peer {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.begun
}

func (f *fakeTests) Runs(ctx context.Context, _ int) ([]Run, error) {
	select {
	case r := <-f.others:
		return []Run{r}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

type fakePeers struct {
	lists   chan []model.Peer
	err     error
	mu      sync.Mutex
	rescans int
}

func (f *fakePeers) Next(ctx context.Context, from uint64) ([]model.Peer, uint64, error) {
	select {
	case list := <-f.lists:
		return list, from + 1, nil
	case <-ctx.Done():
		return nil, 0, ctx.Err()
	}
}

func (f *fakePeers) Add(_ context.Context, address string) (model.Peer, error) {
	if f.err != nil {
		return model.Peer{}, f.err
	}
	return model.Peer{ID: "typed", Name: address, Via: "typed", Addrs: []netip.AddrPort{netip.MustParseAddrPort("192.168.1.77:47820")}}, nil
}

func (f *fakePeers) Rescan() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rescans++
}

func (f *fakePeers) searched() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.rescans
}

type fakeHistory struct {
	mu      sync.Mutex
	entries []Entry
	results map[string]*model.Result
	err     error
}

func (f *fakeHistory) List(context.Context, int) ([]Entry, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Entry(nil), f.entries...), f.err
}

func (f *fakeHistory) Get(_ context.Context, id string) (*model.Result, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.results[id], f.err
}

func (f *fakeHistory) Delete(_ context.Context, id string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	kept := f.entries[:0]
	for _, e := range f.entries {
		if e.ID != id {
			kept = append(kept, e)
		}
	}
	f.entries = kept
	return f.err
}

type fakeConsent struct {
	mu     sync.Mutex
	answer Answer
	err    error
}

func (f *fakeConsent) Answer() Answer {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.answer
}

func (f *fakeConsent) SetAnswer(a Answer) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answer = a
	return f.err
}

// stage is a window with fakes behind it.
type stage struct {
	*loop
	ui      *UI
	tests   *fakeTests
	peers   *fakePeers
	history *fakeHistory
	consent *fakeConsent
}

// newStage opens a window. Consent is given unless a test takes it away first.
func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{
		loop:    &loop{calls: make(chan func(), 64)},
		tests:   &fakeTests{others: make(chan Run, 4), next: newFakeRun(model.Initiator)},
		peers:   &fakePeers{lists: make(chan []model.Peer, 4)},
		history: &fakeHistory{results: map[string]*model.Result{}},
		consent: &fakeConsent{answer: OnNetwork},
	}
	s.ui = build(test.NewTempApp(t), Deps{
		Tests: s.tests, Peers: s.peers, History: s.history, Consent: s.consent,
		Self: desk, Folder: t.TempDir(), Version: "1.2.3",
	}, s.on)
	t.Cleanup(s.ui.Stop)
	return s
}

// begin starts what goes on beside the window and waits for this computer's card.
func (s *stage) begin(t *testing.T) {
	t.Helper()
	s.ui.begin()
	s.until(t, "this computer is described", func() bool { return s.ui.home.self.known })
}

func desk() Self {
	return Self{
		Endpoint:  gigabit().Local,
		Addrs:     []netip.AddrPort{netip.MustParseAddrPort("192.168.1.20:47820")},
		UsualPort: 47820,
		Peer:      model.Peer{ID: "a", Name: "desk", SameMachine: true},
	}
}

func nas() model.Peer {
	return model.Peer{
		ID: "b", Name: "nas", OS: "Debian 12", Via: "mdns", Adapter: model.Adapter{Kind: model.Ethernet, Link: 1e9},
		Addrs: []netip.AddrPort{netip.MustParseAddrPort("192.168.1.5:47820")}, Verified: true,
	}
}

func tv() model.Peer {
	return model.Peer{
		ID: "c", Name: "tv-box", OS: "Windows 11", Via: "broadcast", Adapter: model.Adapter{Kind: model.Ethernet, Link: 1e8},
		Addrs: []netip.AddrPort{netip.MustParseAddrPort("192.168.1.9:47820")}, Verified: true,
	}
}

// gigabit is a made-up test over a good gigabit cable.
func gigabit() *model.Result {
	adapter := model.Adapter{Name: "eth0", Kind: model.Ethernet, Link: 1e9, Duplex: "full", MTU: 1500}
	r := &model.Result{
		Schema: model.Schema, ID: "run", Started: time.Date(2026, 11, 30, 14, 5, 0, 0, time.Local),
		Role: model.Initiator, Protocol: model.Linkpace, Transport: model.TCP, Mode: model.ModeLink, Outcome: model.Completed,
		Asked: model.DefaultSpec(), Effective: model.Effective{Spec: model.DefaultSpec()},
		Local:  model.Endpoint{Name: "desk", ID: "a", OS: "Fedora 42", Cores: 4, Adapter: adapter},
		Remote: model.Endpoint{Name: "nas", ID: "b", OS: "Debian 12", Cores: 2, Adapter: adapter},
		Phases: model.DefaultSpec().Phases,
		Notes:  []model.Note{{Side: model.Local, Code: "buffer", Text: "The system gave smaller buffers than asked for."}},
	}
	at := time.Duration(0)
	for i := range r.Phases {
		r.Phases[i].Start = at
		r.Samples = append(r.Samples, phaseSamples(i, r.Phases[i])...)
		at += r.Phases[i].Duration
	}
	return r
}

func phaseSamples(index int, p model.Phase) (samples []model.Sample) {
	const every = 100 * time.Millisecond
	var bytes units.Bytes
	for i := 1; time.Duration(i)*every <= p.Duration; i++ {
		at := p.Start + time.Duration(i)*every
		bytes += units.BitRate(935e6 + 8e6*math.Sin(float64(i))).In(every)
		for _, way := range []model.Direction{model.Send, model.Receive} {
			if p.Direction.Has(way) {
				samples = append(samples, model.Sample{
					At: at, Phase: index, Side: model.Receiver(way), Dir: way, Flow: model.SumFlow, Bytes: bytes,
				})
			}
		}
		ping, busy := 300*time.Microsecond, 0.05
		if p.Direction != model.Idle {
			ping, busy = time.Duration(1500+400*math.Sin(float64(i)*1.7))*time.Microsecond, 0.45+0.1*math.Sin(float64(i)/3)
		}
		samples = append(samples,
			model.Sample{At: at, Phase: index, Side: model.Local, Flow: model.SumFlow, Ping: ping},
			model.Sample{At: at, Phase: index, Side: model.Local, Flow: model.SumFlow, Host: &model.Host{Cores: []float64{busy, 0.1}}},
			model.Sample{At: at, Phase: index, Side: model.Remote, Flow: model.SumFlow, Host: &model.Host{Cores: []float64{0.2, busy * 1.4}}},
		)
	}
	return samples
}

func (f *fakeRun) isStopped() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stopped
}
