// Package native is Linkpace's own way of moving payload: connections that
// each open with a single-use token, random or verifiable content, and delay
// probes on a UDP path of their own. What goes over the wire is in wire.go,
// pure and without a socket.
package native

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"time"

	"linkpace/engine/model"
)

// FlowMagic are the first bytes of a payload connection. The first of them
// differs from that of a TLS record (22), so that one port serves both.
const FlowMagic = "LPF1"

// ProbeMagic are the first bytes of every delay probe and its echo.
const ProbeMagic = "LPP"

// Secret is the 128-bit token of one run, agreed inside TLS. Every connection
// and the probe path open with a token of their own made from it.
type Secret [16]byte

// Token opens one payload connection, once.
type Token [16]byte

// FlowID says which of a run's connections one is.
type FlowID struct {
	Phase int
	// Way is the direction of the payload as the initiator sees it.
	Way  model.Direction
	Flow int
}

// Token makes the token of one connection.
func (s Secret) Token(id FlowID) Token {
	return s.derive("flow", byte(id.Phase), wayByte(id.Way), byte(id.Flow>>8), byte(id.Flow))
}

// ProbeToken makes the token of the run's delay probes.
func (s Secret) ProbeToken() Token { return s.derive("probe") }

// Seed makes the number that the verifiable content of one connection starts from.
func (s Secret) Seed(id FlowID) uint64 {
	t := s.derive("seed", byte(id.Phase), wayByte(id.Way), byte(id.Flow>>8), byte(id.Flow))
	return binary.BigEndian.Uint64(t[:])
}

func (s Secret) derive(label string, parts ...byte) (t Token) {
	mac := hmac.New(sha256.New, s[:])
	mac.Write([]byte(label))
	mac.Write(parts)
	copy(t[:], mac.Sum(nil))
	return t
}

// Equal compares in constant time.
func (t Token) Equal(other Token) bool { return subtle.ConstantTimeCompare(t[:], other[:]) == 1 }

// PreambleSize is the number of bytes that open a payload connection.
const PreambleSize = len(FlowMagic) + len(Token{})

// Preamble is what opens a payload connection: magic, token.
func Preamble(t Token) []byte { return append([]byte(FlowMagic), t[:]...) }

// ParsePreamble reads the opening of a payload connection.
func ParsePreamble(b []byte) (t Token, err error) {
	if len(b) != PreambleSize || string(b[:len(FlowMagic)]) != FlowMagic {
		return t, errors.New("not the opening of a payload connection")
	}
	copy(t[:], b[len(FlowMagic):])
	return t, nil
}

func wayByte(d model.Direction) byte {
	if d == model.Send {
		return 's'
	}
	return 'r'
}

// Probe is one delay probe or its echo.
//
// On the wire, big endian: "LPP", '?' for a probe or '!' for its echo, token
// 16, sequence 4, the sender's time 8, time the echo took inside the other
// computer 4 (nanoseconds). Probe and echo have the same size, so nobody is
// sent more than he sent.
type Probe struct {
	Echo     bool
	Token    Token
	Sequence uint32
	Sent     time.Duration
	// Held is how long the other program held the probe before it answered.
	Held time.Duration
}

// ProbeSize is the size of a probe in bytes.
const ProbeSize = len(ProbeMagic) + 1 + 16 + 4 + 8 + 4

// Append adds the probe's bytes to b.
func (p Probe) Append(b []byte) []byte {
	kind := byte('?')
	if p.Echo {
		kind = '!'
	}
	b = append(append(b, ProbeMagic...), kind)
	b = append(b, p.Token[:]...)
	b = binary.BigEndian.AppendUint32(b, p.Sequence)
	b = binary.BigEndian.AppendUint64(b, uint64(p.Sent))
	return binary.BigEndian.AppendUint32(b, uint32(min(max(p.Held, 0), time.Second)))
}

// ParseProbe reads a probe or its echo.
func ParseProbe(b []byte) (p Probe, err error) {
	if len(b) != ProbeSize || string(b[:3]) != ProbeMagic || b[3] != '?' && b[3] != '!' {
		return p, errors.New("not a delay probe")
	}
	p.Echo = b[3] == '!'
	copy(p.Token[:], b[4:20])
	p.Sequence = binary.BigEndian.Uint32(b[20:])
	p.Sent = time.Duration(binary.BigEndian.Uint64(b[24:]))
	p.Held = time.Duration(binary.BigEndian.Uint32(b[32:]))
	return p, nil
}
