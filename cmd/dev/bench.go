package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// benchOptions are the flags of the verb bench.
type benchOptions struct {
	only                string
	rounds              int
	length              time.Duration
	out                 string
	iperf3, ntttcp, eth []string
}

func benchFlags() (*flag.FlagSet, *benchOptions) {
	set, o := newFlags("bench"), new(benchOptions)
	set.StringVar(&o.only, "only", "", "measure these `tables` alone, with commas between them; \"link\" stands for all whose names begin with link-")
	set.IntVar(&o.rounds, "rounds", 5, "how `often` every case is measured")
	set.DurationVar(&o.length, "time", 3*time.Second, "how `long` one case runs; programs that count whole seconds run for the next one")
	set.StringVar(&o.out, "out", "", "write the tables to this `file`, too")
	further := func(into *[]string) func(string) error {
		return func(name string) error { *into = append(*into, name); return nil }
	}
	set.Func("iperf3", "a further `file` of iperf3 besides that in PATH; may be given again", further(&o.iperf3))
	set.Func("ntttcp", "a further `file` of ntttcp", further(&o.ntttcp))
	set.Func("ethr", "a further `file` of ethr", further(&o.eth))
	return set, o
}

func benchVerb() verb {
	var ids []string
	for _, c := range contests() {
		ids = append(ids, c.id)
	}
	return verb{
		name: "bench", args: "[flags]", short: "measure lpace side by side with iperf3, ntttcp and ethr",
		long: `Measures lpace against every one of iperf3, ntttcp and ethr that is found, one
program after the other in turns, and prints Markdown tables with medians, their
spread and the medians of the ratios of each round, then which goals are reached.
The tables: ` + strings.Join(ids, ", ") + `.

On Linux, as root, it makes two network namespaces joined by a virtual cable and
removes them at the end. Everywhere else it measures on this computer's loopback.
No table makes it fail: figures of one computer are no pass or fail.`,
		example: "go run ./cmd/dev bench --only link,app\n" +
			"go run ./cmd/dev bench --only shaped --rounds 7 --out shaped.md\n" +
			"go run ./cmd/dev bench --iperf3 ~/iperf/src/iperf3 --ntttcp ~/ntttcp --ethr ~/ethr",
		flags: func() *flag.FlagSet { set, _ := benchFlags(); return set },
		run:   benchAll,
	}
}

// benchAll is the verb.
func benchAll(ctx context.Context, h house, v verb, args []string) error {
	set, o := benchFlags()
	if err := v.noArguments(set, args); err != nil {
		return err
	}
	if o.rounds < 1 || o.length < 200*time.Millisecond || o.length > time.Minute {
		return usageError("use at least 1 round, and a time from 200ms to 1m\n\n" + v.help())
	}
	chosen, err := chooseContests(o.only)
	if err != nil {
		return err
	}
	sweepFolders(os.TempDir())
	dir, err := os.MkdirTemp("", runName("*"))
	if err != nil {
		return fmt.Errorf("make a folder for the programs to work in: %w", err)
	}
	defer os.RemoveAll(dir)
	s := series{house: h, dir: dir, rounds: o.rounds, length: o.length}
	if s.field, err = s.gather(ctx, o); err != nil {
		return err
	}
	return s.report(ctx, chosen, o.out)
}

// series is one call of the verb.
type series struct {
	house
	dir    string // to work in; removed at the end
	rounds int
	length time.Duration
	field  field
}

// gather builds lpace and finds the others.
func (s series) gather(ctx context.Context, o *benchOptions) (field, error) {
	f, err := findField(ctx, s.sys, o)
	if err != nil {
		return f, err
	}
	t := here(terminal)
	f.lpace = filepath.Join(s.dir, t.file())
	fmt.Fprintln(s.out, "Building lpace ...")
	if err := t.build(ctx, s.root, f.lpace, false, s.out); err != nil {
		return f, fmt.Errorf("build lpace: %w", err)
	}
	return f, nil
}

// report measures the chosen tables and prints them, to a file as well when one
// is named. What was measured before an interrupt is kept.
func (s series) report(ctx context.Context, chosen []contest, file string) error {
	chosen = s.feasible(chosen)
	if len(chosen) == 0 {
		return fmt.Errorf("none of these tables can be measured here: %s", noNamespaces())
	}
	var page bytes.Buffer
	out := io.MultiWriter(s.out, &page)
	fmt.Fprint(out, s.heading(time.Now(), s.facts(ctx)))
	fmt.Fprintf(s.out, "\nThis takes about %v.\n", s.estimate(chosen).Round(time.Second))
	began := time.Now()
	outcomes, err := s.measureAll(ctx, chosen, out)
	if len(outcomes) > 0 {
		fmt.Fprint(out, goalTable(judge(goals(), outcomes)))
	}
	fmt.Fprintf(s.out, "\nIt took %v.\n", time.Since(began).Round(time.Second))
	if file != "" && len(outcomes) > 0 {
		if err := os.WriteFile(file, page.Bytes(), 0o644); err != nil {
			return fmt.Errorf("write the tables: %w", err)
		}
	}
	return err
}

// feasible leaves out what takes network namespaces where there are none.
func (s series) feasible(chosen []contest) []contest {
	reason := noNamespaces()
	if reason == "" {
		return chosen
	}
	var kept []contest
	for _, c := range chosen {
		if c.route.loopback {
			kept = append(kept, c)
		}
	}
	fmt.Fprintf(s.out, "Only this computer's loopback is measured: %s.\n", reason)
	return kept
}

// aside is about how long a run takes besides its measurement: programs start,
// agree and end.
const aside = 1500 * time.Millisecond

// estimate is about how long the tables take.
func (s series) estimate(chosen []contest) time.Duration {
	var runs int
	for _, c := range chosen {
		runs += len(c.who(s.field)) * s.rounds
	}
	return time.Duration(runs) * (s.length + aside)
}

func (s series) measureAll(ctx context.Context, chosen []contest, out io.Writer) ([]tally, error) {
	if noNamespaces() == "" {
		if err := s.sys.provide([]need{network()}); err != nil {
			return nil, err
		}
		if err := s.sys.sweepVenues(ctx); err != nil {
			return nil, err
		}
	}
	var outcomes []tally
	for _, c := range chosen {
		t, err := s.measure(ctx, c)
		if ctx.Err() != nil {
			return outcomes, fmt.Errorf("interrupted while measuring %s", c.id)
		}
		if err != nil {
			return outcomes, fmt.Errorf("%s: %w", c.id, err)
		}
		outcomes = append(outcomes, t)
		fmt.Fprint(out, t.markdown())
	}
	return outcomes, nil
}
