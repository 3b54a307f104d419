package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// child is a program that a measurement started. Whatever it starts is ended
// with it.
type child struct {
	cmd      *exec.Cmd
	out, log bytes.Buffer // not to be read before done is closed
	done     chan struct{}
	err      error
}

// startChild starts a program, with the words that take it to its venue first.
func startChild(ctx context.Context, venue []string, p program) (*child, error) {
	words := append(append([]string{}, venue...), p.words...)
	c := &child{cmd: exec.CommandContext(ctx, words[0], words[1:]...), done: make(chan struct{})}
	c.cmd.Env = append(os.Environ(), p.env...)
	c.cmd.Dir = os.TempDir()
	c.cmd.Stdout, c.cmd.Stderr = &c.out, &c.log
	c.cmd.WaitDelay = time.Second
	ownGroup(c.cmd)
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", filepath.Base(p.words[0]), err)
	}
	go func() {
		defer close(c.done)
		c.err = c.cmd.Wait()
		_ = c.cmd.Cancel() // what it left behind
	}()
	return c, nil
}

// await waits until the program ends by itself.
func (c *child) await(ctx context.Context, limit time.Duration) error {
	select {
	case <-c.done:
		if errors.Is(c.err, exec.ErrWaitDelay) {
			return nil // something it started held its output open
		}
		return c.err
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(limit):
		return fmt.Errorf("it did not end within %v", limit)
	}
}

// end gives the program the time grace to end, asks it to, and then makes it.
func (c *child) end(grace time.Duration) {
	if c.endedWithin(grace) {
		return
	}
	// Where programs cannot be asked, this fails and the next step follows.
	if c.cmd.Process.Signal(os.Interrupt) == nil && c.endedWithin(2*time.Second) {
		return
	}
	_ = c.cmd.Cancel()
	<-c.done
}

func (c *child) endedWithin(limit time.Duration) bool {
	select {
	case <-c.done:
		return true
	case <-time.After(limit):
		return false
	}
}

// usage is what the ended program took.
func (c *child) usage() usage {
	state := c.cmd.ProcessState
	return usage{processor: state.UserTime() + state.SystemTime(), peak: peakMemory(state)}
}

// lastWords is the last line that the program complained with.
func (c *child) lastWords() string {
	lines := strings.Split(strings.TrimSpace(c.log.String()), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// awaitPort waits until the program's network has a TCP listener on the port.
func (c *child) awaitPort(ctx context.Context, port int) error {
	tables := []string{"tcp", "tcp6"}
	for i, name := range tables {
		tables[i] = filepath.Join("/proc", strconv.Itoa(c.cmd.Process.Pid), "net", name)
	}
	if _, err := os.Stat(tables[0]); err != nil {
		// Only Linux tells, and connecting would count as the test.
		return c.alive(ctx, time.Second)
	}
	for began := time.Now(); time.Since(began) < startLimit; {
		if anyListens(tables, port) {
			return nil
		}
		if err := c.alive(ctx, 5*time.Millisecond); err != nil {
			return err
		}
	}
	return fmt.Errorf("it does not listen on port %d after %v", port, startLimit)
}

// alive passes a time in which the program must not end.
func (c *child) alive(ctx context.Context, pause time.Duration) error {
	select {
	case <-c.done:
		return fmt.Errorf("it ended at once (%w): %s", c.err, c.lastWords())
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pause):
		return nil
	}
}

func anyListens(tables []string, port int) bool {
	for _, name := range tables {
		if text, err := os.ReadFile(name); err == nil && listens(text, port) {
			return true
		}
	}
	return false
}

// listens looks for a listener in the text of /proc/net/tcp: the second column
// ends with the port in hexadecimal and the fourth is 0A (proc_net_tcp.rst of
// the Linux kernel).
func listens(table []byte, port int) bool {
	suffix := fmt.Sprintf(":%04X", port)
	for lines := bufio.NewScanner(bytes.NewReader(table)); lines.Scan(); {
		if columns := strings.Fields(lines.Text()); len(columns) > 3 && strings.HasSuffix(columns[1], suffix) && columns[3] == "0A" {
			return true
		}
	}
	return false
}
