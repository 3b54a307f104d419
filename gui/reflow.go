package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// reflow sets objects side by side in cells of one width, as many in a line as
// have room for the least width, and goes on in the next line.
type reflow struct {
	least, gap float32
	width      float32 // that of the last layout; the height follows from it
}

func newReflow(least float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&reflow{least: least, gap: 8}, objects...)
}

// perLine is how many cells a line has.
func (r *reflow) perLine(count int) int {
	if r.width == 0 {
		return max(count, 1)
	}
	return min(max(int((r.width+r.gap)/(r.least+r.gap)), 1), max(count, 1))
}

// Layout is part of fyne.Layout.
func (r *reflow) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	r.width = size.Width
	n := r.perLine(len(objects))
	cell := (size.Width - r.gap*float32(n-1)) / float32(n)
	y := float32(0)
	for i := 0; i < len(objects); i += n {
		line := objects[i:min(i+n, len(objects))]
		height := tallest(line)
		width := cell
		if len(line) < n && i > 0 { // the last line has room to spare
			width = (size.Width - r.gap*float32(len(line)-1)) / float32(len(line))
		}
		for j, object := range line {
			object.Move(fyne.NewPos(float32(j)*(width+r.gap), y))
			object.Resize(fyne.NewSize(width, height))
		}
		y += height + r.gap
	}
}

// MinSize is part of fyne.Layout.
func (r *reflow) MinSize(objects []fyne.CanvasObject) fyne.Size {
	n := r.perLine(len(objects))
	size := fyne.NewSize(r.least, 0)
	for i := 0; i < len(objects); i += n {
		size.Height += tallest(objects[i:min(i+n, len(objects))]) + r.gap
	}
	size.Height = max(size.Height-r.gap, 0)
	return size
}

func tallest(objects []fyne.CanvasObject) (height float32) {
	for _, object := range objects {
		height = max(height, object.MinSize().Height)
	}
	return height
}
