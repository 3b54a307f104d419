package main

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func sizeGate() gate {
	return gate{
		name:   "file sizes",
		reason: "a file over 600 lines holds more than one thing; over 400 the question is worth asking",
		find: func(t *testing.T, r *repo) []string {
			var found []string
			for _, s := range r.sources {
				lines := bytes.Count(s.text, []byte("\n"))
				if lines > 400 {
					t.Logf("%s has %d lines", s.name, lines)
				}
				if lines > 600 {
					found = append(found, fmt.Sprintf("%s has %d lines", s.name, lines))
				}
			}
			return found
		},
		planted:  []map[string]string{{"a/a.go": "package a\n" + strings.Repeat("\n", 600)}},
		harmless: []map[string]string{{"a/a.go": "package a\n" + strings.Repeat("\n", 599)}},
	}
}

func nameGate() gate {
	vague := regexp.MustCompile(`^(utils?|common|helpers?|misc|shared)$`)
	return gate{
		name:   "names",
		reason: "a package or file named after nothing collects everything",
		find: func(_ *testing.T, r *repo) []string {
			var found []string
			for _, s := range r.sources {
				stem := strings.TrimSuffix(strings.TrimSuffix(path.Base(s.name), ".go"), "_test")
				if vague.MatchString(stem) || vague.MatchString(s.file.Name.Name) || vague.MatchString(path.Base(s.dir())) {
					found = append(found, s.name)
				}
			}
			return found
		},
		planted: []map[string]string{
			{"engine/util/x.go": "package x\n"},
			{"engine/x.go": "package common\n"},
			{"engine/helpers_test.go": "package engine\n"},
		},
		harmless: []map[string]string{{"engine/uncommon.go": "package engine\n"}},
	}
}

func topLevelGate() gate {
	fixed := []string{
		"cmd", "gui", "engine", "discovery", "platform", "assets",
		"FyneApp.toml", "go.mod", "go.sum", "README.md", "LICENSE", "CHANGELOG.md",
		".ci", ".git", ".gitattributes", ".gitignore", ".golangci.yml",
	}
	commands := []string{"dev", "internal", "linkpace", "lpace"}
	return gate{
		name:   "top level",
		reason: "the first look at the repository shows the parts of the program and nothing else",
		find: func(t *testing.T, r *repo) []string {
			var found []string
			for _, name := range list(t, r.root) {
				if !slices.Contains(fixed, name) && !built(name) {
					found = append(found, name)
				}
			}
			for _, name := range list(t, path.Join(r.root, "cmd")) {
				if !slices.Contains(commands, name) {
					found = append(found, "cmd/"+name)
				}
			}
			return found
		},
		planted:  []map[string]string{{"scripts/x.sh": ""}, {"Makefile": ""}, {"cmd/tool/x.go": "package main\n"}},
		harmless: []map[string]string{{"bin/lpace": "", "cmd/dev/x.go": "package main\n", "README.md": ""}},
	}
}

// list names what is in a folder; a folder that is not there is empty.
func list(t *testing.T, dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func isText(name string) bool {
	return !slices.Contains([]string{".png", ".ico", ".syso", ".db"}, path.Ext(name)) &&
		!strings.Contains("/"+name, "/testdata/")
}

func lineEndGate() gate {
	return gate{
		name:   "line ends",
		reason: "goldens and scripts compare bytes, so every system has the same ones",
		find: func(t *testing.T, r *repo) []string {
			var found []string
			for _, name := range r.files {
				if isText(name) && bytes.Contains(readFile(t, r.root, name), []byte("\r\n")) {
					found = append(found, name)
				}
			}
			return found
		},
		planted:  []map[string]string{{"README.md": "a\r\n"}, {".ci/run": "a\r\n"}},
		harmless: []map[string]string{{"README.md": "a\n", "assets/icon.png": "\x89PNG\r\n", "engine/testdata/x": "\r\n"}},
	}
}

// wordGate builds its patterns from parts, so that it does not find itself.
func wordGate() gate {
	forbidden := regexp.MustCompile(strings.Join([]string{
		`/` + `work/`, `/` + `root/`, `/` + `home/[a-z]`,
		`\b(proxy|registry|deb|security|sum)\.(golang|debian|npmjs)\.`,
		`(?i)\bco-authored` + `-by:`,
	}, "|"))
	return gate{
		name:   "words",
		reason: "a path or host of one machine means nothing on another",
		find: func(t *testing.T, r *repo) []string {
			var found []string
			for _, name := range r.files {
				if !isText(name) {
					continue
				}
				if hit := forbidden.Find(readFile(t, r.root, name)); hit != nil {
					found = append(found, fmt.Sprintf("%s: %s", name, hit))
				}
			}
			return found
		},
		planted: []map[string]string{
			{"README.md": "see /" + "work/main\n"},
			{"cmd/lpace/x.go": "package main\n\n// in /" + "root/go\n"},
			{".ci/run": "curl https://registry." + "npmjs.org\n"},
		},
		harmless: []map[string]string{{"README.md": "the network / work place, golang.org/x/sys, teamwork/rooting\n"}},
	}
}
