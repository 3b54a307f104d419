// Package plot turns the samples of a test into pictures. A Log collects
// samples into series, a Chart says what three panes over one time axis show,
// a Painter draws one pane's plot area into pixels, and Picture makes one
// complete image of a finished test. Window, share picture and terminal draw
// through the same code, so that they show the same thing.
//
// It is pure: no clock, no window, no file. A Painter redraws without
// allocating, because a live chart must not disturb the test it shows.
package plot

import (
	"time"

	"linkpace/engine/model"
)

// Chart is what is drawn: three panes over one time axis.
type Chart struct {
	// Span is the time at the right edge; the left edge is 0.
	Span  time.Duration
	Times []Tick
	Bands []Band
	Speed Pane
	Delay Pane
	Load  Pane
}

// Panes gives the panes from top to bottom.
func (c *Chart) Panes() [3]*Pane { return [3]*Pane{&c.Speed, &c.Delay, &c.Load} }

// Band is the stretch of one phase.
type Band struct {
	From, To time.Duration
	// Warm is where the warm-up, which is drawn but not measured, ends.
	Warm time.Duration
	Text string
	// Shaded is true for every second band, so that neighbours differ.
	Shaded bool
}

// Pane is one plot area. Its lower edge is 0.
type Pane struct {
	Title string
	// Top is the value at the upper edge, always above 0.
	Top   float64
	Ticks []Tick
	Lines []Line
	Marks []Mark
}

// Line is one series of a pane, with the text that stands at its end.
type Line struct {
	Text   string
	Ink    Ink
	Points []Point
	// Filled lines have a pale area below them; dashed ones are told apart
	// without colour.
	Filled, Dashed bool
}

// Mark is a horizontal line that other lines are read against.
type Mark struct {
	Value float64
	Text  string
}

// Point is one value of a series. NaN interrupts the line.
type Point struct {
	At    time.Duration
	Value float64
}

// Tick is a marked place on an axis.
type Tick struct {
	// Part is the place on the axis, 0 to 1.
	Part float64
	Text string
}

// PhaseWord names a direction as people say it on a chart.
func PhaseWord(d model.Direction) string {
	switch d {
	case model.Send:
		return "Sending"
	case model.Receive:
		return "Receiving"
	case model.Both:
		return "Both at once"
	}
	return "Idle"
}

// PaneHeights divides total among the three panes, speed the tallest, with gap
// between neighbours.
func PaneHeights(total, gap float32) [3]float32 {
	free := max(total-2*gap, 0)
	return [3]float32{free * 0.54, free * 0.23, free * 0.23}
}
