package units

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ParseRate reads a rate as people type it: "500M", "2.5G", "10k", "500Mbit/s",
// "941 Mb/s" or a plain number of bits per second. Prefixes count in 1000.
// "0" is a valid rate and means as fast as possible. The error names the value
// and what is accepted.
func ParseRate(s string) (BitRate, error) {
	text := strings.TrimSpace(s)
	for _, unit := range []string{"bits/s", "bit/s", "bps", "b/s"} {
		if len(text) > len(unit) && strings.EqualFold(text[len(text)-len(unit):], unit) {
			text = strings.TrimSpace(text[:len(text)-len(unit)])
			break
		}
	}
	v, err := parse(text, 1000, 1e15)
	if err != nil {
		return 0, fmt.Errorf("%q is not a rate: use bits per second with k, M or G, like 500M or 2.5G", s)
	}
	return BitRate(v), nil
}

// ParseBytes reads a size as people type it: "128K", "4M", "1G", "64KiB" or a
// plain number of bytes. Prefixes count in 1024.
func ParseBytes(s string) (Bytes, error) {
	text := strings.TrimSpace(s)
	for _, unit := range []string{"iB", "B"} {
		if cut, ok := strings.CutSuffix(text, unit); ok && cut != "" {
			text = cut
			break
		}
	}
	v, err := parse(strings.TrimSpace(text), 1024, 1<<50)
	if err != nil || v != math.Trunc(v) {
		return 0, fmt.Errorf("%q is not a size: use bytes with K, M or G, like 128K or 4M", s)
	}
	return Bytes(v), nil
}

func parse(text string, base, limit float64) (float64, error) {
	factor := 1.0
	if n := len(text); n > 0 {
		power := strings.IndexByte("kmgt", text[n-1]|0x20) + 1
		if power > 0 {
			factor = math.Pow(base, float64(power))
			text = strings.TrimSpace(text[:n-1])
		}
	}
	if strings.ContainsAny(text, "eExXpP_+nN") {
		return 0, strconv.ErrSyntax
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, err
	}
	if v *= factor; v < 0 || v > limit {
		return 0, strconv.ErrRange
	}
	return v, nil
}
