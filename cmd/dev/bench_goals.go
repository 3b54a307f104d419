package main

import (
	"fmt"
	"math"
	"strings"

	"linkpace/engine/units"
)

// goal is what lpace is to reach in one table against one program. Fields that
// are 0 or false are not asked for.
type goal struct {
	table         string
	ours, against role
	rate          float64     // at least so many times the other's
	cpu           float64     // at most so many times the other's, for each byte
	lessLoss      bool        // than the other
	payload       bool        // the rate is what the shaper lets through, less headers
	memory        units.Bytes // each of the two stays below
}

// payloadShare is how much of what the shaper counts is payload: 1448 of 1514
// bytes are left by Ethernet, IPv4 and TCP with time stamps.
const payloadShare = 1448.0 / 1514

// payloadWithin is how near to it the rate has to be.
const payloadWithin = 0.005

func goals() []goal {
	const small = units.Bytes(64 << 20)
	return []goal{
		{table: "link-1", ours: oursMain, against: iperfBest, rate: 2.0, cpu: 0.45},
		{table: "link-8", ours: oursMain, against: iperfBest, rate: 2.5, cpu: 0.40},
		{table: "link-64", ours: oursMain, against: iperfBest, rate: 2.5, cpu: 0.40},
		{table: "app-1", ours: oursMain, against: iperfPlain, rate: 1.25, cpu: 0.80},
		{table: "app-8", ours: oursMain, against: iperfPlain, rate: 1.05, cpu: 0.90},
		{table: "app-64", ours: oursMain, against: iperfPlain, rate: 1.0, cpu: 1.0},
		{table: "app-1", ours: oursMain, against: anyNtttcp, rate: 1.4, cpu: 0.65},
		{table: "app-8", ours: oursMain, against: anyNtttcp, rate: 1.4, cpu: 0.65},
		{table: "shaped-1g", ours: oursMain, against: iperfBest, payload: true, cpu: 0.9},
		{table: "shaped-2.5g", ours: oursMain, against: iperfBest, payload: true, cpu: 0.6},
		{table: "shaped-1g", ours: oursMain, against: anyNtttcp, payload: true, cpu: 0.45},
		{table: "shaped-2.5g", ours: oursMain, against: anyNtttcp, payload: true, cpu: 0.40},
		{table: "udp-most", ours: oursMain, against: iperfGSO, rate: 1.3, lessLoss: true, cpu: 0.6},
		{table: "sampling", ours: oursMain, against: oursQuiet, rate: 0.98, cpu: 1.02},
		{table: "memory", ours: oursMain, memory: small},
	}
}

// judgement is what became of a goal.
type judgement struct {
	goal
	asked, got []string
	measured   bool
	missed     bool
}

// judge looks every goal up in the tables that were measured.
func judge(goals []goal, outcomes []tally) []judgement {
	var all []judgement
	for _, g := range goals {
		for _, t := range outcomes {
			if t.id == g.table {
				all = append(all, g.judge(t))
			}
		}
	}
	return all
}

func (g goal) judge(t tally) judgement {
	j := judgement{goal: g, measured: true}
	ours, other := t.find(g.ours), t.find(g.against)
	if ours < 0 || g.against != "" && other < 0 {
		return judgement{goal: g}
	}
	if g.rate > 0 {
		got, ok := t.ratio(ours, other, rateOf)
		j.ask(fmt.Sprintf("rate at least %.2fx", g.rate), fmt.Sprintf("%.2fx", got), ok, got >= g.rate)
	}
	if g.payload {
		share := spreadOf(t.values(ours, rateOf)).median / float64(t.route.shaped) / payloadShare
		j.ask("rate within "+units.Percent(payloadWithin)+" of the payload", units.Percent(share), share > 0, math.Abs(share-1) <= payloadWithin)
	}
	if g.cpu > 0 {
		got, ok := t.ratio(ours, other, measurement.bothPerByte)
		j.ask(fmt.Sprintf("CPU at most %.2fx", g.cpu), fmt.Sprintf("%.2fx", got), ok, got <= g.cpu)
	}
	if g.lessLoss {
		mine, theirs := t.losses(ours), t.losses(other)
		got, than := spreadOf(mine).median, spreadOf(theirs).median
		j.ask("less loss", units.Percent(got)+" against "+units.Percent(than), len(mine) > 0 && len(theirs) > 0, got < than)
	}
	if g.memory > 0 {
		peak := spreadOf(t.values(ours, func(m measurement) float64 { return float64(max(m.sender.peak, m.receiver.peak)) })).most
		j.ask("peak memory below "+g.memory.Buffer(), units.Bytes(peak).String(), peak > 0, peak < float64(g.memory))
	}
	return j
}

// ask keeps one part of a goal.
func (j *judgement) ask(asked, got string, ok, reached bool) {
	j.asked = append(j.asked, asked)
	if !ok {
		j.measured = false
		return
	}
	j.got = append(j.got, got)
	j.missed = j.missed || !reached
}

func (j judgement) word() string {
	switch {
	case !j.measured:
		return "not measured"
	case j.missed:
		return "missed"
	}
	return "reached"
}

// goalTable sets the goals, and is empty without any.
func goalTable(all []judgement) string {
	if len(all) == 0 {
		return ""
	}
	rows := [][]string{{"table", "against", "goal", "measured", ""}}
	for _, j := range all {
		against := string(j.against)
		if against == "" {
			against = nothing
		}
		rows = append(rows, []string{j.table, against, strings.Join(j.asked, ", "), strings.Join(j.got, ", "), j.word()})
	}
	return "\n## Goals\n\n" + markdownTable(rows)
}
