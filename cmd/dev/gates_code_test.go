package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"strings"
	"testing"
)

// unitGate looks for text that a figure is put into. A unit right after digits
// is an example for the reader, as in "500 Mbit/s is accepted".
func unitGate() gate {
	unit := regexp.MustCompile(`(?:[kKMGT]b/s|[kKMGT]B/s|\bbits?/s|[kKMGT]i?bits?/s|[kKMGT]bps\b|\bbps\b|[kKMGT]bit\b)`)
	example := regexp.MustCompile(`\d ?$`)
	written := func(text string) bool {
		for _, at := range unit.FindAllStringIndex(text, -1) {
			if !example.MatchString(text[:at[0]]) {
				return true
			}
		}
		return false
	}
	return gate{
		name:   "units",
		reason: "figures are printed and converted by engine/units alone, so that all of them look and round the same",
		find: func(_ *testing.T, r *repo) []string {
			var found []string
			for _, s := range r.sources {
				if s.isTest() || s.dir() == "engine/units" {
					continue
				}
				ast.Inspect(s.file, func(n ast.Node) bool {
					switch n := n.(type) {
					case *ast.BasicLit:
						if n.Kind == token.STRING && written(n.Value) {
							found = append(found, s.at(n)+": "+n.Value)
						}
					case *ast.BinaryExpr:
						if convertsRate(n) {
							found = append(found, s.at(n)+": converts a rate")
						}
					}
					return true
				})
			}
			return found
		},
		planted: []map[string]string{
			{"gui/a.go": "package gui\n\nvar a = \"%.1f Mb/s\"\n"},
			{"gui/a.go": "package gui\n\nvar a = x + \" Gbit/s\"\n"},
			{"gui/a.go": "package gui\n\nvar a = \"Mbps\"\n"},
			{"gui/a.go": "package gui\n\nvar a = rate / 1e6\n"},
			{"engine/a.go": "package engine\n\nvar a = float64(bytes) * 8\n"},
			{"engine/a.go": "package engine\n\nvar a = s.LinkBps / 1_000_000\n"},
		},
		harmless: []map[string]string{
			{"gui/a.go": "package gui\n\nvar a = \"like 500M, which is 500 Mbit/s, or 2.5 Gb/s\"\n"},
			{"gui/a.go": "package gui\n\nvar a = \"rate_bps\"\n\nvar b = `json:\"link_bps\"`\n"},
			{"engine/a.go": "package engine\n\nvar a = elapsed.Nanoseconds() / 1e6\n\nvar b = width * 8\n"},
			{"engine/units/a.go": "package units\n\nvar a = \"Mb/s\"\n"},
		},
	}
}

// convertsRate recognises a factor between bits and bytes or between prefixes,
// next to a name that says rate.
func convertsRate(n *ast.BinaryExpr) bool {
	if n.Op != token.MUL && n.Op != token.QUO {
		return false
	}
	factor := regexp.MustCompile(`^(8|8\.0|1e3|1e6|1e9|1000|1000000|1000000000|125000)$`)
	rate := regexp.MustCompile(`(?i)(rate|bps|bytes?|speed|throughput|bandwidth)$`)
	is := func(e ast.Expr) bool {
		lit, ok := e.(*ast.BasicLit)
		return ok && factor.MatchString(strings.ReplaceAll(lit.Value, "_", ""))
	}
	speaks := func(e ast.Expr) bool { return rate.MatchString(lastName(e)) }
	return is(n.X) && speaks(n.Y) || is(n.Y) && speaks(n.X)
}

// lastName is the name that says what an expression holds.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.ParenExpr:
		return lastName(e.X)
	case *ast.CallExpr:
		if len(e.Args) == 1 {
			return lastName(e.Args[0])
		}
		return lastName(e.Fun)
	}
	return ""
}

func threadGate() gate {
	return gate{
		name:   "fyne.Do",
		reason: "one file carries values to the window's thread, once a frame; a second way there can flood it or lock up at the end",
		find: func(_ *testing.T, r *repo) []string {
			var found []string
			for _, s := range r.sources {
				if s.name == "gui/pump.go" {
					continue
				}
				ast.Inspect(s.file, func(n ast.Node) bool {
					sel, ok := n.(*ast.SelectorExpr)
					if ok && isName(sel.X, "fyne") && (sel.Sel.Name == "Do" || sel.Sel.Name == "DoAndWait") {
						found = append(found, s.at(n))
					}
					return true
				})
			}
			return found
		},
		planted: []map[string]string{
			{"gui/live.go": "package gui\n\nfunc f() { fyne.Do(nil) }\n"},
			{"cmd/linkpace/main.go": "package main\n\nvar run = fyne.DoAndWait\n"},
		},
		harmless: []map[string]string{{"gui/pump.go": "package gui\n\nfunc f() { fyne.Do(nil) }\n", "gui/x.go": "package gui\n\nfunc f() { once.Do(nil) }\n"}},
	}
}

func isName(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

func initGate() gate {
	return gate{
		name:   "init",
		reason: "what a program consists of is written where it is put together, not registered behind its back",
		find: func(_ *testing.T, r *repo) []string {
			var found []string
			for _, s := range r.sources {
				for _, decl := range s.file.Decls {
					if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
						found = append(found, s.at(f))
					}
				}
			}
			return found
		},
		planted:  []map[string]string{{"engine/a.go": "package engine\n\nfunc init() { register() }\n"}},
		harmless: []map[string]string{{"engine/a.go": "package engine\n\nfunc (t t) init() {}\n"}},
	}
}

func resultGate() gate {
	return gate{
		name:   "results",
		reason: "a protocol counts bytes; the Result is put together by the engine, the same way for all protocols",
		find: func(_ *testing.T, r *repo) []string {
			var found []string
			for _, s := range r.sources {
				if s.isTest() || !strings.HasPrefix(s.name, "engine/protocol/") {
					continue
				}
				ast.Inspect(s.file, func(n ast.Node) bool {
					lit, ok := n.(*ast.CompositeLit)
					if !ok {
						return true
					}
					if sel, ok := lit.Type.(*ast.SelectorExpr); ok && isName(sel.X, "model") && sel.Sel.Name == "Result" {
						found = append(found, fmt.Sprintf("%s builds a Result", s.at(n)))
					}
					return true
				})
			}
			return found
		},
		planted:  []map[string]string{{"engine/protocol/native/a.go": "package native\n\nvar r = model.Result{}\n"}},
		harmless: []map[string]string{{"engine/run.go": "package engine\n\nvar r = model.Result{}\n"}},
	}
}
