package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"runtime"
	"time"
)

// twoHosts measures the link between network namespaces that the tests of
// lpace make, each as good as a computer of its own.
func twoHosts(ctx context.Context, b *bench, out io.Writer) error {
	env := append(withoutC("linux"), "LINKPACE_NETNS=1")
	return b.mustRun(ctx, out, env, "TestNetns", "./cmd/lpace")
}

// windowDriven starts the real window on a screen of its own and lets the
// tests of linkpace click through it.
func windowDriven(ctx context.Context, b *bench, out io.Writer) error {
	for _, program := range []string{window, terminal} {
		if _, err := b.provideProgram(ctx, here(program), out); err != nil {
			return err
		}
	}
	x, err := openScreen(ctx, b.sys, out)
	if err != nil {
		return err
	}
	defer x.close()
	env := append(withoutC(runtime.GOOS), x.env()...)
	env = append(env, "LINKPACE_WINDOW=1", "LINKPACE_BIN="+filepath.Join(b.root, "bin"))
	return b.mustRun(ctx, out, env, "TestWindow", "./cmd/linkpace")
}

// mustRun runs the tests with a prefix in their names, and fails when there
// was none or one was skipped: the go command calls both a success.
func (b *bench) mustRun(ctx context.Context, out io.Writer, env []string, prefix, pkg string) error {
	var printed bytes.Buffer
	c := b.goCommand(env, 20*time.Minute, "test", "-tags", "ci", "-count=1", "-v", "-run", "^"+prefix, pkg)
	if err := c.run(ctx, io.MultiWriter(out, &printed)); err != nil {
		return err
	}
	return allPassed(printed.String(), prefix)
}

func allPassed(printed, prefix string) error {
	if skipped := regexp.MustCompile(`(?m)^\s*--- SKIP: (\S+)`).FindStringSubmatch(printed); skipped != nil {
		return fmt.Errorf("%s was skipped", skipped[1])
	}
	if !regexp.MustCompile(`(?m)^--- PASS: ` + prefix).MatchString(printed) {
		return fmt.Errorf("there is no test whose name begins with %s", prefix)
	}
	return nil
}
