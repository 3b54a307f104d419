package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"linkpace/engine/units"
)

// rounds makes a tally of contenders with these roles: for each, the rate in
// gigabits and the processor seconds of both sides of each round.
func rounds(c contest, roles []role, figures ...[][2]float64) tally {
	var who []contender
	for _, r := range roles {
		who = append(who, contender{name: string(r), role: r})
	}
	t := newTally(c, who, len(figures[0]))
	for i, mine := range figures {
		for round, f := range mine {
			half := usage{processor: time.Duration(f[1] / 2 * float64(time.Second)), peak: 20 << 20}
			m := measurement{reading: reading{rate: units.BitRate(f[0] * 1e9), bytes: 1e9}, sender: half, receiver: half}
			t.keep(i, round, m, nil)
		}
	}
	return t
}

func TestBenchRatiosAreOfRounds(t *testing.T) {
	// The machine is half as fast in the last round: ratios do not see it.
	got := rounds(contest{}, []role{oursMain, iperfBest},
		[][2]float64{{40, 0.2}, {44, 0.2}, {20, 0.4}},
		[][2]float64{{20, 0.4}, {20, 0.5}, {10, 0.8}})
	if ratio, ok := got.ratio(0, 1, rateOf); !ok || ratio != 2 {
		t.Errorf("rate %v, %v", ratio, ok)
	}
	if ratio, ok := got.ratio(0, 1, measurement.bothPerByte); !ok || ratio != 0.5 {
		t.Errorf("processor %v, %v", ratio, ok)
	}
	if s := spreadOf(got.values(0, rateOf)); s != (spread{40e9, 20e9, 44e9}) {
		t.Errorf("%+v", s)
	}
}

func TestBenchLeavesFailedRoundsOut(t *testing.T) {
	got := rounds(contest{}, []role{oursMain, iperfBest}, [][2]float64{{40, 1}, {90, 1}}, [][2]float64{{20, 1}, {1, 1}})
	got.runs[1][1] = nil
	got.keep(1, 1, measurement{}, errors.New("it was cut off"))
	if ratio, ok := got.ratio(0, 1, rateOf); !ok || ratio != 2 {
		t.Errorf("%v, %v", ratio, ok)
	}
	got.runs[1][0] = nil
	if _, ok := got.ratio(0, 1, rateOf); ok {
		t.Error("a ratio without a round")
	}
	if text := got.markdown(); !strings.Contains(text, "- newest iperf3 with its best flags failed in 1 of 2 rounds: it was cut off\n") {
		t.Error(text)
	}
}

func TestBenchMedian(t *testing.T) {
	for want, values := range map[float64][]float64{2: {3, 1, 2}, 2.5: {4, 1, 3, 2}, 7: {7}} {
		if got := median(values); got != want {
			t.Errorf("%v: %v, want %v", values, got, want)
		}
	}
}

func TestBenchEveryContenderBeginsARound(t *testing.T) {
	var first []int
	for round := range 3 {
		order := turns(3, round)
		first = append(first, order[0])
		if slices.Sort(order); !slices.Equal(order, []int{0, 1, 2}) {
			t.Errorf("round %d has %v", round, order)
		}
	}
	if !slices.Equal(first, []int{0, 1, 2}) {
		t.Errorf("the rounds begin with %v", first)
	}
}

func TestBenchTable(t *testing.T) {
	c := contest{id: "shaped-1g", title: "Shaped", route: shapedTo(1e9)}
	got := rounds(c, []role{"lpace", "a|b"}, [][2]float64{{0.95, 0.5}, {0.97, 0.3}}, [][2]float64{{0.95, 1}, {0.97, 1}})
	got.runs[0][0].window, got.runs[0][0].method = 0.25, "write"
	got.runs[0][1].window, got.runs[0][1].method = 0.35, "write"
	want := "\n## Shaped (`shaped-1g`)\n\n" +
		"| program | received (least..most) | sender s/GB | receiver s/GB | both s/GB | both s/GB without start-up | rate: lpace ÷ this | CPU per byte: lpace ÷ this |\n" +
		"| --- | --- | --- | --- | --- | --- | --- | --- |\n" +
		"| lpace | 960 Mb/s (950 Mb/s..970 Mb/s) | 0.200 | 0.200 | 0.400 | 0.300 | 1.00 | 1.00 |\n" +
		"| a\\|b | 960 Mb/s (950 Mb/s..970 Mb/s) | 0.500 | 0.500 | 1.000 | - | 1.00 | 0.40 |\n" +
		"\n- lpace moved the payload by write.\n"
	if text := got.markdown(); text != want {
		t.Errorf("got %s\nwant %s", text, want)
	}
}

func TestBenchGoals(t *testing.T) {
	link := contest{id: "link-1", route: cable()}
	shaped := contest{id: "shaped-1g", route: shapedTo(1e9)}
	pair := []role{oursMain, iperfBest}
	lossy := rounds(contest{id: "udp-most"}, []role{oursMain, iperfGSO}, [][2]float64{{26, 0.5}}, [][2]float64{{20, 1}})
	lose(lossy, 0.1, 0.2)
	for _, c := range []struct {
		tally tally
		want  string
	}{
		{rounds(link, pair, [][2]float64{{40, 0.45}}, [][2]float64{{20, 1}}), "2.00x, 0.45x reached"},
		{rounds(link, pair, [][2]float64{{39, 0.4}}, [][2]float64{{20, 1}}), "1.95x, 0.40x missed"},
		{rounds(link, pair, [][2]float64{{40, 0.5}}, [][2]float64{{20, 1}}), "2.00x, 0.50x missed"},
		{rounds(link, pair[:1], [][2]float64{{40, 0.5}}), " not measured"},
		{rounds(shaped, pair, [][2]float64{{0.955, 0.9}}, [][2]float64{{0.95, 1}}), "99.9 %, 0.90x reached"},
		{rounds(shaped, pair, [][2]float64{{0.94, 0.9}}, [][2]float64{{0.95, 1}}), "98.3 %, 0.90x missed"},
		{lossy, "1.30x, 0.50x, 10.0 % against 20.0 % reached"},
		{rounds(contest{id: "memory"}, pair[:1], [][2]float64{{1, 1}}), "21.0 MB reached"},
	} {
		j := judge(goals(), []tally{c.tally})[0]
		if got := strings.Join(j.got, ", ") + " " + j.word(); got != c.want {
			t.Errorf("%s: %q, want %q", c.tally.id, got, c.want)
		}
	}
}

// lose gives the contenders of a tally their losses.
func lose(t tally, losses ...float64) {
	for i, loss := range losses {
		t.runs[i][0].loss = &loss
	}
}

func TestBenchGoalsNameTables(t *testing.T) {
	f := field{iperf3: []iperf3{{version: "3.12"}, {version: "3.21", skipsCopy: true, offloadsU: true}}, ntttcp: []ntttcp{{}}}
	for _, g := range goals() {
		chosen, err := chooseContests(g.table)
		if err != nil || len(chosen) != 1 {
			t.Errorf("%s: %d tables, %v", g.table, len(chosen), err)
			continue
		}
		outcome := newTally(chosen[0], chosen[0].who(f), 1)
		if outcome.find(g.ours) < 0 || g.against != "" && outcome.find(g.against) < 0 {
			t.Errorf("%s has no %q or no %q", g.table, g.ours, g.against)
		}
	}
}

func TestBenchBestFlagsAreOfTheNewestBuild(t *testing.T) {
	f := field{iperf3: []iperf3{{version: "3.12"}, {version: "3.21", skipsCopy: true}}}
	outcome := newTally(contest{}, linkField(f), 1)
	if got := outcome.who[outcome.find(iperfBest)].name; got != "iperf3 3.21 -Z --skip-rx-copy" {
		t.Error(got)
	}
	f.iperf3 = f.iperf3[:1]
	outcome = newTally(contest{}, linkField(f), 1)
	if got := outcome.who[outcome.find(iperfBest)].name; got != "iperf3 3.12 -Z" {
		t.Error(got)
	}
}

func TestBenchChoosesTables(t *testing.T) {
	for list, want := range map[string]string{
		"link": "[link-1 link-8 link-64 link-9000]", "udp-2g, memory": "[udp-2g memory]", "shaped": "[shaped-1g shaped-2.5g]", "lin": "[]",
	} {
		chosen, err := chooseContests(list)
		ids := []string{}
		for _, c := range chosen {
			ids = append(ids, c.id)
		}
		if fmt.Sprint(ids) != want || (err != nil) != (want == "[]") {
			t.Errorf("%s: %v, %v", list, ids, err)
		}
	}
}
