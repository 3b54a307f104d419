package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// benchFacts is what the figures depend on besides the programs.
type benchFacts struct {
	system, processor string
	namespaces        bool
}

func (s series) facts(ctx context.Context) benchFacts {
	f := benchFacts{system: s.sys.goos, namespaces: noNamespaces() == ""}
	switch s.sys.goos {
	case "linux":
		release, _ := os.ReadFile("/proc/sys/kernel/osrelease")
		f.system = "Linux " + strings.TrimSpace(string(release))
		text, _ := os.ReadFile("/proc/cpuinfo")
		f.processor = processorModel(text)
	case "windows":
		var said transcript
		if (command{limit: 10 * time.Second, name: "cmd", args: []string{"/c", "ver"}}).run(ctx, &said) == nil {
			f.system = said.String()
		}
		f.processor = os.Getenv("PROCESSOR_IDENTIFIER")
	}
	if f.processor == "" {
		f.processor = runtime.GOARCH
	}
	return f
}

// processorModel reads the first model name in /proc/cpuinfo; ARM has none.
func processorModel(cpuinfo []byte) string {
	if m := regexp.MustCompile(`(?m)^model name\s*:\s*(.+)$`).FindSubmatch(cpuinfo); m != nil {
		return strings.TrimSpace(string(m[1]))
	}
	return ""
}

// heading says when, where and how the tables were measured.
func (s series) heading(now time.Time, f benchFacts) string {
	cores := count(runtime.NumCPU(), "core")
	path := "All programs use " + congestion + ". The virtual cable\nbetween two network namespaces is memory of one computer and not a wire."
	if !f.namespaces {
		path = "All programs use the loopback of one computer and its usual congestion control."
	}
	return fmt.Sprintf(`# lpace side by side

%s, %s, %s with %s, %s. Besides lpace: %s.

Each program runs for %v once a round, in turns, %s; figures are medians, ratios
medians of the ratios of each round. Received is what the receiver got (ethr: what its
sender reports). s/GB is processor seconds, user and system, of the whole process for each
gigabyte received, start-up included; without it, it is what the program says of itself. %s
Sender and receiver share the processors with whatever else runs: ratios tell more than
figures, and neither tells of another computer.
`, now.Format("2 January 2006"), f.system, f.processor, cores, runtime.Version(), s.field.names(), s.length, count(s.rounds, "round"), path)
}

// names lists the peers that were found.
func (f field) names() string {
	var all []string
	for _, build := range f.iperf3 {
		all = append(all, "iperf3 "+build.version)
	}
	for _, build := range f.ntttcp {
		all = append(all, "ntttcp "+build.version)
	}
	for range f.ethr {
		all = append(all, "ethr")
	}
	if len(all) == 0 {
		return "nothing, for no iperf3, ntttcp or ethr was found"
	}
	return strings.Join(all, ", ")
}
