package main

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// role is what a contender stands for in the goals.
type role string

const (
	oursMain   role = "lpace"
	oursApp    role = "lpace in app mode"
	oursQuiet  role = "lpace without sampling"
	iperfPlain role = "plain newest iperf3"
	iperfBest  role = "newest iperf3 with its best flags"
	iperfGSO   role = "newest iperf3 with segmentation offload"
	anyNtttcp  role = "ntttcp"
)

// contender is a program with the flags that it takes part with.
type contender struct {
	name string
	role role // "" where no goal is about it
	duel func(w workload, at place) duel
}

// field is every program that was found.
type field struct {
	lpace  string
	iperf3 []iperf3 // the newest last
	ntttcp []ntttcp
	ethr   []string
}

// ntttcp is one build of it.
type ntttcp struct {
	file, version string
	windows       bool
}

// iperf3 is one build of it and what it can do.
type iperf3 struct {
	file, version        string
	skipsCopy, offloadsU bool
}

// findField looks for the programs in PATH and takes those that are named.
func findField(ctx context.Context, s system, o *benchOptions) (field, error) {
	var f field
	for _, file := range candidates(s, "iperf3", o.iperf3) {
		build, err := askIperf3(ctx, file)
		if err != nil {
			return f, err
		}
		f.iperf3 = append(f.iperf3, build)
	}
	slices.SortStableFunc(f.iperf3, func(a, b iperf3) int { return slices.Compare(numbers(a.version), numbers(b.version)) })
	for _, file := range candidates(s, "ntttcp", o.ntttcp) {
		f.ntttcp = append(f.ntttcp, askNtttcp(ctx, file, s.goos == "windows"))
	}
	f.ethr = candidates(s, "ethr", o.eth)
	return f, nil
}

func candidates(s system, name string, named []string) []string {
	if found := s.program(name); found != "" {
		return append([]string{found}, named...)
	}
	return named
}

func askIperf3(ctx context.Context, file string) (iperf3, error) {
	version, err := ask(ctx, file, "--version")
	if err != nil {
		return iperf3{}, fmt.Errorf("find out the version of iperf3: %w", err)
	}
	// Its help ends with an exit code that differs between versions.
	help, _ := ask(ctx, file, "--help")
	return iperf3{
		file: file, version: named(version, `iperf (\S+)`),
		skipsCopy: strings.Contains(help, "--skip-rx-copy"), offloadsU: strings.Contains(help, "--gsro"),
	}, nil
}

// askNtttcp finds the version on top of its help, which ends with a failure.
func askNtttcp(ctx context.Context, file string, windows bool) ntttcp {
	help, _ := ask(ctx, file, "-h")
	return ntttcp{file: file, version: named(help, `(?i)(?:ntttcp for linux|version) v?(\d[\d.]*)`), windows: windows}
}

// ask returns what a program says when it is called with a flag.
func ask(ctx context.Context, file, flag string) (string, error) {
	var said transcript
	err := command{limit: 10 * time.Second, name: file, args: []string{flag}}.run(ctx, &said)
	return said.String(), err
}

// named finds a version in what a program says.
func named(said, pattern string) string {
	if m := regexp.MustCompile(pattern).FindStringSubmatch(said); m != nil {
		return m[1]
	}
	return "of unknown version"
}

// numbers takes a version such as 3.21+ apart.
func numbers(version string) []int {
	var all []int
	for _, digits := range regexp.MustCompile(`\d+`).FindAllString(version, 4) {
		n, _ := strconv.Atoi(digits)
		all = append(all, n)
	}
	return all
}

func linkField(f field) []contender {
	all := []contender{f.ours("lpace", oursMain, nil), f.ours("lpace --backend portable", "", onPortable)}
	for i, build := range f.iperf3 {
		plain, best := iperfPlain, iperfBest
		if i < len(f.iperf3)-1 {
			plain, best = "", ""
		}
		all = append(all, build.contender(plain), build.contender(unless(build.skipsCopy, best), "-Z"))
		if build.skipsCopy {
			all = append(all, build.contender(best, "-Z", "--skip-rx-copy"))
		}
	}
	return append(all, f.others()...)
}

func unless(better bool, r role) role {
	if better {
		return ""
	}
	return r
}

func appField(f field) []contender {
	all := []contender{f.ours("lpace --mode app", oursMain, nil), f.ours("lpace --mode app --backend portable", "", onPortable)}
	for i, build := range f.iperf3 {
		all = append(all, build.contender(unless(i < len(f.iperf3)-1, iperfPlain)))
	}
	return append(all, f.others()...)
}

func shapedField(f field) []contender {
	all := linkField(f)
	app := f.ours("lpace --mode app", oursApp, func(w *workload) { w.mode = modeApp })
	// What peers do not do costs a share that counts where the processor idles.
	bare := f.ours("lpace --probe 0 --idle 0 --interval 1s", "", func(w *workload) { w.bare, w.interval = true, time.Second })
	return slices.Insert(all, 1, bare, app)
}

func udpField(f field) []contender {
	all := []contender{f.ours("lpace --udp", oursMain, nil), f.ours("lpace --udp --backend portable", "", onPortable)}
	for i, build := range f.iperf3 {
		all = append(all, build.contender(""))
		if build.offloadsU {
			all = append(all, build.contender(unless(i < len(f.iperf3)-1, iperfGSO), "--gsro"))
		}
	}
	return all
}

func samplingField(f field) []contender {
	return []contender{
		f.ours("lpace --interval 100ms", oursMain, nil),
		f.ours("lpace --interval 10s", oursQuiet, func(w *workload) { w.interval = 10 * time.Second }),
	}
}

func oursAlone(f field) []contender { return []contender{f.ours("lpace", oursMain, nil)} }

func onPortable(w *workload) { w.backend = "portable" }

// others are the peers that take part with one set of flags.
func (f field) others() []contender {
	var all []contender
	for _, build := range f.ntttcp {
		all = append(all, build.contender())
	}
	for _, file := range f.ethr {
		all = append(all, ethr(file))
	}
	return all
}
