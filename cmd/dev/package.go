package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

type packageOptions struct{ out string }

func packageFlags() (*flag.FlagSet, *packageOptions) {
	set, o := newFlags("package"), new(packageOptions)
	set.StringVar(&o.out, "out", "dist", "the `folder` that the programs go to")
	return set, o
}

func packageVerb() verb {
	return verb{
		name: "package", args: "[flags]", short: "build the programs to hand out",
		long: `Builds the terminal program for Linux (amd64, arm64) and Windows (amd64), and the
window for this computer; on Linux also the window for Windows when a compiler for
it is there. The files are named after program, version and system.`,
		example: "go run ./cmd/dev package --out dist",
		flags:   func() *flag.FlagSet { set, _ := packageFlags(); return set },
		run:     packageAll,
	}
}

func packageAll(ctx context.Context, h house, v verb, args []string) error {
	set, o := packageFlags()
	if err := v.noArguments(set, args); err != nil {
		return err
	}
	m, err := readMetadata(h.root)
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(o.out)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := h.sys.provide(here(window).needs()); err != nil {
		return err
	}
	for _, t := range buildTargets() {
		if err := h.packageOne(ctx, t, filepath.Join(dir, t.packageName(m.version))); err != nil {
			return err
		}
	}
	return nil
}

func (h house) packageOne(ctx context.Context, t target, file string) error {
	// Nobody needs a compiler for another system to make the packages of this one.
	if missing := h.sys.missing(t.needs()); t.goos != runtime.GOOS && len(missing) > 0 {
		fmt.Fprintf(h.out, "%s is left out: it needs %s\n", filepath.Base(file), names(missing))
		return nil
	}
	fmt.Fprintln(h.out, "building", file)
	return t.build(ctx, h.root, file, true, h.out)
}

// packageName says which program the file holds and what it runs on.
func (t target) packageName(version string) string {
	name := fmt.Sprintf("%s-%s-%s-%s", t.program, version, t.goos, t.goarch)
	if t.goos == "windows" {
		name += ".exe"
	}
	return name
}
