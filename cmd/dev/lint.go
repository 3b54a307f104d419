package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// The linters, each with the version whose findings the code is free of.
const (
	golangci    = "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0"
	govulncheck = "golang.org/x/vuln/cmd/govulncheck@v1.9.0"
)

func lintVerb() verb {
	return verb{
		name: "lint", short: "look for mistakes that compile",
		long: `Runs golangci-lint over the code for Linux and for Windows, then looks up known
faults of the modules with govulncheck, where its data base can be reached. Both
are built in fixed versions, the first time they are asked for.`,
		example: "go run ./cmd/dev lint",
		run:     lint,
	}
}

func lint(ctx context.Context, h house, v verb, args []string) error {
	if err := v.noArguments(newFlags(v.name), args); err != nil {
		return err
	}
	linter, err := h.tool(ctx, golangci)
	if err != nil {
		return err
	}
	var problems []error
	for _, goos := range []string{"linux", "windows"} {
		fmt.Fprintln(h.out, "golangci-lint for", goos)
		problems = append(problems, command{
			dir: h.root, env: withoutC(goos), limit: 20 * time.Minute,
			name: linter, args: []string{"run", "--build-tags", "ci", "./..."},
		}.run(ctx, h.out))
	}
	return errors.Join(append(problems, h.vulnerabilities(ctx))...)
}

// vulnerabilities looks up the modules in the data base of known faults.
func (h house) vulnerabilities(ctx context.Context) error {
	checker, err := h.tool(ctx, govulncheck)
	if err != nil {
		return err
	}
	fmt.Fprintln(h.out, "govulncheck")
	var printed bytes.Buffer
	err = command{
		dir: h.root, env: withoutC("linux"), limit: 10 * time.Minute,
		name: checker, args: []string{"-tags", "ci", "./..."},
	}.run(ctx, io.MultiWriter(h.out, &printed))
	if err != nil && offline(printed.Bytes()) {
		fmt.Fprintln(h.out, "The data base of known faults cannot be reached from here: the modules were not looked up.")
		return nil
	}
	return err
}

// offline recognises the ways in which a look-up fails before it was answered.
func offline(printed []byte) bool {
	return regexp.MustCompile(`no such host|dial tcp|i/o timeout|connection refused|network is unreachable|TLS handshake`).Match(printed)
}

// tool builds a program of the Go world into a folder of its own and returns
// its file. What was built before is used again.
func (h house) tool(ctx context.Context, source string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	name := filepath.Base(source)
	dir := filepath.Join(cache, "linkpace-dev", name)
	program := filepath.Join(dir, regexp.MustCompile(`@.*`).ReplaceAllString(name, ""))
	if h.sys.goos == "windows" {
		program += ".exe"
	}
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	fmt.Fprintln(h.out, "building", name)
	// The tool is built for this computer, whatever is being checked.
	env := []string{"GOBIN=" + dir, "CGO_ENABLED=0", "GOOS=", "GOARCH=", "GOFLAGS="}
	return program, h.goCommand(env, 20*time.Minute, "install", source).run(ctx, h.out)
}
