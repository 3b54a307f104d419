package sock

import (
	"testing"
	"time"
)

func TestLowatFollowsTheRate(t *testing.T) {
	for _, c := range []struct {
		bytes int // in 50 ms
		want  int
	}{
		{0, 1}, {5, 1}, {62_500, 6_250}, {6_250_000, 625_000}, {31_250_000, 2 << 20}, {1 << 40, 2 << 20},
	} {
		if got := lowatFor(c.bytes, 50*time.Millisecond); got != c.want {
			t.Errorf("%d bytes in 50 ms: waits for %d, want %d", c.bytes, got, c.want)
		}
	}
}
