package main

import (
	"context"
	"errors"
	"net/netip"
	"os"
	"path/filepath"

	"linkpace/cmd/internal/node"
	"linkpace/discovery"
	"linkpace/engine"
	"linkpace/engine/history"
	"linkpace/engine/model"
	"linkpace/gui"
	"linkpace/platform"
	"linkpace/platform/link"
)

// tests hands the engine's runs to the window.
type tests struct{ engine *engine.Engine }

func (t tests) Start(ctx context.Context, to model.Peer, spec model.Spec) (gui.Run, error) {
	run, err := t.engine.Start(ctx, to, spec)
	if err != nil {
		return nil, err
	}
	return run, nil
}

func (t tests) Runs(ctx context.Context, from int) ([]gui.Run, error) {
	runs, err := t.engine.Runs(ctx, from)
	list := make([]gui.Run, 0, len(runs))
	for _, run := range runs {
		list = append(list, run)
	}
	return list, err
}

// store is the history as the window lists it. Without a store it is empty and
// says why.
type store struct{ kept *history.Store }

var errNoHistory = errors.New("The history cannot be opened, so nothing is kept.") //nolint:staticcheck // a sentence for people

func (s store) List(ctx context.Context, most int) ([]gui.Entry, error) {
	if s.kept == nil {
		return nil, errNoHistory
	}
	entries, err := s.kept.List(ctx, history.Filter{Limit: most})
	list := make([]gui.Entry, 0, len(entries))
	for _, e := range entries {
		list = append(list, gui.Entry{
			ID: e.ID, Started: e.Started, Local: e.Local, Remote: e.Remote, SameMachine: e.SameMachine,
			To: e.Send, From: e.Receive, Outcome: e.Outcome,
		})
	}
	return list, err
}

func (s store) Get(ctx context.Context, id string) (*model.Result, error) {
	if s.kept == nil {
		return nil, errNoHistory
	}
	return s.kept.Get(ctx, id)
}

func (s store) Delete(ctx context.Context, id string) error {
	if s.kept == nil {
		return errNoHistory
	}
	return s.kept.Delete(ctx, id)
}

// describer tells the window about this computer.
type describer struct {
	node    *node.Node
	self    model.Peer
	trouble string
}

func (d describer) describe() gui.Self {
	addrs := d.node.Addresses()
	return gui.Self{
		Endpoint:  model.Endpoint{Name: d.node.Settings.Name, ID: d.node.Identity.ID, OS: platform.OSName(), Adapter: adapterOf(addrs)},
		Addrs:     addrs,
		UsualPort: discovery.DefaultPort,
		Peer:      d.self,
		Trouble:   d.trouble,
	}
}

// adapterOf is the adapter of the best address.
func adapterOf(addrs []netip.AddrPort) model.Adapter {
	if len(addrs) == 0 {
		return model.Adapter{}
	}
	adapter, err := link.ByAddress(addrs[0].Addr())
	if err != nil {
		return model.Adapter{}
	}
	return engine.AdapterFacts(adapter)
}

// documents is where files are saved: the person's folder for documents, or the
// home folder.
func documents() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return "."
	}
	folder := filepath.Join(home, "Documents")
	if info, err := os.Stat(folder); err == nil && info.IsDir() {
		return folder
	}
	return home
}
