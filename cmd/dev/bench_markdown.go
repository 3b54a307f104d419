package main

import (
	"fmt"
	"strings"

	"linkpace/engine/units"
)

// column is one column of a table.
type column struct {
	title string
	cell  func(t tally, i int) string
}

// columns are those that the table has something to say in.
func (t tally) columns() []column {
	all := []column{
		{"program", func(t tally, i int) string { return t.who[i].name }},
		{"received (least..most)", cellRate},
		{"sender s/GB", cellMedian(func(m measurement) float64 { return m.perByte(m.sender) })},
		{"receiver s/GB", cellMedian(func(m measurement) float64 { return m.perByte(m.receiver) })},
		{"both s/GB", cellMedian(measurement.bothPerByte)},
	}
	if t.work.udp {
		all = append(all, column{"lost", cellLoss})
	}
	if t.route.shaped > 0 {
		all = append(all, column{"both s/GB without start-up", cellWindow})
	}
	if t.memory {
		return append(all, column{"peak memory, sender", cellPeak(func(m measurement) usage { return m.sender })},
			column{"peak memory, receiver", cellPeak(func(m measurement) usage { return m.receiver })})
	}
	return append(all,
		column{"rate: " + t.who[0].name + " ÷ this", cellRatio(rateOf)},
		column{"CPU per byte: " + t.who[0].name + " ÷ this", cellRatio(measurement.bothPerByte)},
	)
}

const nothing = "-"

func cellRate(t tally, i int) string {
	s := spreadOf(t.values(i, rateOf))
	if s.median == 0 {
		return nothing
	}
	return fmt.Sprintf("%s (%s..%s)", units.BitRate(s.median), units.BitRate(s.least), units.BitRate(s.most))
}

func cellMedian(f figure) func(tally, int) string {
	return func(t tally, i int) string {
		values := t.values(i, f)
		if len(values) == 0 {
			return nothing
		}
		return fmt.Sprintf("%.3f", median(values))
	}
}

func cellRatio(f figure) func(tally, int) string {
	return func(t tally, i int) string {
		ratio, ok := t.ratio(0, i, f)
		if !ok {
			return nothing
		}
		return fmt.Sprintf("%.2f", ratio)
	}
}

func cellLoss(t tally, i int) string {
	all := t.losses(i)
	if len(all) == 0 {
		return nothing
	}
	return units.Percent(median(all))
}

func cellWindow(t tally, i int) string {
	s := spreadOf(t.values(i, func(m measurement) float64 { return m.window }))
	if s.median == 0 {
		return nothing
	}
	return fmt.Sprintf("%.3f", s.median)
}

func cellPeak(of func(measurement) usage) func(tally, int) string {
	return func(t tally, i int) string {
		s := spreadOf(t.values(i, func(m measurement) float64 { return float64(of(m).peak) }))
		if s.most == 0 {
			return nothing
		}
		return units.Bytes(s.most).String()
	}
}

// markdown is the table, with what failed and how lpace moved the payload
// below it.
func (t tally) markdown() string {
	columns := t.columns()
	rows := [][]string{nil}
	for _, c := range columns {
		rows[0] = append(rows[0], c.title)
	}
	var below []string
	for i, c := range t.who {
		var row []string
		for _, col := range columns {
			row = append(row, col.cell(t, i))
		}
		rows = append(rows, row)
		if method := t.method(i); method != "" {
			below = append(below, c.name+" moved the payload by "+method+".")
		}
		if failure := t.lastFailure(c); failure != "" {
			below = append(below, failure)
		}
	}
	return "\n## " + t.title + " (`" + t.id + "`)\n\n" + markdownTable(rows) + notes(below)
}

// method is what the last run of a contender says of how it moved the payload.
func (t tally) method(i int) string {
	method := ""
	for _, m := range t.runs[i] {
		if m != nil {
			method = m.method
		}
	}
	return method
}

// markdownTable sets rows, the first of which are the titles.
func markdownTable(rows [][]string) string {
	var b strings.Builder
	for i, row := range rows {
		for k, cell := range row {
			row[k] = strings.NewReplacer("|", `\|`, "\n", " ").Replace(cell)
		}
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			b.WriteString("|" + strings.Repeat(" --- |", len(row)) + "\n")
		}
	}
	return b.String()
}

// notes sets lines as a list, each one on a line of its own.
func notes(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString("- " + strings.ReplaceAll(strings.TrimSpace(line), "\n", " ") + "\n")
	}
	return b.String()
}
