// Package units holds the two quantities of a network test, amounts of bytes
// and bit rates, and is the only place that turns them into text or text into
// them. Rates count in powers of 1000 as network equipment does; buffer and
// file sizes that people type count in powers of 1024.
package units

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Bytes is an amount of payload or memory.
type Bytes int64

// BitRate is a speed in bits per second.
type BitRate float64

// RateOf returns the rate of n bytes carried in d, rounded to a whole bit per
// second, and 0 when d is not positive.
func RateOf(n Bytes, d time.Duration) BitRate {
	if d <= 0 {
		return 0
	}
	return BitRate(math.Round(float64(n) * 8 / d.Seconds()))
}

// PerSecond returns the rate in bytes per second.
func (r BitRate) PerSecond() float64 { return float64(r) / 8 }

// In returns how many bytes the rate carries in d.
func (r BitRate) In(d time.Duration) Bytes { return Bytes(float64(r) * d.Seconds() / 8) }

// String gives the rate in bits, three significant digits: "941 Mb/s".
func (r BitRate) String() string {
	digits, prefix := r.Parts()
	return digits + " " + prefix
}

// Nominal gives a rate as it stands on boxes and in data sheets, without digits
// that say nothing: "1 Gb/s", "2.5 Gb/s".
func (r BitRate) Nominal() string {
	digits, prefix := r.Parts()
	if strings.Contains(digits, ".") {
		digits = strings.TrimRight(strings.TrimRight(digits, "0"), ".")
	}
	return digits + " " + prefix
}

// Parts gives the digits and the unit of String separately, for displays that
// set the two in different sizes.
func (r BitRate) Parts() (digits, unit string) { return scaled(float64(r), "b/s") }

// BytesString gives the rate in bytes, three significant digits: "118 MB/s".
func (r BitRate) BytesString() string {
	digits, unit := scaled(r.PerSecond(), "B/s")
	return digits + " " + unit
}

// Both gives bits and bytes together, the form for every figure that a person
// reads: "941 Mb/s (118 MB/s)".
func (r BitRate) Both() string { return r.String() + " (" + r.BytesString() + ")" }

// String gives the amount with a 1000-based prefix: "1.25 GB".
func (b Bytes) String() string {
	digits, unit := scaled(float64(b), "B")
	return digits + " " + unit
}

// Buffer gives a buffer size with the 1024-based prefix it was typed in when
// it is a whole number of it ("128 KiB"), else the plain count ("1500 B").
func (b Bytes) Buffer() string {
	for _, p := range []struct {
		shift uint
		name  string
	}{{30, "GiB"}, {20, "MiB"}, {10, "KiB"}} {
		if unit := Bytes(1) << p.shift; b >= unit && b%unit == 0 {
			return strconv.FormatInt(int64(b/unit), 10) + " " + p.name
		}
	}
	return strconv.FormatInt(int64(b), 10) + " B"
}

// Delay prints a delay in the unit a person compares it in: "420 µs", "3.2 ms", "1.25 s".
func Delay(d time.Duration) string {
	switch abs := d.Abs(); {
	case abs < time.Millisecond:
		return trimmed(float64(d)/float64(time.Microsecond)) + " µs"
	case abs < time.Second:
		return trimmed(float64(d)/float64(time.Millisecond)) + " ms"
	default:
		return trimmed(d.Seconds()) + " s"
	}
}

// Percent prints a ratio (1 = all) as a percentage: 0.034 is "3.4 %".
func Percent(ratio float64) string { return trimmed(ratio*100) + " %" }

// scaled brings v below 1000 with a 1000-based prefix.
func scaled(v float64, unit string) (digits, prefixed string) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "–", unit
	}
	prefixes := [...]string{"", "k", "M", "G", "T", "P"}
	i := 0
	// 999.5 would print as "1000", so it moves to the next prefix.
	for math.Abs(v) >= 999.5 && i < len(prefixes)-1 {
		v /= 1000
		i++
	}
	return trimmed(v), prefixes[i] + unit
}

// trimmed prints three significant digits without an exponent; zero and whole
// small numbers stay short.
func trimmed(v float64) string {
	decimals := 0
	switch abs := math.Abs(v); {
	case abs == 0:
		return "0"
	case abs < 9.995:
		decimals = 2
	case abs < 99.95:
		decimals = 1
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}
