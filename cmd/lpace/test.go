package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"linkpace/cmd/internal/node"
	"linkpace/engine"
	"linkpace/engine/export"
	"linkpace/engine/model"
)

type testOptions struct {
	spec           model.Spec
	direction      string
	mode           string
	length, warmup time.Duration
	asJSON         bool
	csv, picture   string
}

func (a *app) testCommand() *cobra.Command {
	o := testOptions{spec: model.DefaultSpec(), direction: "all", mode: string(model.ModeLink), length: model.DefaultTime, warmup: model.DefaultWarmup}
	cmd := &cobra.Command{
		Use:   "test PEER",
		Short: "Measure the link to another computer",
		Long: `test measures the delay of the idle link, then sends, receives, and does both at
once, and says what limits the link. PEER is a name from "lpace peers", an
address (HOST or HOST:PORT), or "self" for this computer alone.

Every figure is payload that the receiver got, without the warm-up.`,
		Example: `  lpace test NAS
  lpace test 192.168.1.20 --direction send --time 10s --streams 8
  lpace test [fe80::1%eth0]:47820 --json > result.json
  lpace test self`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("warmup") {
				o.warmup = min(o.warmup, o.length/3)
			}
			return a.test(cmd.Context(), args[0], o)
		},
	}
	f := cmd.Flags()
	f.Var(wordValue{&o.direction, []string{"send", "receive", "both", "all"}}, "direction", "what to measure; send means that this computer sends")
	f.Var(lengthValue{&o.length, model.MinPhase, model.MaxPhase}, "time", "length of each phase, its warm-up included")
	f.Var(lengthValue{&o.warmup, 0, model.MaxPhase}, "warmup", "beginning of each phase that is not measured")
	f.Var(countValue{&o.spec.Streams, 1, model.MaxStreams}, "streams", "connections in each direction")
	f.Var(rateValue{&o.spec.Rate}, "rate", "most that each direction sends, like 500M; 0 is as fast as possible")
	f.Var(lengthValue{&o.spec.Interval, model.MinInterval, model.MaxInterval}, "interval", "time between samples")
	f.Var(sizeValue{&o.spec.Block, 1, model.MaxBlock}, "block", "size of one write (default: chosen by the program)")
	f.Var(wordValue{&o.mode, []string{string(model.ModeLink), string(model.ModeApp)}}, "mode", "link: received bytes may be discarded unseen; app: each is copied as a program would")
	f.BoolVar(&o.spec.Verify, "verify", false, "check every byte that arrives")
	f.StringVar(&o.spec.Bind, "bind", "", "adapter or address of this computer to use")
	f.BoolVar(&o.asJSON, "json", false, "print the result as JSON and nothing else on standard output")
	f.StringVar(&o.csv, "csv", "", "write all samples to a CSV file")
	f.StringVar(&o.picture, "save-picture", "", "write the chart to a PNG file")
	return cmd
}

// phases turns the wish for directions into phases.
func (o testOptions) phases() []model.Phase {
	directions := []model.Direction{model.Direction(o.direction)}
	if o.direction == "all" {
		directions = []model.Direction{model.Send, model.Receive, model.Both}
	}
	return model.Plan(directions, o.length, o.warmup)
}

func (a *app) test(ctx context.Context, text string, o testOptions) error {
	o.spec.Phases, o.spec.Mode = o.phases(), model.Mode(o.mode)
	if err := o.spec.Validate(); err != nil {
		return usage(err)
	}
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
