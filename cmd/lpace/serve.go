package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"linkpace/cmd/internal/node"
	"linkpace/engine"
	"linkpace/engine/control"
	"linkpace/engine/model"
)

type serveOptions struct {
	name, allow string
	port        int
	once        bool
}

func (a *app) serveCommand() *cobra.Command {
	o := serveOptions{allow: "local"}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Be found and be tested by other computers",
		Long: `serve lets other computers find this one and test the link to it, until it is
ended with Ctrl-C. Starting it is the consent; --allow narrows or widens it:
  local   computers of this network (the default)
  known   computers that were met before
  any     every computer that reaches this one`,
		Example: `  lpace serve
  lpace serve --name NAS --allow known
  lpace serve --once              end after one test`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.serve(cmd.Context(), o, cmd.Flags().Changed("port"))
		},
	}
	cmd.Flags().StringVar(&o.name, "name", "", "what others call this computer")
	cmd.Flags().Var(countValue{&o.port, 1, 65535}, "port", fmt.Sprintf("TCP and UDP port (default %d, or a free one near it)", control.DefaultPort))
	cmd.Flags().Var(wordValue{&o.allow, []string{"local", "known", "any"}}, "allow", "who may test")
	cmd.Flags().BoolVar(&o.once, "once", false, "end after one test")
	return cmd
}

func (a *app) serve(ctx context.Context, o serveOptions, exact bool) error {
	n, err := a.open(ctx, node.Options{Name: o.name, Policy: func(n *node.Node) control.Policy {
		switch o.allow {
		case "any":
			return control.AllowAny()
		case "known":
			return control.AllowKnown(n.Pins)
		}
		return control.AllowLocal()
	}})
	if err != nil {
		return err
	}
	defer n.Close()
	if err := n.Listen(ctx, uint16(o.port), exact); err != nil {
		return err
	}
	a.greet(n, o.allow)
	return a.watch(ctx, n, o.once)
}

// greet says how others reach this computer.
func (a *app) greet(n *node.Node, allow string) {
	who := map[string]string{"local": "computers of this network", "known": "computers met before", "any": "every computer that reaches this one"}[allow]
	fmt.Fprintf(a.out, "%s can be found and tested on port %d by %s. Its code is %s.\n", n.Settings.Name, n.Port.Number(), who, control.ShortCode(n.Identity.ID))
	var addresses []string
	for _, at := range n.Addresses() {
		addresses = append(addresses, at.String())
	}
	if len(addresses) > 0 {
		fmt.Fprintf(a.out, "Its addresses: %s\n", strings.Join(addresses, "  "))
	}
	if err := n.Port.NoUDP(); err != nil {
		a.warn(fmt.Sprintf("UDP does not work here (%v): others have to type this computer's address, and delay is measured over TCP.", err))
	}
	fmt.Fprintln(a.out, "On the other computer, open Linkpace or type: lpace test "+n.Settings.Name)
	fmt.Fprintln(a.out, "Stop with Ctrl-C.")
}

// watch tells of the tests that others do, until ctx ends or, with once, after
// the first.
func (a *app) watch(ctx context.Context, n *node.Node, once bool) error {
	for from := 0; ; {
		runs, err := n.Engine.Runs(ctx, from)
		if err != nil {
			return nil // ended by the person, as meant
		}
		from += len(runs)
		for _, r := range runs {
			result, err := a.follow(ctx, r)
			if err != nil {
				return nil
			}
			if once {
				return codeOf(result)
			}
		}
	}
}

func (a *app) follow(ctx context.Context, r *engine.Run) (*model.Result, error) {
	_, remote := r.Ends()
	fmt.Fprintf(a.out, "%s (%s) tests with this computer.\n", remote.Name, remote.Address)
	result, err := r.Result(ctx)
	if err != nil {
		r.Cancel()
		return nil, err
	}
	for _, s := range result.Summaries() {
		fmt.Fprintf(a.out, "  %s\n", oneLine(s))
	}
	if result.Problem != nil {
		fmt.Fprintf(a.out, "  %s\n", result.Problem.Text)
	}
	return result, nil
}

func codeOf(r *model.Result) error {
	if code := resultCode(r); code != exitDone {
		return &exitError{code}
	}
	return nil
}
