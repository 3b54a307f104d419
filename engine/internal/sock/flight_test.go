package sock

import (
	"testing"
	"time"

	"linkpace/engine/units"
)

func TestFlightFollowsTheTerms(t *testing.T) {
	for _, c := range []struct {
		name   string
		terms  Terms
		shared bool
		want   flight
	}{
		{"one", Terms{Streams: 1}, true, flight{256 << 10, 4, 6}},
		{"one of its own", Terms{Streams: 1}, false, flight{256 << 10, 4, 6}},
		{"64 of their own", Terms{Streams: 64}, false, flight{(32 << 20) / (64 * 6), 4, 6}},
		{"crowd", Terms{Streams: 65}, true, flight{64 << 10, 2, 2}},
		{"asked", Terms{Streams: 1, Outstanding: 9, Block: 1000}, false, flight{1000, 9, 9}},
		{"asked for more than there is", Terms{Streams: 128, Outstanding: 64, Block: 16 << 20}, false, flight{4 << 10, 64, 64}},
		{"asked to share much", Terms{Streams: 128, Block: 64 << 20}, true, flight{16 << 20, 2, 2}},
		{"unknown number", Terms{}, false, flight{256 << 10, 4, 6}},
	} {
		if got := receiveFlight(c.terms, c.shared); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestSendersKeepTheConnectionFull(t *testing.T) {
	f := sendFlight(Terms{Streams: 1}, true)
	for _, c := range []struct{ stride, backlog, want int }{
		{256 << 10, 0, 32}, {256 << 10, 512 << 10, 3}, {256 << 10, 1 << 20, 5}, {64 << 10, 1 << 20, 17}, {64 << 10, 1 << 30, 32},
	} {
		got := f.sending(c.stride, c.backlog)
		if got != c.want {
			t.Errorf("backlog %d, stride %d: %d, want %d", c.backlog, c.stride, got, c.want)
		}
	}
	if f := sendFlight(Terms{Streams: 1, Outstanding: 2}, true); f.sending(1000, 1<<20) != 2 {
		t.Error("more writes than were asked for")
	}
}

func TestStrideEndsSoonOnSlowLinks(t *testing.T) {
	f := sendFlight(Terms{Streams: 1}, true)
	for _, c := range []struct {
		rate units.BitRate
		want int
	}{{0, 32 << 10}, {1e6, 32 << 10}, {20e6, 64 << 10}, {40e6, 100_000}, {1e9, 256 << 10}} {
		if got := f.stride(c.rate); got != c.want {
			t.Errorf("%v: %d, want %d", c.rate, got, c.want)
		}
	}
	if f := sendFlight(Terms{Streams: 1, Block: 1000}, true); f.stride(1e9) != 1000 {
		t.Error("a write is larger than the block that was asked for")
	}
}

func TestWholeBlocksOnlyWhereTheyFillSoon(t *testing.T) {
	f := receiveFlight(Terms{Streams: 1}, true)
	for _, c := range []struct {
		rate units.BitRate
		on   bool
		want bool
	}{{0, true, false}, {500e6, false, false}, {1e9, false, false}, {1.1e9, false, true}, {900e6, true, true}, {500e6, true, false}} {
		if got := f.whole(c.rate, c.on); got != c.want {
			t.Errorf("%v, on %v: %v", c.rate, c.on, got)
		}
	}
	if f.receiving(1e9) != 4 || f.receiving(20e9) != 6 {
		t.Error("the depth does not follow the rate")
	}
}

func TestSpeedometerLooksBackBriefly(t *testing.T) {
	var s speedometer
	now := time.Unix(0, 0)
	if s.add(1000, now) || s.add(1000, now.Add(speedTime-1)) {
		t.Error("a rate before its time")
	}
	if !s.add(500, now.Add(speedTime)) || s.rate != units.RateOf(2500, speedTime) {
		t.Errorf("the rate is %v", s.rate)
	}
	if !s.add(0, now.Add(2*speedTime)) || s.rate != 0 {
		t.Errorf("the rate of a pause is %v", s.rate)
	}
}

// Content that is checked lies in memory of its own for each write, so there are
// fewer of them.
func TestWritesOfContentAreFewer(t *testing.T) {
	if free, checked := sendFlight(Terms{Streams: 1}, true), sendFlight(Terms{Streams: 1}, false); checked.most >= free.most || checked.depth != free.depth {
		t.Errorf("at most %d writes of content, %d of anything", checked.most, free.most)
	}
}
