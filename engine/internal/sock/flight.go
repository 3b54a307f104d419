package sock

import (
	"time"

	"linkpace/engine/units"
)

// flight says how much of one stream is in the system's hands at once, for a
// backend that hands over several reads or writes before the first has ended.
type flight struct {
	block int // bytes of one operation, at most
	depth int // operations at once, to begin with
	most  int // operations at once, at most
}

const (
	flightBlock = 256 << 10
	// crowd is how many streams may each have as much as one alone; of more each
	// gets less, because together they fill the system's memory.
	crowd      = 64
	crowdBlock = 64 << 10
	// flightMemory is what the operations of all streams may take up where each
	// needs memory of its own.
	flightMemory = 32 << 20
	// sharedMemory bounds a block that all operations share.
	sharedMemory = 16 << 20
)

// receiveFlight is for receiving on terms; shared says that all operations may
// use the same memory. Four reads keep the system from ever having to hold data
// itself, above 10 Gbit/s six do.
func receiveFlight(t Terms, shared bool) flight {
	return flightOf(t, shared, 4, 6)
}

// sendFlight is for sending on terms. Without a buffer in the system at least
// two writes must always be in flight, or the connection runs dry between two.
func sendFlight(t Terms, shared bool) flight {
	if shared {
		return flightOf(t, shared, 3, 32)
	}
	return flightOf(t, shared, 3, 6)
}

func flightOf(t Terms, shared bool, depth, most int) flight {
	f := flight{block: flightBlock, depth: depth, most: most}
	if t.Streams > crowd {
		f = flight{block: crowdBlock, depth: 2, most: 2}
	}
	if t.Outstanding > 0 {
		f.depth, f.most = t.Outstanding, t.Outstanding
	}
	if t.Block > 0 {
		f.block = t.Block
	}
	share := sharedMemory
	if !shared {
		share = max(flightMemory/(max(t.Streams, 1)*f.most), 4<<10)
	}
	f.block = min(f.block, share)
	return f
}

// deep is above which rate of one stream receiving needs its full depth.
const deep units.BitRate = 10e9

// receiving is the depth at a rate.
func (f flight) receiving(rate units.BitRate) int {
	if rate > deep {
		return f.most
	}
	return f.depth
}

// sending is the depth at which so many bytes are in flight that the system,
// which wants backlog of them, always has the next at hand. Where it does not
// tell how many it wants, that may be any number.
func (f flight) sending(stride, backlog int) int {
	if backlog == 0 {
		return f.most
	}
	return min(max((backlog+stride-1)/stride+1, f.depth), f.most)
}

const (
	// strideTime is the time whose bytes one write carries, so that the last
	// ones are through soon after the end.
	strideTime = 20 * time.Millisecond
	// usualStride is the least that one write carries, and what it carries
	// before the rate is known: less in flight would itself be the limit where
	// the way is long.
	usualStride = 64 << 10
	// slow is the rate below which even that would take too long at the end.
	slow       units.BitRate = 1.5e6
	slowStride               = 32 << 10
)

// stride is how much one write carries at a rate.
func (f flight) stride(rate units.BitRate) int {
	if rate < slow {
		return min(slowStride, f.block)
	}
	return min(max(int(rate.In(strideTime)), usualStride), f.block)
}

// lag is how old what a live chart shows may get because a read ends only when
// its block is full.
const lag = 2 * time.Millisecond

// whole reports whether reads shall end with a full block only, which spares
// the processor. On says whether they do already; it holds them there a little
// longer.
func (f flight) whole(rate units.BitRate, on bool) bool {
	within := lag
	if on {
		within *= 2
	}
	return int(rate.In(within)) >= f.block
}

// speedometer tells how fast a stream lately was.
type speedometer struct {
	since time.Time
	bytes units.Bytes
	rate  units.BitRate
}

// speedTime is the time that it looks at.
const speedTime = 50 * time.Millisecond

// add counts bytes and reports whether the rate is a new one.
func (s *speedometer) add(n int, now time.Time) bool {
	if s.since.IsZero() {
		s.since = now
	}
	s.bytes += units.Bytes(n)
	passed := now.Sub(s.since)
	if passed < speedTime {
		return false
	}
	s.rate = units.RateOf(s.bytes, passed)
	s.since, s.bytes = now, 0
	return true
}
