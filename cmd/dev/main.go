// Command dev sets Linkpace up, runs it and tests it, the same way on every
// system: go run ./cmd/dev help. It uses the standard library alone, so that a
// machine with nothing but Go and git can start with it. The rules of the
// repository are tests of this package, each with its reason.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// Exit codes of every verb.
const (
	exitFailed = 1
	exitUsage  = 2
)

// house is what a verb works on: the repository and the place it reports to.
type house struct {
	root string
	out  io.Writer
	sys  system
}

// exitError ends the program with the exit code of something it ran, which has
// said everything there is to say.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// usageError is a mistake in the arguments.
type usageError string

func (e usageError) Error() string { return string(e) }

func main() {
	// Both are caught so that what a verb started is ended with it.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := start(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// start runs one verb and returns the exit code.
func start(ctx context.Context, args []string, out, problems io.Writer) int {
	root, err := findRoot()
	if err != nil {
		fmt.Fprintln(problems, err)
		return exitFailed
	}
	return exitCode(dispatch(ctx, house{root: root, out: out, sys: thisSystem(out)}, args), problems)
}

func exitCode(err error, problems io.Writer) int {
	var ended exitError
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &ended):
		return int(ended)
	case errors.As(err, &usage):
		fmt.Fprintln(problems, err)
		return exitUsage
	default:
		fmt.Fprintln(problems, err)
		return exitFailed
	}
}
