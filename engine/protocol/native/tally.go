package native

import (
	"sync/atomic"
	"time"
)

// Tally counts what becomes of the datagrams of one flow at the receiver. One
// goroutine takes, any may read.
type Tally struct {
	// What readers see, written once for datagrams that came together. version is
	// odd meanwhile.
	version, packets, bytes, expected, late, duplicated, dropped atomic.Uint64
	jitter                                                       atomic.Int64

	now     figures
	longest uint64 // most datagrams that came together
	drops   uint32 // of the socket, at the last arrival
	transit time.Duration
	began   bool // whether transit is known
	ended   bool
	seen    window
}

// figures are the counts that one goroutine adds to.
type figures struct {
	packets, bytes, expected, late, duplicated, dropped uint64
	jitter                                              float64 // nanoseconds
}

// window remembers which of the latest datagrams came.
type window [windowSize / 64]uint64

// windowSize is how far back a further copy of a datagram is known to be one. It
// is a twentieth of a second at the highest rates that a computer receives.
const windowSize = 1 << 17

// has reports whether a sequence number is marked, and marks it.
func (w *window) has(sequence uint64) bool {
	word, bit := &w[sequence/64%(windowSize/64)], uint64(1)<<(sequence%64)
	was := *word&bit != 0
	*word |= bit
	return was
}

// clear forgets the numbers from one to before another: those of the window
// before.
func (w *window) clear(from, to uint64) {
	if to-from >= windowSize {
		*w = window{}
		return
	}
	for from < to {
		if from%64 == 0 && to-from >= 64 {
			w[from/64%(windowSize/64)] = 0
			from += 64
			continue
		}
		w[from/64%(windowSize/64)] &^= 1 << (from % 64)
		from++
	}
}

// maxSequence is more than anybody can send; larger numbers are damage.
const maxSequence = 1 << 56

// take counts one datagram, and reports whether it is payload that had not come.
func (t *Tally) take(h Header) (fresh bool) {
	n := &t.now
	switch {
	case h.Sequence >= maxSequence:
		return false
	case h.End:
		t.expect(h.Sequence)
		return false
	case h.Sequence >= n.expected:
		t.seen.clear(n.expected, h.Sequence)
		t.seen.clear(h.Sequence, h.Sequence+1)
		t.seen.has(h.Sequence)
		n.expected = h.Sequence + 1
	case n.expected-h.Sequence > windowSize:
		// Nobody knows any more whether it came; one that is so late took
		// another way, rather than that it came twice.
		n.late++
	case t.seen.has(h.Sequence):
		n.duplicated++
		return false
	default:
		n.late++
	}
	n.packets++
	return true
}

// expect takes in how many datagrams were sent in all. A number smaller than what
// came is damage.
func (t *Tally) expect(total uint64) {
	t.ended = true
	if total < maxSequence && total > t.now.expected {
		t.seen.clear(t.now.expected, total)
		t.now.expected = total
	}
}

// complete reports whether everything came.
func (t *Tally) complete() bool { return t.ended && t.now.packets >= t.now.expected }

// arrive follows the interarrival jitter of RFC 3550, 6.4.1, over the heads: the
// others of those that left together came later only because they waited behind
// them, on this computer's own wire.
func (t *Tally) arrive(sent, at time.Duration) {
	transit := at - sent
	if t.began {
		t.now.jitter += (float64(max(transit-t.transit, t.transit-transit)) - t.now.jitter) / 16
	}
	t.transit, t.began = transit, true
}

// blame says how many of the datagrams that were missing before an arrival were
// thrown away by the full socket: it counts packets, each of which may be as many
// datagrams as ever came together.
func (t *Tally) blame(missing uint64, drops uint32, together int) {
	t.longest = max(t.longest, uint64(together))
	packets := uint64(drops - t.drops) // modulo 2^32
	t.drops = drops
	t.now.dropped += min(missing, packets*t.longest)
}

// publish shows readers what was counted.
func (t *Tally) publish() {
	t.version.Add(1)
	defer t.version.Add(1)
	t.packets.Store(t.now.packets)
	t.bytes.Store(t.now.bytes)
	t.expected.Store(t.now.expected)
	t.late.Store(t.now.late)
	t.duplicated.Store(t.now.duplicated)
	t.dropped.Store(t.now.dropped)
	t.jitter.Store(int64(t.now.jitter))
}

// Count is what a Tally says at one moment.
type Count struct {
	// Packets came, the first copy of each. Lost have not come, though a later one
	// or the end has.
	Packets, Lost uint64
	// Bytes is the payload of Packets.
	Bytes uint64
	// Late came after one that was sent later, Duplicated are further copies.
	Late, Duplicated uint64
	// Dropped are those of Lost that the full socket threw away, as far as it
	// counts at each arrival.
	Dropped uint64
	Jitter  time.Duration
}

// countTries is how often a reading is repeated that the receiver wrote into. A
// receiver that lost its processor meanwhile must not hold the reader up.
const countTries = 100

// Count reads the tally.
func (t *Tally) Count() (c Count) {
	for range countTries {
		before := t.version.Load()
		c = t.read()
		if before%2 == 0 && t.version.Load() == before {
			break
		}
	}
	return c
}

func (t *Tally) read() Count {
	c := Count{Bytes: t.bytes.Load(), Late: t.late.Load(), Duplicated: t.duplicated.Load(), Jitter: time.Duration(t.jitter.Load())}
	expected := t.expected.Load() // before the packets, or some would seem lost that just come
	c.Packets = t.packets.Load()
	c.Lost = max(expected, c.Packets) - c.Packets
	c.Dropped = min(t.dropped.Load(), c.Lost)
	return c
}

// Expect takes in how many datagrams the sender says it sent, in case the end got
// lost. Nothing may be taken any more.
func (t *Tally) Expect(total uint64) {
	t.expect(total)
	t.publish()
}
