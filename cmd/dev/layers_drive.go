package main

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"io"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// twoHosts runs the tests that make network namespaces, each as good as a
// computer of its own.
func twoHosts(ctx context.Context, b *bench, out io.Writer) error {
	return b.mustRun(ctx, out, append(withoutC("linux"), namespaces), "TestNetns")
}

// windowDriven runs the tests that click through the real window, on a screen
// of its own; those with a cable to another computer only where namespaces can
// be made. They find the programs in the folder LINKPACE_BIN.
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
	if err := b.mustRun(ctx, out, env, "TestWindow"); err != nil || noNamespaces() != "" {
		return err
	}
	return b.mustRun(ctx, out, append(env, namespaces), "TestCabledWindow")
}

// namespaces switches the tests on that make network namespaces.
const namespaces = "LINKPACE_NETNS=1"

// mustRun runs the tests with a prefix in their names, wherever they are, one
// package after the other because they share this computer. It fails when there
// are none or one was skipped: the go command calls both a success.
func (b *bench) mustRun(ctx context.Context, out io.Writer, env []string, prefix string) error {
	tests, err := findTests(b.root, func(f *ast.FuncDecl) bool { return strings.HasPrefix(f.Name.Name, prefix) })
	if err != nil {
		return err
	}
	if len(tests) == 0 {
		return fmt.Errorf("there is no test whose name begins with %s", prefix)
	}
	args := []string{"test", "-tags", "ci", "-count=1", "-p=1", "-v", "-timeout=20m", "-run", "^" + prefix}
	for _, t := range tests {
		if folder := "./" + t.dir; !slices.Contains(args, folder) {
			args = append(args, folder)
		}
	}
	var printed bytes.Buffer
	if err := b.goCommand(env, 25*time.Minute, args...).run(ctx, io.MultiWriter(out, &printed)); err != nil {
		return err
	}
	return allPassed(printed.String(), tests)
}

func allPassed(printed string, tests []testFunc) error {
	if skipped := regexp.MustCompile(`(?m)^\s*--- SKIP: (\S+)`).FindStringSubmatch(printed); skipped != nil {
		return fmt.Errorf("%s was skipped", skipped[1])
	}
	for _, t := range tests {
		if !strings.Contains("\n"+printed, "\n--- PASS: "+t.name+" ") {
			return fmt.Errorf("%s in %s did not run", t.name, t.dir)
		}
	}
	return nil
}
