package main

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// stateGate allows variables that are tables: values that are written down
// once and never changed, such as errors, patterns and embedded files.
func stateGate() gate {
	return gate{
		name:   "state of packages",
		reason: "state that belongs to nobody makes two engines in one program, and two tests in one run, disturb each other",
		find:   packageState,
		planted: []map[string]string{
			{"engine/a.go": "package engine\n\nvar count int\n"},
			{"engine/a.go": "package engine\n\nvar mu sync.Mutex\n"},
			{"engine/a.go": "package engine\n\nvar seen = map[string]bool{}\n", "engine/b.go": "package engine\n\nfunc f() { seen[\"a\"] = true }\n"},
			{"engine/a.go": "package engine\n\nvar cache = make(map[string]int)\n"},
			{"engine/a.go": "package engine\n\nvar now = time.Now\n\nfunc f() { now = nil }\n"},
			{"engine/a.go": "package engine\n\nvar n = 1\n\nfunc f() { n++ }\n"},
			{"engine/a.go": "package engine\n\nvar pool = &sync.Pool{}\n"},
		},
		harmless: []map[string]string{
			{"engine/a.go": "package engine\n\nvar errX = errors.New(\"x\")\n\nvar p = regexp.MustCompile(\"x\")\n\nvar _ io.Reader = r{}\n"},
			{"engine/a.go": "package engine\n\n//go:embed a.sql\nvar schema string\n"},
			{"engine/a.go": "package engine\n\nvar table = []int{1}\n\nfunc f() { table := 1; table = 2; _ = table }\n"},
			{"engine/a_test.go": "package engine\n\nvar count int\n"},
		},
	}
}

func packageState(_ *testing.T, r *repo) []string {
	written := map[string]bool{} // folder and name
	for _, s := range r.sources {
		for _, name := range assigned(s.file) {
			written[s.dir()+" "+name] = true
		}
	}
	var found []string
	for _, s := range r.sources {
		if s.isTest() {
			continue
		}
		for _, spec := range packageVars(s.file) {
			for i, name := range spec.Names {
				if name.Name != "_" && (mutable(spec, i) || written[s.dir()+" "+name.Name]) {
					found = append(found, s.at(name)+": "+name.Name)
				}
			}
		}
	}
	return found
}

// packageVars lists the variables of a file that are not embedded files.
func packageVars(file *ast.File) []*ast.ValueSpec {
	var found []*ast.ValueSpec
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.VAR || embeds(d.Doc) {
			continue
		}
		for _, spec := range d.Specs {
			if v := spec.(*ast.ValueSpec); !embeds(v.Doc) {
				found = append(found, v)
			}
		}
	}
	return found
}

func embeds(doc *ast.CommentGroup) bool {
	return doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool {
		return strings.HasPrefix(c.Text, "//go:embed ")
	})
}

// mutable recognises variables that make sense only when somebody changes
// them: without a value, or with a lock, a counter or an empty map.
func mutable(spec *ast.ValueSpec, i int) bool {
	if len(spec.Values) == 0 {
		return true
	}
	if len(spec.Values) != len(spec.Names) {
		return false
	}
	switch v := spec.Values[i].(type) {
	case *ast.CallExpr:
		return isName(v.Fun, "make") || isName(v.Fun, "new")
	case *ast.UnaryExpr:
		return v.Op == token.AND && concurrent(v.X)
	default:
		return concurrent(v)
	}
}

// concurrent recognises values of the packages sync and atomic.
func concurrent(e ast.Expr) bool {
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return false
	}
	sel, ok := lit.Type.(*ast.SelectorExpr)
	return ok && (isName(sel.X, "sync") || isName(sel.X, "atomic"))
}

// assigned lists the names outside functions that the code of a file writes to.
func assigned(file *ast.File) []string {
	var found []string
	target := func(e ast.Expr) {
		if id := base(e); id != nil && !local(file, id) {
			found = append(found, id.Name)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, e := range n.Lhs {
					target(e)
				}
			}
		case *ast.IncDecStmt:
			target(n.X)
		}
		return true
	})
	return found
}

// base is the variable that is changed when an expression is assigned to.
func base(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// local tells whether a name of the file was declared inside a function. The
// parser resolves names within a file; what it cannot resolve there is declared
// in another one, so outside functions.
func local(file *ast.File, id *ast.Ident) bool {
	return id.Obj != nil && file.Scope.Lookup(id.Name) != id.Obj
}
