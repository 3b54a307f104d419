package plot

import (
	"math"
	"slices"
)

// Label is the text at the end of a line, beside the plot area.
type Label struct {
	Text string
	Ink  Ink
	// Dashed is as in the Line it belongs to.
	Dashed bool
	// Y is the distance of the text's middle from the pane's upper edge.
	Y float32
}

// Labels places the texts of all lines that have data at the height of their
// last values, moved apart where they would cover one another. Height is that of
// the pane, line that of a text.
func (p *Pane) Labels(height, line float32) []Label {
	var labels []Label
	for i := range p.Lines {
		l := &p.Lines[i]
		if v, ok := lastValue(l.Points); ok {
			y := height * float32(1-v/p.Top)
			labels = append(labels, Label{Text: l.Text, Ink: l.Ink, Dashed: l.Dashed, Y: y})
		}
	}
	spread(labels, height, line)
	return labels
}

func lastValue(points []Point) (float64, bool) {
	for _, p := range slices.Backward(points) {
		if !math.IsNaN(p.Value) {
			return p.Value, true
		}
	}
	return 0, false
}

// spread moves labels apart: downwards first, then back up from the floor.
func spread(labels []Label, height, line float32) {
	slices.SortStableFunc(labels, func(a, b Label) int {
		switch {
		case a.Y < b.Y:
			return -1
		case a.Y > b.Y:
			return 1
		}
		return 0
	})
	floor := line / 2
	for i := range labels {
		labels[i].Y = max(labels[i].Y, floor)
		floor = labels[i].Y + line
	}
	ceiling := height - line/2
	for i := range slices.Backward(labels) {
		labels[i].Y = min(labels[i].Y, ceiling)
		ceiling = labels[i].Y - line
	}
}
