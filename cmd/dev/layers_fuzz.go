package main

import (
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
		// The limit leaves time for a cold build on a slow computer.
		c := b.goCommand(withoutC(b.sys.goos), b.fuzz+10*time.Minute, "test", "-tags", "ci",
			"-run", "^$", "-fuzz", "^"+f.name+"$", "-fuzztime", b.fuzz.String(), "./"+f.dir)
		if err := c.run(ctx, out); err != nil {
			problems = append(problems, fmt.Errorf("%s in %s", f.name, f.dir))
		}
	}
	return errors.Join(problems...)
}

// isFuzzer recognises what go test -fuzz can run.
func isFuzzer(f *ast.FuncDecl) bool {
	return strings.HasPrefix(f.Name.Name, "Fuzz") && f.Type.Params.NumFields() == 1
}
