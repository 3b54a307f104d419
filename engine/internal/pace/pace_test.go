package pace_test

import (
	"testing"
	"time"

	"linkpace/engine/internal/pace"
	"linkpace/engine/units"
)

func TestAverageHolds(t *testing.T) {
	const rate = 80e6 // 10 MB a second
	b := pace.New(rate, 0)
	var now time.Duration
	sent := 0
	for now < time.Second {
		sent += 50000
		now += b.Take(50000, now)
		now += 300 * time.Microsecond // the write itself
	}
	if sent < 9_900_000 || sent > 10_200_000 {
		t.Errorf("sent %d bytes in a second, want about 10,000,000", sent)
	}
}

func TestLostTimeIsNotMadeUpForWithoutBound(t *testing.T) {
	b := pace.New(80e6, 0)
	b.Take(1000, 0)
	late := 10 * time.Second
	sent := 0
	for b.Take(10000, late) == 0 {
		sent += 10000
	}
	if sent > 200_000 {
		t.Errorf("a burst of %d bytes after a pause, want at most 20 ms worth (200,000)", sent)
	}
}

func TestChunk(t *testing.T) {
	for _, c := range []struct{ rate, block, want int }{
		{1000, 65536, 1400}, {80e6, 65536, 50000}, {10e9, 65536, 65536},
	} {
		if got := pace.Chunk(units.BitRate(c.rate), c.block); got != c.want {
			t.Errorf("%d b/s, block %d: got %d, want %d", c.rate, c.block, got, c.want)
		}
	}
}
