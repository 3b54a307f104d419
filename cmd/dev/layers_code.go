package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	goformat "go/format"
	"io"
	"os"
	"path/filepath"
	"time"
)

// withoutC are the settings of tests that need neither a C compiler nor a
// display: with the tag ci the window's toolkit leaves OpenGL out.
func withoutC(goos string) []string { return []string{"GOOS=" + goos, "CGO_ENABLED=0"} }

// goCommand runs the go command in the repository.
func (h house) goCommand(env []string, limit time.Duration, args ...string) command {
	return command{dir: h.root, env: env, limit: limit, name: "go", args: args}
}

// format finds the files that gofmt would change.
func format(_ context.Context, b *bench, out io.Writer) error {
	names, err := goFiles(b.root)
	if err != nil {
		return err
	}
	bad := 0
	for _, name := range names {
		same, err := formatted(filepath.Join(b.root, name))
		switch {
		case err != nil:
			fmt.Fprintf(out, "%s: %v\n", name, err)
			bad++
		case !same:
			fmt.Fprintf(out, "%s: not formatted; run: gofmt -w %s\n", name, name)
			bad++
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d files", bad, len(names))
	}
	return nil
}

func formatted(file string) (bool, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return false, err
	}
	want, err := goformat.Source(src)
	return bytes.Equal(src, want), err
}

// gates runs the rules of the repository, which are tests of this package.
func gates(ctx context.Context, b *bench, out io.Writer) error {
	return b.goCommand(withoutC(b.sys.goos), 5*time.Minute, "test", "-count=1", "./cmd/dev").run(ctx, out)
}

func vet(ctx context.Context, b *bench, out io.Writer) error {
	return errors.Join(
		b.goCommand(withoutC("linux"), 15*time.Minute, "vet", "-tags", "ci", "./...").run(ctx, out),
		b.goCommand(withoutC("windows"), 15*time.Minute, "vet", "-tags", "ci", "./...").run(ctx, out),
	)
}

func unit(ctx context.Context, b *bench, out io.Writer) error {
	return b.goCommand(withoutC(b.sys.goos), 20*time.Minute, "test", "-tags", "ci", "./...").run(ctx, out)
}

func race(ctx context.Context, b *bench, out io.Writer) error {
	return b.goCommand([]string{"CGO_ENABLED=1"}, 30*time.Minute, "test", "-race", "-tags", "ci", "./...").run(ctx, out)
}

func buildAll(ctx context.Context, b *bench, out io.Writer) error {
	var problems []error
	for _, t := range buildTargets() {
		if _, err := b.provideProgram(ctx, t, out); err != nil {
			problems = append(problems, fmt.Errorf("%s for %s/%s: %w", t.program, t.goos, t.goarch, err))
		}
	}
	return errors.Join(problems...)
}
