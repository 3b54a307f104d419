package main

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// fuzzer is one fuzz test and the folder of its package.
type fuzzer struct{ dir, name string }

// fuzz lets every fuzzer look for new inputs for a short time: the go command
// fuzzes one function at a time.
func fuzz(ctx context.Context, b *bench, out io.Writer) error {
	all, err := fuzzers(b.root)
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

// fuzzers finds the fuzz tests by reading the test files.
func fuzzers(root string) ([]fuzzer, error) {
	names, err := goFiles(root)
	if err != nil {
		return nil, err
	}
	var found []fuzzer
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && isFuzzer(f) {
				found = append(found, fuzzer{path.Dir(name), f.Name.Name})
			}
		}
	}
	return found, nil
}

func isFuzzer(f *ast.FuncDecl) bool {
	return f.Recv == nil && strings.HasPrefix(f.Name.Name, "Fuzz") && f.Type.Params.NumFields() == 1
}
