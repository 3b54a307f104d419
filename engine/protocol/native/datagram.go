package native

import (
	"encoding/binary"
	"time"
)

// DatagramMagic are the first bytes of every datagram of payload.
const DatagramMagic = "LPD1"

// Header begins a datagram of payload; the rest of it is content.
//
// On the wire, big endian: "LPD1", tag of the flow 4, sequence 8, the sender's
// time 8 (nanoseconds, any zero), flags 1: 1 is the head of those that left
// together, 2 the end.
type Header struct {
	Tag      Tag
	Sequence uint64
	Sent     time.Duration
	// Head is the first of datagrams that left together. Only its time is that of
	// its leaving: the others waited behind it.
	Head bool
	// End says that Sequence datagrams were sent and that none follow. It carries
	// no payload.
	End bool
}

// HeaderSize is the size of a Header in bytes.
const HeaderSize = len(DatagramMagic) + 4 + 8 + 8 + 1

// Tag tells the datagrams of a flow from strange ones.
type Tag uint32

// Tag makes the tag of a flow from its token, which it does not give away.
func (t Token) Tag() Tag {
	return Tag(scramble(binary.BigEndian.Uint64(t[:]) ^ binary.BigEndian.Uint64(t[8:])))
}

const (
	flagHead = 1 << iota
	flagEnd
)

// mark is the first 8 bytes of all datagrams of a flow.
func (t Tag) mark() uint64 {
	return uint64(binary.BigEndian.Uint32([]byte(DatagramMagic)))<<32 | uint64(t)
}

// Put writes the header to the beginning of b.
func (h Header) Put(b []byte) {
	b = b[:HeaderSize]
	binary.BigEndian.PutUint64(b, h.Tag.mark())
	binary.BigEndian.PutUint64(b[8:], h.Sequence)
	binary.BigEndian.PutUint64(b[16:], uint64(h.Sent))
	b[24] = 0
	if h.Head {
		b[24] = flagHead
	}
	if h.End {
		b[24] |= flagEnd
	}
}

// ParseHeader reads the header of a datagram of a flow; false when it is not one.
func ParseHeader(b []byte, of Tag) (h Header, ok bool) {
	if len(b) < HeaderSize || binary.BigEndian.Uint64(b) != of.mark() || b[24]&^(flagHead|flagEnd) != 0 {
		return h, false
	}
	return Header{
		Tag:      of,
		Sequence: binary.BigEndian.Uint64(b[8:]),
		Sent:     time.Duration(binary.BigEndian.Uint64(b[16:])),
		Head:     b[24]&flagHead != 0,
		End:      b[24]&flagEnd != 0,
	}, true
}
