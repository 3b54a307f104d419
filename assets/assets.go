// Package assets holds the bytes that the programs carry with them, and the
// files that installers put on a computer beside them. It is a leaf: it knows
// nothing of the rest of Linkpace.
package assets

import (
	_ "embed"
	"slices"
)

//go:embed icon.png
var icon []byte

// Icon returns the icon of Linkpace as a PNG of 512 by 512 pixels. It is drawn
// by "go run ./cmd/dev generate".
func Icon() []byte { return slices.Clone(icon) }
