package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// layer is one kind of test. The layers and what each proves stand in
// testLayers.
type layer struct {
	name  string
	needs []need
	// cannot says why the layer cannot run on this computer; nil and "" mean
	// that it can.
	cannot func() string
	run    func(ctx context.Context, b *bench, out io.Writer) error
}

// bench is what the layers of one call share.
type bench struct {
	house
	fuzz  time.Duration
	built map[target]bool
}

// outcome is how a layer ended.
type outcome string

const (
	passed  outcome = "passed"
	failed  outcome = "failed"
	skipped outcome = "skipped"
)

type result struct {
	layer   string
	outcome outcome
	reason  string
	took    time.Duration
}

// testOptions are the flags of the verb test.
type testOptions struct {
	only, skip string
	fuzz       time.Duration
}

func testFlags() (*flag.FlagSet, *testOptions) {
	set, o := newFlags("test"), new(testOptions)
	set.StringVar(&o.only, "only", "", "run these `layers` alone, with commas between them")
	set.StringVar(&o.skip, "skip", "", "leave these `layers` out; they count as skipped")
	set.DurationVar(&o.fuzz, "fuzz", 3*time.Second, "how `long` each fuzzer looks for new inputs")
	return set, o
}

func testVerb() verb {
	var layers []string
	for _, l := range testLayers() {
		layers = append(layers, l.name)
	}
	return verb{
		name: "test", args: "[flags]", short: "run all tests",
		long: `Installs what the tests need and runs every layer of them: ` + strings.Join(layers, ", ") + `.
A layer that cannot run on this computer is skipped with its reason, and counted;
where the variable CI is "true" that is a failure.`,
		example: "go run ./cmd/dev test --only format,vet,gates,unit",
		flags:   func() *flag.FlagSet { set, _ := testFlags(); return set },
		run:     test,
	}
}

func test(ctx context.Context, h house, v verb, args []string) error {
	set, o := testFlags()
	if err := v.noArguments(set, args); err != nil {
		return err
	}
	only, err := layerNames(o.only)
	if err != nil {
		return err
	}
	skip, err := layerNames(o.skip)
	if err != nil {
		return err
	}
	b := &bench{house: h, fuzz: o.fuzz, built: map[target]bool{}}
	var results []result
	for _, l := range testLayers() {
		if len(only) > 0 && !slices.Contains(only, l.name) {
			continue
		}
		results = append(results, b.report(ctx, l, slices.Contains(skip, l.name)))
	}
	return summarise(h.out, results)
}

// layerNames takes a list of layers apart. A name that is none would silently
// test less than was asked for.
func layerNames(list string) ([]string, error) {
	var found []string
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if name == "" {
			continue
		}
		if !slices.ContainsFunc(testLayers(), func(l layer) bool { return l.name == name }) {
			return nil, usageError(fmt.Sprintf("there is no layer %q; see: go run ./cmd/dev help test", name))
		}
		found = append(found, name)
	}
	return found, nil
}

// report runs a layer and says how it went, with all it printed when it failed.
func (b *bench) report(ctx context.Context, l layer, leaveOut bool) result {
	r := result{layer: l.name, outcome: skipped, reason: "left out by --skip"}
	if !leaveOut {
		fmt.Fprintf(b.out, "%s ...\n", l.name)
		var out transcript
		began := time.Now()
		r = b.runLayer(ctx, l, &out)
		r.took = time.Since(began)
		if r.outcome == failed {
			fmt.Fprintf(b.out, "\n--- %s ---\n%s\n", l.name, out.String())
		}
	}
	fmt.Fprintln(b.out, r)
	return r
}

func (b *bench) runLayer(ctx context.Context, l layer, out io.Writer) result {
	if reason := b.obstacle(ctx, l); reason != "" {
		if os.Getenv("CI") == "true" {
			return result{layer: l.name, outcome: failed, reason: "must not be skipped here: " + reason}
		}
		return result{layer: l.name, outcome: skipped, reason: reason}
	}
	if err := l.run(ctx, b, out); err != nil {
		return result{layer: l.name, outcome: failed, reason: err.Error()}
	}
	return result{layer: l.name, outcome: passed}
}

// obstacle provides what the layer needs and tells what stands in its way.
func (b *bench) obstacle(ctx context.Context, l layer) string {
	if ctx.Err() != nil {
		return "interrupted"
	}
	if l.cannot != nil {
		if reason := l.cannot(); reason != "" {
			return reason
		}
	}
	if err := b.sys.provide(l.needs); err != nil {
		return err.Error()
	}
	return ""
}

// transcript keeps what the programs of a layer print, several at a time.
type transcript struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (t *transcript) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.Write(p)
}

func (t *transcript) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(t.text.String())
}

func (r result) String() string {
	text := fmt.Sprintf("%-10s %-8s %6.1f s", r.layer, r.outcome, r.took.Seconds())
	if r.reason != "" {
		text += "  " + strings.ReplaceAll(r.reason, "\n", " ")
	}
	return text
}

// summarise prints a line for each layer and one that counts them, the last
// thing the verb prints.
func summarise(out io.Writer, results []result) error {
	count := map[outcome]int{}
	fmt.Fprintln(out, "\nSummary")
	for _, r := range results {
		count[r.outcome]++
		fmt.Fprintln(out, r)
	}
	fmt.Fprintf(out, "%d passed, %d failed, %d skipped\n", count[passed], count[failed], count[skipped])
	if count[failed] > 0 {
		return exitError(exitFailed)
	}
	return nil
}
