package units_test

import (
	"math"
	"testing"
	"time"

	"linkpace/engine/units"
)

func TestRateText(t *testing.T) {
	for _, c := range []struct {
		rate units.BitRate
		want string
	}{
		{0, "0 b/s (0 B/s)"},
		{8, "8.00 b/s (1.00 B/s)"},
		{941e6, "941 Mb/s (118 MB/s)"},
		{94.1e6, "94.1 Mb/s (11.8 MB/s)"},
		{999.4e6, "999 Mb/s (125 MB/s)"},
		{999.6e6, "1.00 Gb/s (125 MB/s)"},
		{2.5e9, "2.50 Gb/s (312 MB/s)"},
		{41.23e9, "41.2 Gb/s (5.15 GB/s)"},
		{units.BitRate(math.NaN()), "– b/s (– B/s)"},
	} {
		if got := c.rate.Both(); got != c.want {
			t.Errorf("%v: got %q, want %q", float64(c.rate), got, c.want)
		}
	}
}

func TestNominalRate(t *testing.T) {
	for rate, want := range map[units.BitRate]string{1e9: "1 Gb/s", 2.5e9: "2.5 Gb/s", 100e6: "100 Mb/s", 10e9: "10 Gb/s", 866.7e6: "867 Mb/s", 0: "0 b/s"} {
		if got := rate.Nominal(); got != want {
			t.Errorf("%v: got %q, want %q", float64(rate), got, want)
		}
	}
}

func TestAmountsText(t *testing.T) {
	for got, want := range map[string]string{
		units.Bytes(1250000000).String():          "1.25 GB",
		units.Bytes(131072).Buffer():              "128 KiB",
		units.Bytes(4 << 20).Buffer():             "4 MiB",
		units.Bytes(1500).Buffer():                "1500 B",
		units.Delay(420 * time.Microsecond):       "420 µs",
		units.Delay(3210 * time.Microsecond):      "3.21 ms",
		units.Delay(1250 * time.Millisecond):      "1.25 s",
		units.Delay(0):                            "0 µs",
		units.Percent(0.034):                      "3.40 %",
		units.RateOf(125e6, time.Second).String(): "1.00 Gb/s",
		units.RateOf(125e6, 0).String():           "0 b/s",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestParseRate(t *testing.T) {
	for in, want := range map[string]units.BitRate{
		"500M": 500e6, "2.5G": 2.5e9, "10k": 10e3, "64K": 64e3, "1000": 1000, "0": 0,
		"500Mbit/s": 500e6, "941 Mb/s": 941e6, "1Gbps": 1e9,
	} {
		if got, err := units.ParseRate(in); err != nil || got != want {
			t.Errorf("%q: got %v, %v; want %v", in, float64(got), err, float64(want))
		}
	}
	for _, in := range []string{"", "M", "-1M", "fast", "1e9", "0x10", "NaN", "Inf", "5X", "999999999G", "1_000"} {
		if got, err := units.ParseRate(in); err == nil {
			t.Errorf("%q: got %v, want an error", in, float64(got))
		}
	}
}

func TestParseBytes(t *testing.T) {
	for in, want := range map[string]units.Bytes{
		"128K": 128 << 10, "4M": 4 << 20, "1G": 1 << 30, "64KiB": 64 << 10, "1500": 1500, "2MB": 2 << 20, "0": 0, "1.5K": 1536,
	} {
		if got, err := units.ParseBytes(in); err != nil || got != want {
			t.Errorf("%q: got %d, %v; want %d", in, got, err, want)
		}
	}
	for _, in := range []string{"", "K", "-1", "1.3", "many", "1e3", "99999999T", "B"} {
		if got, err := units.ParseBytes(in); err == nil {
			t.Errorf("%q: got %d, want an error", in, got)
		}
	}
}

func TestRateRoundTrip(t *testing.T) {
	r := units.RateOf(1<<20, 250*time.Millisecond)
	if got := r.In(250 * time.Millisecond); got != 1<<20 {
		t.Errorf("got %d bytes, want %d", got, 1<<20)
	}
}

func FuzzParseRate(f *testing.F) {
	for _, s := range []string{"500M", "2.5 Gbit/s", "-1", "1e9", "K"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if r, err := units.ParseRate(s); err == nil && (r < 0 || math.IsNaN(float64(r)) || math.IsInf(float64(r), 0)) {
			t.Errorf("%q gave %v", s, float64(r))
		}
	})
}

func FuzzParseBytes(f *testing.F) {
	for _, s := range []string{"128K", "1.5M", "-1", "B"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if b, err := units.ParseBytes(s); err == nil && b < 0 {
			t.Errorf("%q gave %d", s, b)
		}
	})
}
