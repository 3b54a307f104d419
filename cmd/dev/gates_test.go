package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// gate is a rule of the repository. It reads files in this process: what a
// subprocess reads is unknown to the test cache, which would then repeat an old
// answer about new files.
type gate struct {
	name   string
	reason string
	// find returns every place that breaks the rule.
	find func(t *testing.T, r *repo) []string
	// planted and harmless are small repositories, file name to text. The gate
	// must object to each of the first kind and to none of the second.
	planted  []map[string]string
	harmless []map[string]string
}

func allGates() []gate {
	return []gate{
		importGate(), sizeGate(), nameGate(), topLevelGate(), lineEndGate(), wordGate(),
		packageDocGate(), exportedDocGate(), unitGate(), threadGate(), initGate(), stateGate(), resultGate(),
	}
}

func TestGates(t *testing.T) {
	root, err := findRoot()
	if err != nil {
		t.Fatal(err)
	}
	r := readRepo(t, root)
	for _, g := range allGates() {
		t.Run(g.name, func(t *testing.T) {
			for _, place := range g.find(t, r) {
				t.Errorf("%s\n\twhy: %s", place, g.reason)
			}
		})
	}
}

// TestGatesCatch shows each gate a repository that breaks its rule, because a
// gate that finds nothing looks like a clean repository.
func TestGatesCatch(t *testing.T) {
	for _, g := range allGates() {
		t.Run(g.name, func(t *testing.T) {
			if len(g.planted) == 0 {
				t.Error("nothing is planted for this gate")
			}
			for _, files := range g.planted {
				if found := g.find(t, plant(t, files)); len(found) == 0 {
					t.Errorf("not caught: %v", files)
				}
			}
			for _, files := range g.harmless {
				if found := g.find(t, plant(t, files)); len(found) > 0 {
					t.Errorf("%v in %v", found, files)
				}
			}
		})
	}
}

// repo is a repository that has been read.
type repo struct {
	root    string
	files   []string // all, with slashes, relative to root
	sources []source
}

// source is one Go file.
type source struct {
	name string // with slashes, relative to the root
	text []byte
	fset *token.FileSet
	file *ast.File
}

func (s source) dir() string  { return path.Dir(s.name) }
func (s source) isTest() bool { return strings.HasSuffix(s.name, "_test.go") }

// at names a place in the file for a message.
func (s source) at(node ast.Node) string {
	p := s.fset.Position(node.Pos())
	p.Filename = s.name
	return p.String()
}

func readRepo(t *testing.T, root string) *repo {
	t.Helper()
	all, err := files(root)
	if err != nil {
		t.Fatal(err)
	}
	goNames, err := goFiles(root)
	if err != nil {
		t.Fatal(err)
	}
	r := &repo{root: root, files: all}
	for _, name := range goNames {
		r.sources = append(r.sources, readSource(t, root, name))
	}
	return r
}

func readSource(t *testing.T, root, name string) source {
	t.Helper()
	text := readFile(t, root, name)
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return source{name: name, text: text, fset: fset, file: file}
}

func readFile(t *testing.T, root, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func plant(t *testing.T, files map[string]string) *repo {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return readRepo(t, root)
}
