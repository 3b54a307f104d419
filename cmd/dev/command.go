package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// command is one program that a verb starts.
type command struct {
	dir   string
	env   []string // added to the environment of this process
	limit time.Duration
	name  string
	args  []string
}

// run waits for the command, with all it prints going to out. It is ended with
// everything it started when its limit or ctx is over.
func (c command) run(ctx context.Context, out io.Writer) error {
	return c.wait(ctx, out, out)
}

// output returns what the command prints as its result; the rest goes to log.
func (c command) output(ctx context.Context, log io.Writer) ([]byte, error) {
	var result bytes.Buffer
	err := c.wait(ctx, &result, log)
	return result.Bytes(), err
}

func (c command) wait(ctx context.Context, out, problems io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, c.limit)
	defer cancel()
	cmd := c.prepare(ctx)
	cmd.Stdout, cmd.Stderr = out, problems
	ownGroup(cmd)
	// A service that the command leaves behind may hold its output open.
	cmd.WaitDelay = 5 * time.Second
	err := cmd.Run()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("%s: not done within %v", c, c.limit)
	case errors.Is(err, exec.ErrWaitDelay):
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", c, err)
	}
	return nil
}

// attach gives the command this terminal, keyboard included, and returns its
// exit code as an exitError. An interrupt reaches the command directly, so this
// process waits for what the command makes of it. Without a limit the person
// at the terminal decides how long it runs.
func (c command) attach() error {
	ctx := context.Background()
	if c.limit > 0 {
		limited, cancel := context.WithTimeout(ctx, c.limit)
		defer cancel()
		ctx = limited
	}
	cmd := c.prepare(ctx)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	var ended *exec.ExitError
	if errors.As(err, &ended) && ended.ExitCode() > 0 {
		return exitError(ended.ExitCode())
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c, err)
	}
	return nil
}

func (c command) prepare(ctx context.Context) *exec.Cmd {
	cmd := exec.CommandContext(ctx, c.name, c.args...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), c.env...)
	return cmd
}

func (c command) String() string {
	return strings.Join(append([]string{c.name}, c.args...), " ")
}
