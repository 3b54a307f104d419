package native

import (
	"encoding/binary"
	"fmt"
)

// verifiedBlock is the size of a write or read of content that is checked.
const verifiedBlock = 64 << 10

// pattern is a sequence of bytes in which each place can be computed: byte i is
// part of a scrambled (seed + i/8). A moved, lost or changed byte shows.
type pattern struct {
	seed   uint64
	offset uint64
}

// fill writes the next len(b) bytes of the pattern into b without moving on.
func (p *pattern) fill(b []byte) {
	at := p.offset
	for len(b) > 0 && at%8 != 0 {
		b[0] = byte(scramble(p.seed+at/8) >> (8 * (at % 8)))
		b, at = b[1:], at+1
	}
	for ; len(b) >= 8; b, at = b[8:], at+8 {
		binary.LittleEndian.PutUint64(b, scramble(p.seed+at/8))
	}
	for i := range b {
		b[i] = byte(scramble(p.seed+at/8) >> (8 * (at % 8)))
		at++
	}
}

// check compares b with the next bytes of the pattern and moves on. It returns
// the place of the first byte that differs, and -1 when none does.
func (p *pattern) check(b []byte) int64 {
	var word [8]byte
	for len(b) > 0 {
		n := min(len(b), 8-int(p.offset%8))
		binary.LittleEndian.PutUint64(word[:], scramble(p.seed+p.offset/8))
		for i, want := range word[p.offset%8:][:n] {
			if b[i] != want {
				return int64(p.offset) + int64(i)
			}
		}
		b, p.offset = b[n:], p.offset+uint64(n)
	}
	return -1
}

// scramble is the finaliser of SplitMix64 (Steele, Lea, Flood, "Fast splittable
// pseudorandom number generators", 2014): every input bit moves every output bit.
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// patterned sends the pattern.
type patterned struct {
	pattern
	block []byte
}

func (s *patterned) Next() []byte {
	s.fill(s.block)
	return s.block
}

func (s *patterned) Sent(n int) { s.offset += uint64(n) }

// verified checks that what arrives is the pattern.
type verified struct {
	pattern
	buffer []byte
}

func (s *verified) Buffer() []byte { return s.buffer }

func (s *verified) Got(n int) error {
	if at := s.check(s.buffer[:n]); at >= 0 {
		return &CorruptError{Offset: at}
	}
	return nil
}

// CorruptError says that payload arrived changed.
type CorruptError struct {
	// Offset is the place of the first wrong byte in its connection.
	Offset int64
}

// Error names the place.
func (e *CorruptError) Error() string {
	return fmt.Sprintf("payload differs from what was sent, first at byte %d", e.Offset)
}
