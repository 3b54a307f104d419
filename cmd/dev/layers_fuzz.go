package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"io"
	"strings"
	"time"
)

// fuzz lets every fuzzer look for new inputs for a short time: the go command
// fuzzes one function at a time.
func fuzz(ctx context.Context, b *bench, out io.Writer) error {
	all, err := findTests(b.root, isFuzzer)
	if err != nil {
		return err
	}
	var problems []error
	for _, f := range all {
		if err := b.fuzzOne(ctx, f, out); err != nil {
			problems = append(problems, fmt.Errorf("%s in %s", f.name, f.dir))
		}
	}
	return errors.Join(problems...)
}

// fuzzOne runs one fuzzer. Up to Go 1.26 the go command may call it a failure
// that a worker was still busy when the time ended (golang/go#75804); nothing
// was found then.
func (b *bench) fuzzOne(ctx context.Context, f testFunc, out io.Writer) error {
	var said bytes.Buffer
	// The limit leaves time for a cold build on a slow computer. Making an
	// interesting input smaller is given little time, or it takes all.
	c := b.goCommand(withoutC(b.sys.goos), b.fuzz+10*time.Minute, "test", "-tags", "ci",
		"-run", "^$", "-fuzz", "^"+f.name+"$", "-fuzztime", b.fuzz.String(), "-fuzzminimizetime", "10x", "./"+f.dir)
	err := c.run(ctx, io.MultiWriter(out, &said))
	if err != nil && endedBusy(said.String()) {
		return nil
	}
	return err
}

// endedBusy recognises the output of a fuzzer that found nothing but did not
// end in time: the deadline is the whole message, and no input was kept.
func endedBusy(output string) bool {
	return strings.Contains(output, "\n    context deadline exceeded\n") && !strings.Contains(output, "Failing input written")
}

// isFuzzer recognises what go test -fuzz can run.
func isFuzzer(f *ast.FuncDecl) bool {
	return strings.HasPrefix(f.Name.Name, "Fuzz") && f.Type.Params.NumFields() == 1
}
