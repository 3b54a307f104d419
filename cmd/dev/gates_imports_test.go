package main

import (
	"fmt"
	"go/build"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "linkpace"

// importRule says what some packages must not import. A pattern that ends in
// "/..." stands for a package and everything below it, and "modules" for
// everything outside the standard library and this module.
type importRule struct {
	from    []string // relative to the module
	never   []string
	except  []string
	through bool // also what the packages of this module on the way import
	tests   bool // in test files too
	reason  string
}

func importRules() []importRule {
	own := func(names ...string) []string {
		for i, name := range names {
			names[i] = module + "/" + name
		}
		return names
	}
	rules := []importRule{
		{
			from: []string{"engine/..."}, through: true,
			never:  append(own("gui/...", "discovery/...", "assets/...", "cmd/..."), "fyne.io/..."),
			reason: "the engine is given a Peer and knows no window, so that the terminal program and tests run it alone",
		},
		{
			from: []string{"gui/..."}, tests: true,
			never:  []string{"net/...", "syscall", "golang.org/x/sys/...", "golang.org/x/net/...", module + "/cmd/..."},
			except: []string{"net/netip", "net/url"},
			reason: "the window shows values; whatever touches the network or the system is behind an interface it declares",
		},
		{
			from: []string{"gui/..."}, tests: true, through: true,
			never:  []string{"fyne.io/fyne/v2/app"},
			reason: "without it the tests of the window need neither a C compiler nor a display",
		},
		{
			from:   []string{"discovery/..."},
			never:  own("..."),
			except: own("discovery/...", "engine/model", "engine/units"),
			reason: "discovery knows who is there and nothing of tests",
		},
		{
			from: []string{"engine/model"}, never: own("..."), except: own("engine/units"),
			reason: "values depend on the two quantities alone",
		},
		{
			from: []string{"engine/protocol/..."}, through: true,
			never:  own("engine/export/...", "engine/verdict/...", "engine/plot/...", "engine/history/...", "engine/control/..."),
			reason: "a protocol carries bytes; what they mean is worked out from the samples, once, for all protocols",
		},
		{
			from: []string{"engine/protocol/..."}, never: []string{"golang.org/x/sys/...", "syscall"},
			reason: "a protocol decides what to send, engine/internal/sock how",
		},
		{
			from: []string{"engine/verdict/...", "engine/plot/..."}, never: []string{"net", "os", "os/exec", "net/http"},
			reason: "what is computed from a Result depends on nothing else",
		},
		{
			from: []string{"cmd/lpace/..."}, through: true, never: append(own("gui/..."), "fyne.io/..."),
			reason: "the terminal program is static and runs where no window can",
		},
		{
			from: []string{"cmd/dev/..."}, tests: true, never: append(own("..."), "modules"),
			except: own("engine/units"), // imports the standard library alone, see the next rule
			reason: "a machine with nothing but Go and git must be able to start with it, before any module is there",
		},
		{
			from: []string{"engine/units"}, never: []string{"modules"},
			reason: "cmd/dev uses it, and must build before any module is there",
		},
	}
	for _, leaf := range []string{"platform", "assets", "engine/units"} {
		rules = append(rules, importRule{
			from: []string{leaf + "/..."}, never: own("..."), except: own(leaf + "/..."),
			reason: leaf + " is a leaf, so that everybody may use it",
		})
	}
	return rules
}

func importGate() gate {
	src := func(pkg string, imports ...string) string {
		text := "package " + pkg + "\n"
		for _, name := range imports {
			text += "import _ " + strconv.Quote(name) + "\n"
		}
		return text
	}
	return gate{
		name:   "imports",
		reason: "the arrows between packages go one way; each rule has its own reason above",
		find:   brokenImports,
		planted: []map[string]string{
			{"engine/a.go": src("engine", "fyne.io/fyne/v2")},
			{"engine/a.go": src("engine", "linkpace/platform"), "platform/p.go": src("platform", "linkpace/gui")},
			{"engine/a_windows.go": src("engine", "linkpace/discovery")},
			{"engine/a_linux.go": src("engine", "linkpace/discovery")},
			{"gui/g.go": src("gui", "net")},
			{"gui/g.go": src("gui", "golang.org/x/sys/unix")},
			{"gui/g_test.go": src("gui", "fyne.io/fyne/v2/app")},
			{"gui/chart/g.go": src("chart", "fyne.io/fyne/v2/app")},
			{"discovery/d.go": src("discovery", "linkpace/engine")},
			{"platform/p.go": src("platform", "linkpace/engine/model")},
			{"engine/units/u.go": src("units", "linkpace/engine/model")},
			{"engine/protocol/native/n.go": src("native", "linkpace/engine/protocol/demo")},
			{"engine/protocol/native/n.go": src("native", "golang.org/x/sys/unix")},
			{"engine/verdict/v.go": src("verdict", "os")},
			{"cmd/lpace/m.go": src("main", "linkpace/platform"), "platform/p.go": src("platform", "fyne.io/fyne/v2")},
			{"cmd/dev/m.go": src("main", "github.com/spf13/cobra")},
			{"cmd/dev/m.go": src("main", "linkpace/engine/model")},
			{"engine/units/u.go": src("units", "golang.org/x/text/message")},
		},
		harmless: []map[string]string{
			{"gui/g.go": src("gui", "net/netip", "linkpace/engine", "fyne.io/fyne/v2"), "engine/e.go": src("engine", "net")},
			{"discovery/d.go": src("discovery", "linkpace/engine/model", "net")},
			{"platform/p.go": src("platform", "linkpace/platform/internal/winapi", "golang.org/x/sys/windows")},
			{"engine/protocol/native/n.go": src("native", "linkpace/engine/protocol", "linkpace/engine/internal/sock")},
			{"cmd/dev/m.go": src("main", "go/build", "linkpace/engine/units")},
		},
	}
}

func brokenImports(t *testing.T, r *repo) []string {
	var found []string
	for _, goos := range []string{"linux", "windows"} {
		inCode, inTests := r.imports(t, goos)
		for _, rule := range importRules() {
			found = append(found, rule.broken(inCode, inTests)...)
		}
		found = append(found, protocolsApart(inCode)...)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// imports maps each package, relative to the module, to what it imports on
// that system: in the code, and in the tests.
func (r *repo) imports(t *testing.T, goos string) (inCode, inTests map[string][]string) {
	system := build.Default
	system.GOOS, system.GOARCH, system.CgoEnabled = goos, "amd64", true
	inCode, inTests = map[string][]string{}, map[string][]string{}
	for _, s := range r.sources {
		fits, err := system.MatchFile(filepath.Join(r.root, filepath.FromSlash(s.dir())), filepath.Base(s.name))
		if err != nil {
			t.Fatal(err)
		}
		if !fits {
			continue
		}
		into := inCode
		if s.isTest() {
			into = inTests
		}
		for _, spec := range s.file.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			into[s.dir()] = append(into[s.dir()], name)
		}
	}
	return inCode, inTests
}

func (rule importRule) broken(inCode, inTests map[string][]string) []string {
	var found []string
	check := func(pkg string, imports []string) {
		for _, chain := range reach(inCode, imports, rule.through) {
			last := chain[len(chain)-1]
			if matches(rule.never, last) && !matches(rule.except, last) {
				found = append(found, fmt.Sprintf("%s imports %s: %s", pkg, strings.Join(chain, " -> "), rule.reason))
			}
		}
	}
	for pkg, imports := range inCode {
		if matches(rule.from, pkg) {
			check(pkg, imports)
		}
	}
	for pkg, imports := range inTests {
		if rule.tests && matches(rule.from, pkg) {
			check(pkg, imports)
		}
	}
	return found
}

// reach lists what is imported, each with the way to it. It goes through the
// packages of this module only when told to.
func reach(graph map[string][]string, imports []string, through bool) [][]string {
	var found [][]string
	seen := map[string]bool{}
	var walk func(way, imports []string)
	walk = func(way, imports []string) {
		for _, name := range imports {
			if seen[name] {
				continue
			}
			seen[name] = true
			next := append(slices.Clone(way), name)
			found = append(found, next)
			if own, ok := strings.CutPrefix(name, module+"/"); ok && through {
				walk(next, graph[own])
			}
		}
	}
	walk(nil, imports)
	return found
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		if pattern == "modules" {
			first, _, _ := strings.Cut(name, "/")
			return strings.Contains(first, ".")
		}
		stem, below := strings.CutSuffix(pattern, "/...")
		return name == stem || below && strings.HasPrefix(name, stem+"/")
	})
}

// protocolsApart finds a protocol that imports another one: they share the
// interface in engine/protocol and nothing else.
func protocolsApart(inCode map[string][]string) []string {
	const below = "engine/protocol/"
	first := func(s string) string { name, _, _ := strings.Cut(s, "/"); return name }
	var found []string
	for pkg, imports := range inCode {
		mine, isProtocol := strings.CutPrefix(pkg, below)
		for _, name := range imports {
			other, ok := strings.CutPrefix(name, module+"/"+below)
			if isProtocol && ok && first(mine) != first(other) {
				found = append(found, fmt.Sprintf("%s imports %s: protocols never know one another", pkg, name))
			}
		}
	}
	return found
}
