package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"linkpace/engine/units"
)

// route is what the two programs are joined by.
type route struct {
	loopback bool
	mtu      int           // of the virtual cable
	shaped   units.BitRate // what the sender's side lets through; 0 is all
}

func cable() route                      { return route{mtu: 1500} }
func jumboCable() route                 { return route{mtu: 9000} }
func thisComputer() route               { return route{loopback: true} }
func shapedTo(rate units.BitRate) route { return route{mtu: 1500, shaped: rate} }

// workload is what the programs of a table are told to do. Its length is that
// of the whole series.
type workload struct {
	streams  int
	udp      bool
	rate     units.BitRate // of what is offered; 0 is as fast as possible
	mode     string        // of lpace: link or app
	backend  string        // of lpace; "" is its own choice
	interval time.Duration // between lpace's samples
	bare     bool          // lpace does without delay probes and a look at the idle link
	length   time.Duration
}

const usualInterval = 100 * time.Millisecond

func tcp(streams int, mode string) workload {
	return workload{streams: streams, mode: mode, interval: usualInterval}
}

func datagrams(rate units.BitRate) workload {
	return workload{streams: 1, udp: true, rate: rate, mode: modeLink, interval: usualInterval}
}

// Modes of lpace.
const (
	modeLink = "link"
	modeApp  = "app"
)

// contest is one table: the programs that do the same over the same route. The
// first of who is what the others are compared with.
type contest struct {
	id, title string
	route     route
	work      workload
	who       func(f field) []contender
	memory    bool // show it
}

func contests() []contest {
	var all []contest
	for _, streams := range []int{1, 8, 64} {
		all = append(all, contest{
			id:    fmt.Sprintf("link-%d", streams),
			title: "Link mode, virtual cable, MTU 1500, " + count(streams, "stream"),
			route: cable(), work: tcp(streams, modeLink), who: linkField,
		})
	}
	all = append(all, contest{
		id: "link-9000", title: "Link mode, virtual cable, MTU 9000, 1 stream",
		route: jumboCable(), work: tcp(1, modeLink), who: linkField,
	})
	for _, streams := range []int{1, 8, 64} {
		all = append(all, contest{
			id:    fmt.Sprintf("app-%d", streams),
			title: "App mode, virtual cable, MTU 1500, " + count(streams, "stream"),
			route: cable(), work: tcp(streams, modeApp), who: appField,
		})
	}
	all = append(all,
		contest{id: "loopback-link", title: "Link mode, loopback, 1 stream", route: thisComputer(), work: tcp(1, modeLink), who: linkField},
		contest{id: "loopback-app", title: "App mode, loopback, 1 stream", route: thisComputer(), work: tcp(1, modeApp), who: appField},
	)
	return append(all,
		shapedContest("shaped-1g", 1e9),
		shapedContest("shaped-2.5g", 2.5e9),
		contest{id: "udp-most", title: "UDP as fast as possible, virtual cable, MTU 1500", route: cable(), work: datagrams(0), who: udpField},
		contest{id: "udp-2g", title: "UDP, " + units.BitRate(2e9).Nominal() + " offered, virtual cable, MTU 1500", route: cable(), work: datagrams(2e9), who: udpField},
		contest{id: "sampling", title: "Sampling ten times a second against not, 64 streams", route: cable(), work: tcp(64, modeLink), who: samplingField},
		contest{id: "memory", title: "Memory, 64 streams", route: cable(), work: tcp(64, modeLink), who: oursAlone, memory: true},
	)
}

func shapedContest(id string, rate units.BitRate) contest {
	return contest{
		id: id, title: "Shaped to " + rate.Nominal() + ", virtual cable, MTU 1500, 1 stream",
		route: shapedTo(rate), work: tcp(1, modeLink), who: shapedField,
	}
}

// count gives a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// chooseContests takes a list of tables apart; "link" stands for all whose
// names begin with "link-". An empty list is all.
func chooseContests(list string) ([]contest, error) {
	all := contests()
	if strings.TrimSpace(list) == "" {
		return all, nil
	}
	wanted := map[string]bool{}
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		known := false
		for _, c := range all {
			if c.id == name || strings.HasPrefix(c.id, name+"-") {
				wanted[c.id], known = true, true
			}
		}
		if !known {
			return nil, usageError(fmt.Sprintf("there is no table %q; see: go run ./cmd/dev help bench", name))
		}
	}
	return slices.DeleteFunc(all, func(c contest) bool { return !wanted[c.id] }), nil
}
