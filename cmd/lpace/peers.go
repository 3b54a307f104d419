package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"linkpace/cmd/internal/node"
	"linkpace/discovery"
	"linkpace/engine/control"
	"linkpace/engine/model"
)

const (
	defaultWait = 3 * time.Second
	// settled is how long nobody new must have come for a search that nobody
	// set a time for to end early.
	settled = time.Second
)

func (a *app) peersCommand() *cobra.Command {
	wait := defaultWait
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "peers",
		Short: "List the computers that can be tested",
		Long: `peers lists the computers of this network that run Linkpace. Without --wait it
ends as soon as nobody new has come for a second, after 3 s at the latest.`,
		Example: `  lpace peers
  lpace peers --json --wait 5s
  lpace peers forget NAS          accept a new key of NAS`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.peers(cmd.Context(), wait, cmd.Flags().Changed("wait"), asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	cmd.Flags().Var(lengthValue{&wait, 100 * time.Millisecond, time.Hour}, "wait", "how long to look")
	cmd.AddCommand(a.forgetCommand())
	return cmd
}

func (a *app) forgetCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "forget NAME|ADDRESS|CODE",
		Short:   "Forget the key of a computer, after Linkpace was installed anew on it",
		Example: "  lpace peers forget NAS",
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := a.open(cmd.Context(), node.Options{WithoutHistory: true})
			if err != nil {
				return err
			}
			defer n.Close()
			count, err := n.Pins.Forget(args[0])
			if err != nil {
				return err
			}
			if count == 0 {
				return &model.Problem{Side: model.Local, Op: "forget", Code: model.CodeNotFound, Text: fmt.Sprintf("No computer %q is known.", args[0])}
			}
			_, err = fmt.Fprintf(a.out, "Forgotten: %s (%d entries). It is met anew at the next test.\n", args[0], count)
			return err
		},
	}
}

func (a *app) peers(ctx context.Context, wait time.Duration, whole, asJSON bool) error {
	n, err := a.open(ctx, node.Options{WithoutHistory: true})
	if err != nil {
		return err
	}
	defer n.Close()
	if err := n.Look(ctx); err != nil {
		return err
	}
	looking, done := context.WithTimeout(ctx, wait)
	defer done()
	pause := settled
	if whole {
		pause = wait
	}
	found := gather(looking, n.Peers, pause)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if asJSON {
		return a.printJSON(found)
	}
	a.warn(n.Peers.State().Problems...)
	return a.printPeers(found)
}

// gather collects peers until ctx ends, or until somebody is there and nobody
// new has come for a while.
func gather(ctx context.Context, s *discovery.Service, pause time.Duration) []model.Peer {
	found := append([]model.Peer{}, s.Peers()...)
	newest := time.Now()
	for rev := uint64(0); ; {
		step, done := ctx, context.CancelFunc(func() {})
		if len(found) > 0 {
			step, done = context.WithDeadline(ctx, newest.Add(pause))
		}
		peers, next, err := s.Next(step, rev)
		done()
		if err != nil {
			return found
		}
		if len(peers) != len(found) {
			newest = time.Now()
		}
		found, rev = append([]model.Peer{}, peers...), next
	}
}

func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.out)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

func (a *app) printPeers(found []model.Peer) error {
	if len(found) == 0 {
		_, err := fmt.Fprintln(a.out, "Nobody found. Open Linkpace on another computer of this network, or start: lpace serve")
		return err
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tADDRESS\tSYSTEM\tADAPTER\tCODE")
	for _, p := range found {
		address := ""
		if len(p.Addrs) > 0 {
			address = p.Addrs[0].String()
		}
		name := p.Name
		if p.SameMachine {
			name += " (this computer)"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", name, address, p.OS, adapterWords(p.Adapter), control.ShortCode(p.ID))
	}
	return w.Flush()
}

// adapterWords tells an adapter in a few words: "ethernet 1 Gb/s (eth0)".
func adapterWords(a model.Adapter) string {
	var words []string
	if a.Kind != "" {
		words = append(words, string(a.Kind))
	}
	if a.Link > 0 {
		words = append(words, a.Link.Nominal())
	}
	if a.Name != "" {
		words = append(words, "("+a.Name+")")
	}
	return strings.Join(words, " ")
}
