package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strings"
)

// testFunc is a test and the folder of its package.
type testFunc struct{ dir, name string }

// findTests reads the test files and lists the functions that match.
func findTests(root string, match func(*ast.FuncDecl) bool) ([]testFunc, error) {
	names, err := goFiles(root)
	if err != nil {
		return nil, err
	}
	var found []testFunc
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && match(f) {
				found = append(found, testFunc{path.Dir(name), f.Name.Name})
			}
		}
	}
	return found, nil
}
