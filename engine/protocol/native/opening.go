package native

import (
	"encoding/binary"
	"errors"
)

// OpeningMagic are the first bytes of the datagram that opens a flow of
// datagrams, and of its echo.
const OpeningMagic = "LPU"

// Opening opens a flow of datagrams, or is the echo that says it is open.
//
// On the wire, big endian: "LPU", '?' for an opening or '!' for its echo, token
// 16, port 2. Opening and echo have the same size, so nobody is sent more than he
// sent.
type Opening struct {
	Echo  bool
	Token Token
	// Port is in an echo the port that the flow's datagrams go to.
	Port uint16
}

// OpeningSize is the size of an opening in bytes.
const OpeningSize = len(OpeningMagic) + 1 + len(Token{}) + 2

// Append adds the opening's bytes to b.
func (o Opening) Append(b []byte) []byte {
	kind := byte('?')
	if o.Echo {
		kind = '!'
	}
	b = append(append(b, OpeningMagic...), kind)
	b = append(b, o.Token[:]...)
	return binary.BigEndian.AppendUint16(b, o.Port)
}

// ParseOpening reads an opening or its echo.
func ParseOpening(b []byte) (o Opening, err error) {
	if len(b) != OpeningSize || string(b[:3]) != OpeningMagic || b[3] != '?' && b[3] != '!' {
		return o, errors.New("not the opening of a flow of datagrams")
	}
	o.Echo = b[3] == '!'
	copy(o.Token[:], b[4:20])
	o.Port = binary.BigEndian.Uint16(b[20:])
	return o, nil
}
