package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

func packageDocGate() gate {
	return gate{
		name:   "package docs",
		reason: "one place says what a package is for, and one only, or they drift apart",
		find: func(_ *testing.T, r *repo) []string {
			docs, packages := map[string][]string{}, map[string]bool{}
			for _, s := range r.sources {
				if s.isTest() {
					continue
				}
				packages[s.dir()] = true
				if s.file.Doc != nil && strings.TrimSpace(s.file.Doc.Text()) != "" {
					docs[s.dir()] = append(docs[s.dir()], s.name)
				}
			}
			var found []string
			for dir := range packages {
				if n := len(docs[dir]); n != 1 {
					found = append(found, fmt.Sprintf("%s has %d package comments %v", dir, n, docs[dir]))
				}
			}
			return found
		},
		planted: []map[string]string{
			{"a/a.go": "package a\n"},
			{"a/a.go": "// Package a is.\npackage a\n", "a/b_windows.go": "// Package a is too.\npackage a\n"},
			{"a/a.go": "//go:build linux\n\npackage a\n"},
		},
		harmless: []map[string]string{
			{"a/a.go": "// Package a is.\npackage a\n", "a/b.go": "//go:build linux\n\npackage a\n", "a/a_test.go": "package a\n"},
			{"a/a_test.go": "package a\n"},
		},
	}
}

func exportedDocGate() gate {
	return gate{
		name:   "docs of exported names",
		reason: "who uses a name should not have to read its code",
		find: func(_ *testing.T, r *repo) []string {
			var found []string
			for _, s := range r.sources {
				if s.isTest() {
					continue
				}
				for _, decl := range s.file.Decls {
					for _, name := range undocumented(decl) {
						found = append(found, s.at(name)+": "+name.Name)
					}
				}
			}
			return found
		},
		planted: []map[string]string{
			{"a/a.go": "package a\n\nfunc F() {}\n"},
			{"a/a.go": "package a\n\ntype T int\n"},
			{"a/a.go": "package a\n\n// T is.\ntype T int\n\nfunc (t *T) M() {}\n"},
			{"a/a.go": "package a\n\nconst C = 1\n"},
			{"a/a.go": "package a\n\nvar (\n\tV = 1\n)\n"},
		},
		harmless: []map[string]string{
			{"a/a.go": "package a\n\n// Words of a.\nconst (\n\tA = 1\n\tB = 2\n)\n\nconst (\n\tD = 1 // D is.\n)\n\ntype t int\n\nfunc (t) M() {}\n\nfunc f() {}\n"},
			{"a/a_test.go": "package a\n\nfunc TestX() {}\n"},
		},
	}
}

// undocumented lists the exported names that a declaration gives no comment.
func undocumented(decl ast.Decl) []*ast.Ident {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Doc == nil && d.Name.IsExported() && (d.Recv == nil || receiver(d).IsExported()) {
			return []*ast.Ident{d.Name}
		}
	case *ast.GenDecl:
		if d.Doc != nil && d.Tok != token.TYPE {
			return nil
		}
		var found []*ast.Ident
		for _, spec := range d.Specs {
			found = append(found, undocumentedIn(spec, d.Doc != nil && len(d.Specs) == 1)...)
		}
		return found
	}
	return nil
}

func undocumentedIn(spec ast.Spec, groupDoc bool) []*ast.Ident {
	var found []*ast.Ident
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if !groupDoc && s.Doc == nil && s.Name.IsExported() {
			found = append(found, s.Name)
		}
	case *ast.ValueSpec:
		for _, name := range s.Names {
			if s.Doc == nil && s.Comment == nil && name.IsExported() {
				found = append(found, name)
			}
		}
	}
	return found
}

// receiver names the type that a method belongs to.
func receiver(f *ast.FuncDecl) *ast.Ident {
	typ := f.Recv.List[0].Type
	for {
		switch t := typ.(type) {
		case *ast.StarExpr:
			typ = t.X
		case *ast.IndexExpr:
			typ = t.X
		case *ast.IndexListExpr:
			typ = t.X
		case *ast.Ident:
			return t
		default:
			return ast.NewIdent("_")
		}
	}
}
