package main

import (
	"context"
	"io"
	"os"
	"runtime"
)

// testLayers lists the layers, those that fail fast first.
func testLayers() []layer {
	return []layer{
		{name: "format", run: format},
		{name: "gates", run: gates},
		{name: "vet", run: vet},
		{name: "unit", run: unit},
		{name: "race", needs: []need{compiler()}, run: race},
		{name: "fuzz", run: fuzz},
		{name: "build", needs: buildNeeds(), run: buildAll},
		{name: "two hosts", needs: onLinux(network()), cannot: noNamespaces, run: twoHosts},
		{name: "window", needs: onLinux(windowNeeds()...), cannot: notLinux, run: windowDriven},
		{name: "windows", needs: onLinux(wine(), screen(), mingw()), cannot: notLinux, run: underWine},
	}
}

// onLinux keeps the needs of a layer that runs on Linux alone away from the
// other systems.
func onLinux(needs ...need) []need {
	if runtime.GOOS == "linux" {
		return needs
	}
	return nil
}

func notLinux() string {
	if runtime.GOOS != "linux" {
		return "runs on Linux alone"
	}
	return ""
}

func noNamespaces() string {
	if reason := notLinux(); reason != "" {
		return reason
	}
	if os.Getuid() != 0 {
		return "making network namespaces takes root"
	}
	return ""
}

func windowNeeds() []need {
	needs := append(append(here(window).needs(), windowShow(runtime.GOOS)...), screen())
	if noNamespaces() == "" {
		needs = append(needs, network())
	}
	return needs
}

// buildTargets are the programs of every system that Linkpace is for, as far
// as they can be built on this one.
func buildTargets() []target {
	targets := []target{
		{terminal, "linux", "amd64"}, {terminal, "linux", "arm64"}, {terminal, "windows", "amd64"},
		here(window),
	}
	if runtime.GOOS == "linux" {
		targets = append(targets, target{window, "windows", "amd64"})
	}
	return targets
}

func buildNeeds() []need {
	var needs []need
	for _, t := range buildTargets() {
		needs = append(needs, t.needs()...)
	}
	return needs
}

// provideProgram builds a target once and returns its file. The programs of
// this computer go where run looks for them, the others beside them.
func (b *bench) provideProgram(ctx context.Context, t target, log io.Writer) (string, error) {
	file := b.bin(t)
	if t.goos == runtime.GOOS && t.goarch != runtime.GOARCH {
		file += "-" + t.goarch
	}
	if b.built[t] {
		return file, nil
	}
	if err := t.build(ctx, b.root, file, t.goos != runtime.GOOS, log); err != nil {
		return "", err
	}
	b.built[t] = true
	return file, nil
}
