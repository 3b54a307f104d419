// Command lpace is Linkpace in a terminal: it measures the link between this
// computer and another one, is found and tested by others, and shows and
// exports what was measured.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"linkpace/cmd/internal/build"
	"linkpace/cmd/internal/node"
	"linkpace/engine"
)

func main() {
	log.SetOutput(io.Discard) // a library of discovery's talks there to nobody in particular
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the program at once.
	context.AfterFunc(ctx, stop)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run carries out a command line and returns the exit code.
func run(ctx context.Context, args []string, out, errOut io.Writer) int {
	a := &app{out: out, errOut: errOut}
	root := a.command()
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	code := exitCode(err)
	var silent *exitError
	if !errors.As(err, &silent) {
		fmt.Fprintln(errOut, "lpace: "+engine.Sentence(err))
		if code == exitUsage {
			fmt.Fprintln(errOut, "Try: lpace help")
		}
	}
	return code
}

// app is what all commands share.
type app struct {
	out, errOut io.Writer
	verbose     bool
}

func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "lpace",
		Short: "Measure the link between two of your own computers",
		Long: `lpace measures how fast the link between this computer and another one is,
whether that is good, and what limits it. Both computers run Linkpace: the
window, or "lpace serve".`,
		Example: `  lpace serve                    on the other computer
  lpace peers                    who is there
  lpace test NAS                 measure the link to NAS, both ways
  lpace test self                measure what this computer alone can do`,
		Version:       build.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          usageArgs(cobra.NoArgs),
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("lpace {{.Version}}\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage(err) })
	root.PersistentFlags().BoolVarP(&a.verbose, "verbose", "v", false, "say on standard error what happens inside")
	root.AddCommand(a.serveCommand(), a.peersCommand(), a.testCommand(), a.historyCommand(), a.versionCommand())
	return root
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  lpace version",
		Args:    usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.out, "lpace "+build.Version)
			return err
		},
	}
}

// log is where the insides speak: nowhere unless asked.
func (a *app) log() *slog.Logger {
	if !a.verbose {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(a.errOut, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// open puts the program together and says what does not work.
func (a *app) open(ctx context.Context, o node.Options) (*node.Node, error) {
	o.Log = a.log()
	n, err := node.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	a.warn(n.Warnings...)
	return n, nil
}

func (a *app) warn(sentences ...string) {
	for _, s := range sentences {
		fmt.Fprintln(a.errOut, "lpace: "+strings.TrimSpace(s))
	}
}

// usageArgs makes a wrong number of arguments a mistake of usage.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usage(fmt.Errorf("%w; usage: %s", err, cmd.UseLine()))
		}
		return nil
	}
}
