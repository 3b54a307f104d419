package plot

import "image/color"

// fillAlpha is the opacity of the area under a line, of 255: 12 %.
const fillAlpha = 31

// fill tints everything below the line. It goes row by row, as memory lies, and
// looks the blended colours up: this is most of the work of a frame.
func (a *area) fill(cols []column, c color.RGBA) {
	red, green, blue := tint(c.R), tint(c.G), tint(c.B)
	h := float32(a.img.Rect.Dy())
	for y := range a.img.Rect.Dy() {
		row := a.img.Pix[y*a.img.Stride:]
		for x := range cols {
			if float32(y) < cols[x].low || cols[x].low > h || cols[x].empty() {
				continue
			}
			px := row[4*x : 4*x+3 : 4*x+3]
			px[0], px[1], px[2] = red[px[0]], green[px[1]], blue[px[2]]
		}
	}
}

// tint gives for each value of a colour channel what it becomes under ink.
func tint(ink uint8) (table [256]uint8) {
	for v := range table {
		table[v] = mix(uint8(v), ink, fillAlpha) //nolint:gosec // v is below 256
	}
	return table
}

// mix lays ink with opacity alpha (of 255) over under.
func mix(under, ink uint8, alpha int) uint8 {
	return uint8(int(under) + (int(ink)-int(under))*alpha/255) //nolint:gosec // stays between the two
}

// stroke draws the line itself, one column at a time, with soft upper and lower
// edges.
func (a *area) stroke(cols []column, line *Line, c color.RGBA) {
	half := float32(a.density) * 0.9
	on, period := len(cols), len(cols)
	if line.Dashed {
		on, period = a.pixels(7), a.pixels(10)
	}
	for x, col := range cols {
		flat := col.low-col.high < 2*half
		if col.empty() || flat && x%period >= on { // a gap in a steep line would cut it
			continue
		}
		a.bar(x, col.high-half, col.low+half, c)
	}
}

// bar draws one column from y0 to y1, its end pixels as opaque as they are covered.
func (a *area) bar(x int, y0, y1 float32, c color.RGBA) {
	y0, y1 = max(y0, 0), min(y1, float32(a.img.Rect.Dy()))
	for y := int(y0); float32(y) < y1; y++ {
		covered := min(y1, float32(y+1)) - max(y0, float32(y))
		px := a.img.Pix[y*a.img.Stride+4*x:]
		alpha := int(covered*255 + 0.5)
		px[0], px[1], px[2] = mix(px[0], c.R, alpha), mix(px[1], c.G, alpha), mix(px[2], c.B, alpha)
	}
}
