package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"fyne.io/fyne/v2/app"

	"linkpace/cmd/internal/build"
	"linkpace/cmd/internal/node"
	"linkpace/engine/control"
	"linkpace/gui"
)

// window opens the window and returns when it was closed and everything is kept.
func window(ctx context.Context, o options) error {
	consent := new(consent)
	n, err := node.Open(ctx, node.Options{Name: o.name, Policy: func(n *node.Node) control.Policy {
		consent.attach(n)
		return consent
	}})
	if err != nil {
		return err
	}
	trouble := append([]string(nil), n.Warnings...)
	if err := reach(ctx, n, o.port); err != nil {
		trouble = append(trouble, err.Error())
	}
	self, closeSelf, err := node.OpenSelf(n.Settings.Name, nil)
	if err != nil {
		n.Close()
		return fmt.Errorf("prepare the test of this computer: %w", err)
	}
	end := sync.OnceFunc(func() {
		n.Close()
		closeSelf()
	})
	defer end()
	return show(gui.Deps{
		Tests: tests{n.Engine}, Peers: n.Peers, History: store{n.History}, Consent: consent,
		Self:   describer{n, self, strings.Join(trouble, " ")}.describe,
		Folder: documents(), Version: build.Version,
	}, consent, end)
}

// reach makes this computer reachable; where that fails it can still test others.
func reach(ctx context.Context, n *node.Node, port uint16) error {
	listen := n.Listen(ctx, port, port != 0)
	if listen == nil {
		return nil
	}
	if n.Peers == nil {
		if err := n.Look(ctx); err != nil {
			return err
		}
	}
	return fmt.Errorf("Others cannot find or test this computer: %w", listen) //nolint:staticcheck // a sentence for people
}

// quitLimit is how long the toolkit may take to end after everything was kept.
const quitLimit = 2 * time.Second

// show runs the window until it is closed. end keeps what has to be kept; it is
// called before the toolkit is told to quit, which sometimes hangs or fails.
func show(deps gui.Deps, consent *consent, end func()) (err error) {
	var closing atomic.Bool
	finish := func() {
		closing.Store(true)
		end()
		time.AfterFunc(quitLimit, func() { os.Exit(exitDone) })
	}
	defer func() {
		if trouble := recover(); trouble != nil && !closing.Load() {
			end()
			err = crash(trouble)
		}
	}()
	told, ignore := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer ignore()
	defer context.AfterFunc(told, finish)() // the toolkit closes the window by itself then
	app.SetMetadata(metadata())
	a := app.New()
	ui := gui.New(a, deps)
	consent.ask(ui)
	ui.OnClose(finish)
	ui.Show()
	a.Run()
	ui.Stop()
	return nil
}

// crash makes a sentence of a panic of the toolkit.
func crash(trouble any) error {
	text := fmt.Sprint(trouble)
	if strings.Contains(text, "GLFW library is not initialized") || strings.Contains(text, "NotInitialized") {
		return errNoDisplay
	}
	return errors.New("the window ended unexpectedly: " + text + "\n" + string(debug.Stack()))
}
