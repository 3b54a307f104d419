// Package node puts together what both programs are made of: the engine, the
// history, discovery and this computer's settings. It decides nothing that one
// of them does not.
package node

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/netip"
	"path/filepath"
	"sync"

	"linkpace/cmd/internal/build"
	"linkpace/discovery"
	"linkpace/engine"
	"linkpace/engine/control"
	"linkpace/engine/history"
	"linkpace/engine/model"
	"linkpace/platform"
	"linkpace/platform/settings"
)

// Options say what kind of program this is.
type Options struct {
	// Name overrides what this computer is called.
	Name string
	// Policy makes the answer to whether others may test; nil refuses.
	Policy func(*Node) control.Policy
	// WithoutHistory leaves the history closed, for programs that neither test
	// nor show results: opening it checks the whole file.
	WithoutHistory bool
	Log            *slog.Logger
}

// Node is one running program.
type Node struct {
	Dirs     platform.Dirs
	Settings settings.Settings
	Identity *control.Identity
	Pins     *control.Pins
	Engine   *engine.Engine
	// History is nil when it was not asked for or cannot be opened; Warnings
	// then says why.
	History *history.Store
	// Peers looks for other computers, once Listen or Look was called.
	Peers *discovery.Service
	// Port is what this program listens on, once Listen was called.
	Port *control.Port
	// Warnings are sentences about what does not work but ends nothing.
	Warnings []string

	log      *slog.Logger
	instance string
	serving  sync.WaitGroup
	stop     context.CancelFunc
	socket   *discovery.Socket
	adapters *adapterCache
}

// Open reads what is kept and makes the engine. Damaged settings or keys are an
// error; a history or a folder that cannot be written is a warning, since a
// test is possible without.
func Open(ctx context.Context, o Options) (*Node, error) {
	n := &Node{log: o.Log, instance: newInstance(), adapters: &adapterCache{}}
	if n.log == nil {
		n.log = slog.New(slog.DiscardHandler)
	}
	if err := n.load(); err != nil {
		return nil, err
	}
	if !o.WithoutHistory {
		n.openHistory(ctx)
	}
	if o.Name != "" {
		n.Settings.Name = model.CleanText(o.Name, settings.MaxName)
	}
	config := engine.Config{
		Name: n.Settings.Name, Version: build.Version, Identity: n.Identity, Pins: n.Pins,
		Keep: n.keep, Log: n.log,
	}
	if o.Policy != nil {
		config.Policy = o.Policy(n)
	}
	n.Engine = engine.New(config)
	return n, nil
}

func (n *Node) load() (err error) {
	if n.Dirs, err = platform.UserDirs(); err != nil {
		return err
	}
	if n.Settings, err = settings.Load(n.Dirs.Config); err != nil {
		return err
	}
	if n.Pins, err = control.LoadPins(n.Dirs.Config); err != nil {
		return err
	}
	if err := n.Dirs.Make(); err != nil {
		n.warn(err)
	}
	if n.Identity, err = control.LoadIdentity(n.Dirs.Config); err != nil {
		if !control.IdentityMissing(n.Dirs.Config) {
			return err
		}
		n.warn(fmt.Errorf("this computer's key cannot be kept, so others meet a new computer each time: %w", err))
		if n.Identity, err = control.NewIdentity(); err != nil {
			return err
		}
	}
	return nil
}

func (n *Node) openHistory(ctx context.Context) {
	store, err := history.Open(ctx, filepath.Join(n.Dirs.Data, history.FileName))
	if err != nil {
		n.warn(err)
		return
	}
	n.History = store
	if notice := store.Notice(); notice != "" {
		n.Warnings = append(n.Warnings, notice)
	}
}

func (n *Node) warn(err error) { n.Warnings = append(n.Warnings, engine.Sentence(err)) }

// keep puts a Result into the history.
func (n *Node) keep(ctx context.Context, r *model.Result) error {
	if n.History == nil {
		return fmt.Errorf("the history cannot be opened")
	}
	return n.History.Put(ctx, r)
}

// Listen opens the port on which others reach this computer, announces it and
// looks for others, until Close. port 0 is that of the settings or the usual
// one; a port that was asked for by exact must be free.
func (n *Node) Listen(ctx context.Context, port uint16, exact bool) error {
	if port == 0 {
		port = uint16(n.Settings.Port)
	}
	opened, err := n.Engine.Listen(port, exact)
	if err != nil {
		return err
	}
	n.Port = opened
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	n.stop = stop
	n.serving.Go(func() {
		if err := n.Engine.Serve(serving, opened); err != nil && serving.Err() == nil {
			n.log.Error("serving ended", "err", err)
		}
	})
	options := n.options()
	options.Port = opened.Number()
	if d := opened.Datagrams(); d != nil {
		options.Datagrams = d
	}
	n.Peers, err = discovery.Start(serving, options)
	if err != nil {
		return fmt.Errorf("look for other computers: %w", err)
	}
	return nil
}

// Look looks for others without listening for tests or being found.
func (n *Node) Look(ctx context.Context) error {
	options := n.options()
	socket, err := discovery.OpenDatagrams()
	if err == nil {
		n.socket, options.Datagrams = socket, socket
	} else {
		n.log.Warn("no UDP for looking", "err", err)
	}
	if n.Peers, err = discovery.Start(ctx, options); err != nil {
		return fmt.Errorf("look for other computers: %w", err)
	}
	return nil
}

func (n *Node) options() discovery.Options {
	return discovery.Options{
		ID: n.Identity.ID, Instance: n.instance, Name: n.Settings.Name, OS: platform.OSName(), Version: build.Version,
		Adapter: n.adapters.of, Store: filepath.Join(n.Dirs.Data, "peers.json"), Quiet: n.Engine.Busy, Log: n.log,
	}
}

// Close says goodbye, ends what runs and closes what is open.
func (n *Node) Close() {
	if n.Peers != nil {
		if err := n.Peers.Close(); err != nil {
			n.log.Debug("goodbye failed", "err", err)
		}
	}
	if n.stop != nil {
		n.stop()
		n.serving.Wait()
	}
	n.Engine.Wait()
	if n.socket != nil {
		_ = n.socket.Close()
	}
	if n.History != nil {
		if err := n.History.Close(); err != nil {
			n.log.Warn("history not closed", "err", err)
		}
	}
}

// Addresses are those under which others reach this computer.
func (n *Node) Addresses() []netip.AddrPort {
	if n.Peers == nil || n.Port == nil {
		return nil
	}
	var all []netip.AddrPort
	for _, a := range n.Peers.State().Addresses {
		all = append(all, netip.AddrPortFrom(a, n.Port.Number()))
	}
	return all
}

func newInstance() string {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails since Go 1.24
	return hex.EncodeToString(b[:])
}
