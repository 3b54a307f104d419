package native

import (
	"math/rand/v2"
	"testing"
	"time"
)

// takeAll takes datagrams of these numbers; a negative one is the end, -1 that of
// none sent.
func takeAll(t *Tally, numbers ...int) Count {
	for _, n := range numbers {
		h := Header{Sequence: uint64(n)}
		if n < 0 {
			h = Header{Sequence: uint64(-n - 1), End: true}
		}
		t.take(h)
	}
	t.publish()
	return t.Count()
}

func TestTally(t *testing.T) {
	for name, c := range map[string]struct {
		came []int
		want Count
	}{
		"nothing":                   {nil, Count{}},
		"in order":                  {[]int{0, 1, 2, -4}, Count{Packets: 3}},
		"one lost":                  {[]int{0, 2, 3, -5}, Count{Packets: 3, Lost: 1}},
		"first lost":                {[]int{2, -4}, Count{Packets: 1, Lost: 2}},
		"last lost":                 {[]int{0, 1, -6}, Count{Packets: 2, Lost: 3}},
		"all lost":                  {[]int{-6}, Count{Lost: 5}},
		"end lost too":              {[]int{0, 1}, Count{Packets: 2}},
		"one late":                  {[]int{0, 2, 1, 3, -5}, Count{Packets: 4, Late: 1}},
		"late after the end":        {[]int{0, 2, -4, 1}, Count{Packets: 3, Late: 1}},
		"twice":                     {[]int{0, 1, 1, 2, -4}, Count{Packets: 3, Duplicated: 1}},
		"three times":               {[]int{0, 0, 0, -2}, Count{Packets: 1, Duplicated: 2}},
		"late and twice":            {[]int{0, 2, 1, 1, -4}, Count{Packets: 3, Late: 1, Duplicated: 1}},
		"end said often":            {[]int{0, -2, -2, -2}, Count{Packets: 1}},
		"end before what came":      {[]int{0, 1, 2, -2}, Count{Packets: 3}},
		"a gap of a whole window":   {[]int{0, windowSize + 1, windowSize + 1}, Count{Packets: 2, Lost: windowSize, Duplicated: 1}},
		"out of the window":         {[]int{0, windowSize + 5, 3}, Count{Packets: 3, Late: 1, Lost: windowSize + 3}},
		"at the edge of the window": {[]int{0, windowSize + 2, 3, 3}, Count{Packets: 3, Late: 1, Duplicated: 1, Lost: windowSize}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := takeAll(&Tally{}, c.came...); got != c.want {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestDamagedNumbersAreNotBelieved(t *testing.T) {
	var tally Tally
	for _, h := range []Header{{Sequence: 1 << 60}, {Sequence: 1<<64 - 1}, {Sequence: 1 << 60, End: true}} {
		tally.take(h)
	}
	if got := takeAll(&tally, 0, 1); got != (Count{Packets: 2}) {
		t.Errorf("%+v", got)
	}
}

// TestTallyIsANaiveOne compares with a model that remembers everything.
func TestTallyIsANaiveOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 50 {
		var tally Tally
		came, highest, want := map[uint64]bool{}, uint64(0), Count{}
		next := uint64(0)
		for range 20000 {
			next += uint64(rng.IntN(3))
			if rng.IntN(500) == 0 {
				next += uint64(rng.IntN(1000))
			}
			n := next - min(next, uint64(rng.IntN(1+rng.IntN(200))))
			tally.take(Header{Sequence: n})
			switch {
			case came[n]:
				want.Duplicated++
			case len(came) > 0 && n < highest:
				want.Late++
			}
			came[n], highest = true, max(highest, n)
		}
		tally.take(Header{Sequence: highest + 4, End: true})
		tally.publish()
		want.Packets = uint64(len(came))
		want.Lost = highest + 4 - want.Packets
		if got := tally.Count(); got != want {
			t.Fatalf("round %d\ngot  %+v\nwant %+v", round, got, want)
		}
	}
}

func TestExpectSettlesWhatGotLostLast(t *testing.T) {
	var tally Tally
	takeAll(&tally, 0, 1, 2)
	if tally.Expect(10); tally.Count() != (Count{Packets: 3, Lost: 7}) {
		t.Errorf("%+v", tally.Count())
	}
}

// TestJitter follows the formula of RFC 3550, 6.4.1, by hand.
func TestJitter(t *testing.T) {
	var tally Tally
	const ms = time.Millisecond
	for i, transit := range []time.Duration{5 * ms, 5 * ms, 21 * ms, 21 * ms} {
		sent := time.Duration(i) * 100 * ms
		tally.arrive(sent, sent+transit)
	}
	// 0, 0, 0+(16-0)/16 = 1, 1+(0-1)/16
	tally.publish()
	if got := tally.Count().Jitter; got != 937500*time.Nanosecond {
		t.Errorf("got %v, want 0.9375 ms", got)
	}
}

func TestFullSocketIsBlamedForItsOwnLossOnly(t *testing.T) {
	type arrival struct {
		missing  uint64
		drops    uint32
		together int
	}
	for name, c := range map[string]struct {
		came []arrival
		want uint64
	}{
		"lost on the way":        {[]arrival{{0, 0, 40}, {40, 0, 40}}, 0},
		"dropped one packet":     {[]arrival{{0, 0, 40}, {40, 1, 40}}, 40},
		"both":                   {[]arrival{{0, 0, 40}, {100, 1, 40}}, 40},
		"many":                   {[]arrival{{0, 0, 40}, {400, 10, 40}}, 400},
		"smaller than usual":     {[]arrival{{0, 0, 40}, {7, 1, 40}}, 7},
		"the counter goes round": {[]arrival{{0, 1<<32 - 1, 1}, {2, 1, 1}}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			tally := Tally{drops: c.came[0].drops}
			tally.now.expected = 1000 // of them none came
			for _, a := range c.came {
				tally.blame(a.missing, a.drops, a.together)
			}
			tally.publish()
			if got := tally.Count().Dropped; got != c.want {
				t.Errorf("%d, want %d", got, c.want)
			}
		})
	}
}
