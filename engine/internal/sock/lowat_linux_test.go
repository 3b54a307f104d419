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
		if got := lowatFor(c.bytes, 50*time.Millisecond, lowatMost); got != c.want {
			t.Errorf("%d bytes in 50 ms: waits for %d, want %d", c.bytes, got, c.want)
		}
	}
}

func TestCopiedPayloadWaitsLessWithMoreConnections(t *testing.T) {
	for streams, want := range map[int]int{1: 2 << 20, 8: 256 << 10, 64: 64 << 10, 128: 64 << 10} {
		var r receiver
		r.init(Terms{Streams: streams})
		if got := r.mayWait(&task{in: &Incoming{}}); got != want {
			t.Errorf("%d connections: %d bytes may wait, want %d", streams, got, want)
		}
		r.init(Terms{Streams: streams, Link: true})
		if got := r.mayWait(&task{in: &Incoming{}}); got != lowatMost {
			t.Errorf("%d connections whose payload is dropped: %d bytes may wait", streams, got)
		}
	}
}
