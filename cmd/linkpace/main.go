// Command linkpace is the window: it measures the link between two computers
// with one click, and lets other computers test with this one when the person
// agrees.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"

	"linkpace/cmd/internal/build"
	"linkpace/engine"
)

// Exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, out, problems io.Writer) int {
	o, err := parse(args, problems)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitDone
	case err != nil:
		return exitUsage
	case o.version:
		fmt.Fprintf(out, "linkpace %s (%s/%s)\n", build.Version, runtime.GOOS, runtime.GOARCH)
		return exitDone
	}
	if err := display(runtime.GOOS, os.Getenv); err != nil {
		return fail(problems, err)
	}
	if err := window(context.Background(), o); err != nil {
		return fail(problems, err)
	}
	return exitDone
}

func fail(problems io.Writer, err error) int {
	fmt.Fprintln(problems, "linkpace: "+engine.Sentence(err))
	return exitFailed
}

// options are the flags.
type options struct {
	name    string
	port    uint16
	version bool
}

func parse(args []string, problems io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("linkpace", flag.ContinueOnError)
	flags.SetOutput(problems)
	flags.StringVar(&o.name, "name", "", "what others call this computer")
	flags.BoolVar(&o.version, "version", false, "print the version and end")
	port := flags.Uint("port", 0, "TCP and UDP port on which others reach this computer (default: the usual one, or a free one near it)")
	flags.Usage = func() {
		fmt.Fprintln(problems, "linkpace opens the window. The same without a window is lpace.")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, refuse(problems, fmt.Errorf("linkpace: %q is not understood: linkpace takes flags only, see linkpace --help", flags.Arg(0)))
	}
	if *port > 65535 {
		return o, refuse(problems, fmt.Errorf("linkpace: --port is %d: use 1 to 65535", *port))
	}
	o.port = uint16(*port) //nolint:gosec // checked above
	return o, nil
}

func refuse(problems io.Writer, err error) error {
	fmt.Fprintln(problems, err)
	return err
}
