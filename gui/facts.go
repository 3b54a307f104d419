package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// factsTable compares delay and processor load of the idle link and each phase.
type factsTable struct{ root *fyne.Container }

func newFactsTable() *factsTable { return &factsTable{root: container.NewVBox()} }

// factsRow is one line of the table.
type factsRow struct{ cells []string }

func (t *factsTable) show(r *model.Result, sums []model.Summary) {
	t.root.RemoveAll()
	rows := factsRows(r, sums)
	for i, line := range rows {
		t.root.Add(tableRow(line, i == 0))
	}
}

func tableRow(line factsRow, heading bool) fyne.CanvasObject {
	cells := container.NewGridWithColumns(len(line.cells))
	for i, text := range line.cells {
		switch {
		case heading:
			cells.Add(newWords(text, sizeSmall, colourFaint))
		case i == 0:
			cells.Add(newBold(text, sizeBody))
		default:
			cells.Add(newWords(text, sizeBody, theme.ColorNameForeground))
		}
	}
	return inset(cells, 1, 0)
}

// factsRows makes the table's text: a heading, the idle link, then each phase.
func factsRows(r *model.Result, sums []model.Summary) []factsRow {
	heading := factsRow{[]string{"", textTypical, textWorst, processorOf(r.Local.Name)}}
	if !r.SameMachine {
		heading.cells = append(heading.cells, processorOf(r.Remote.Name))
	}
	rows := []factsRow{heading}
	seen := -1
	for _, s := range sums {
		if seen == -1 && s.DelayIdle != nil {
			rows = append(rows, pad(factsRow{append([]string{textIdle}, delays(s.DelayIdle)...)}, len(heading.cells)))
		}
		if s.Phase != seen {
			rows = append(rows, phaseRow(r, s, len(heading.cells)))
		}
		seen = s.Phase
	}
	return rows
}

func phaseRow(r *model.Result, s model.Summary, width int) factsRow {
	line := factsRow{append([]string{phaseHeading(s.Direction)}, delays(s.DelayLoaded)...)}
	if s.CPU != nil {
		line.cells = append(line.cells, load(s.CPU.LocalCoreMax))
		if !r.SameMachine {
			line.cells = append(line.cells, load(s.CPU.RemoteCoreMax))
		}
	}
	return pad(line, width)
}

func pad(line factsRow, width int) factsRow {
	for len(line.cells) < width {
		line.cells = append(line.cells, textNoSpeed)
	}
	return line
}

func delays(d *model.Delays) []string {
	if d == nil {
		return []string{textNoSpeed, textNoSpeed}
	}
	return []string{units.Delay(d.Median), units.Delay(d.P99)}
}

func load(share float64) string {
	if share == 0 {
		return textNoSpeed
	}
	return units.Percent(share)
}
