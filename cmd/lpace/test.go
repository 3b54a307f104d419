package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"linkpace/cmd/internal/node"
	"linkpace/engine"
	"linkpace/engine/export"
	"linkpace/engine/model"
)

func (a *app) testCommand() *cobra.Command {
	o := defaultOptions()
	cmd := &cobra.Command{
		Use:   "test PEER",
		Short: "Measure the link to another computer",
		Long: `test measures the delay of the idle link, then sends, receives, and does both at
once, and says what limits the link. PEER is a name from "lpace peers", an
address (HOST or HOST:PORT), or "self" for this computer alone.

Every figure is payload that the receiver got, without the warm-up. Sizes count
in 1024 (128K, 4M), rates in 1000 (500M is 500 million bits per second).`,
		Example: `  lpace test NAS
  lpace test 192.168.1.20 --direction send --time 10s --streams 8
  lpace test NAS --udp --rate 100M           does the link carry 100 megabit without loss?
  lpace test NAS --udp                       how much gets through?
  lpace test NAS --bytes 10G --direction send
  lpace test NAS --endless                   until Ctrl+C
  lpace test NAS --mode app --verify         as a program sees it, every byte checked
  lpace test NAS --cpu 2/0 --congestion cubic
  lpace test [fe80::1%eth0]:47820 --json > result.json
  lpace test self`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.complete(cmd.Flags().Changed); err != nil {
				return err
			}
			return a.test(cmd.Context(), args[0], o)
		},
	}
	addFlags(cmd, testFlags(&o))
	return cmd
}

func (a *app) test(ctx context.Context, text string, o testOptions) error {
	files, err := openFiles(o)
	if err != nil {
		return err
	}
	defer files.discard()
	n, err := a.open(ctx, node.Options{})
	if err != nil {
		return err
	}
	defer n.Close()
	peer, closePeer, err := a.target(ctx, n, text)
	if err != nil {
		return a.unfound(n, o, err)
	}
	defer closePeer()
	if peer, err = ofFamily(peer, o.spec.Family); err != nil {
		return a.unfound(n, o, err)
	}
	run, err := n.Engine.Start(context.WithoutCancel(ctx), peer, o.spec)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, run.Cancel)()
	result, err := a.show(run)
	if err != nil {
		return err
	}
	return a.report(result, o, files)
}

// target finds whom to test with; self is a second engine in this program.
func (a *app) target(ctx context.Context, n *node.Node, text string) (model.Peer, func(), error) {
	if text == "self" {
		return node.OpenSelf(n.Settings.Name, a.log())
	}
	peer, err := a.find(ctx, n, text)
	return peer, func() {}, err
}

// unfound ends a test without a peer. A script that reads Results gets one.
func (a *app) unfound(n *node.Node, o testOptions, err error) error {
	if !o.asJSON {
		return err
	}
	result := n.Engine.Unstarted(o.spec, err)
	if failed := export.JSON(a.out, result); failed != nil {
		return fmt.Errorf("print the result: %w", failed)
	}
	a.warn(result.Problem.Text)
	return codeOf(result)
}

// show draws the run while it goes on and returns its Result.
func (a *app) show(run *engine.Run) (*model.Result, error) {
	view := newView(a.errOut, run)
	defer view.close()
	for at := (engine.Cursor{}); ; {
		samples, result, next, err := run.Next(context.Background(), at)
		if err != nil {
			return nil, err
		}
		at = next
		view.add(samples)
		if result != nil {
			return result, nil
		}
	}
}

// report prints the Result and writes the files asked for. The exit code says
// how the test ended.
func (a *app) report(r *model.Result, o testOptions, files *files) error {
	write := export.Text
	if o.asJSON {
		write = export.JSON
	}
	if r.Measured() || o.asJSON {
		if err := write(a.out, r); err != nil {
			return fmt.Errorf("print the result: %w", err)
		}
	}
	if err := files.write(r); err != nil {
		return err
	}
	if r.Problem != nil {
		a.warn(r.Problem.Text)
	}
	for _, note := range r.Notes {
		if note.Code == "not_kept" {
			a.warn(note.Text)
		}
	}
	return codeOf(r)
}

// writer is how one kind of file is written.
type writer func(io.Writer, *model.Result) error
