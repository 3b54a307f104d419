package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
)

// The icon is two dots joined by the line of a pulse, on a square of 512 units
// with round corners.
const (
	iconSize   = 512
	iconCorner = 112.0
	iconDot    = 44.0
	iconStroke = 15.0 // half the width of the line
)

type point struct{ x, y float64 }

func iconPulse() []point {
	return []point{{108, 256}, {196, 256}, {230, 150}, {282, 362}, {316, 256}, {404, 256}}
}

func iconColours() (ground, line, dots color.NRGBA) {
	return color.NRGBA{0x12, 0x3b, 0x5d, 0xff}, color.NRGBA{0x4f, 0xd1, 0xc5, 0xff}, color.NRGBA{0xff, 0xff, 0xff, 0xff}
}

// iconAt gives the colour of a point of the icon. Each shape is described by
// the distance to its edge; an edge is blended over the width of one pixel.
func iconAt(p point, pixel float64) color.NRGBA {
	groundColour, lineColour, dotColour := iconColours()
	pulse := iconPulse()
	line := math.Inf(1)
	for i := range pulse[1:] {
		line = min(line, toSegment(p, pulse[i], pulse[i+1])-iconStroke)
	}
	dots := min(distance(p, pulse[0]), distance(p, pulse[len(pulse)-1])) - iconDot
	c := blend(groundColour, lineColour, cover(line, pixel))
	c = blend(c, dotColour, cover(dots, pixel))
	c.A = uint8(math.Round(255 * cover(toSquare(p), pixel)))
	return c
}

func distance(a, b point) float64 { return math.Hypot(a.x-b.x, a.y-b.y) }

func toSegment(p, a, b point) float64 {
	dx, dy := b.x-a.x, b.y-a.y
	along := ((p.x-a.x)*dx + (p.y-a.y)*dy) / (dx*dx + dy*dy)
	along = min(max(along, 0), 1)
	return distance(p, point{a.x + along*dx, a.y + along*dy})
}

func toSquare(p point) float64 {
	const half = iconSize / 2.0
	x, y := math.Abs(p.x-half)-half+iconCorner, math.Abs(p.y-half)-half+iconCorner
	return math.Hypot(max(x, 0), max(y, 0)) + min(max(x, y), 0) - iconCorner
}

// cover is how much of a pixel lies inside a shape whose edge is that far away.
func cover(edge, pixel float64) float64 { return min(max(0.5-edge/pixel, 0), 1) }

func blend(under, over color.NRGBA, share float64) color.NRGBA {
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + (float64(b)-float64(a))*share)) }
	return color.NRGBA{mix(under.R, over.R), mix(under.G, over.G), mix(under.B, over.B), 0xff}
}

// iconPNG draws the icon in a square of that many pixels.
func iconPNG(size int) ([]byte, error) {
	picture := image.NewNRGBA(image.Rect(0, 0, size, size))
	pixel := float64(iconSize) / float64(size)
	for y := range size {
		for x := range size {
			picture.SetNRGBA(x, y, iconAt(point{(float64(x) + 0.5) * pixel, (float64(y) + 0.5) * pixel}, pixel))
		}
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	err := encoder.Encode(&out, picture)
	return out.Bytes(), err
}

// iconICO packs the icon in the sizes that Windows shows, each as a PNG:
// a folder of six bytes, 16 bytes about each picture, then the pictures.
func iconICO() ([]byte, error) {
	sizes := []int{16, 24, 32, 48, 64, 256}
	head := binary.LittleEndian.AppendUint16([]byte{0, 0, 1, 0}, uint16(len(sizes)))
	var body []byte
	for _, size := range sizes {
		picture, err := iconPNG(size)
		if err != nil {
			return nil, err
		}
		// A side of 256 is written as 0; one plane, 32 bits a pixel.
		head = append(head, byte(size), byte(size), 0, 0, 1, 0, 32, 0)
		head = binary.LittleEndian.AppendUint32(head, uint32(len(picture)))
		head = binary.LittleEndian.AppendUint32(head, uint32(6+16*len(sizes)+len(body)))
		body = append(body, picture...)
	}
	return append(head, body...), nil
}

func iconSVG() []byte {
	ground, line, dots := iconColours()
	pulse := iconPulse()
	var points []string
	for _, p := range pulse {
		points = append(points, fmt.Sprintf("%g,%g", p.x, p.y))
	}
	dot := func(p point) string {
		return fmt.Sprintf("  <circle cx=\"%g\" cy=\"%g\" r=\"%g\" fill=\"%s\"/>\n", p.x, p.y, iconDot, hex(dots))
	}
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[1]d">
  <rect width="%[1]d" height="%[1]d" rx="%[2]g" fill="%[3]s"/>
  <polyline points="%[4]s" fill="none" stroke="%[5]s" stroke-width="%[6]g" stroke-linecap="round" stroke-linejoin="round"/>
%[7]s%[8]s</svg>
`, iconSize, iconCorner, hex(ground), strings.Join(points, " "), hex(line), 2*iconStroke, dot(pulse[0]), dot(pulse[len(pulse)-1]))
}

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
