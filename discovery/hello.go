package discovery

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
)

// HelloMagic begins each hello datagram.
const HelloMagic = "LPH"

// A hello datagram is HelloMagic, the kind, the version, eight bytes of nonce
// (big endian) and a card as JSON. A request is filled up with zero bytes to
// helloSize, so that no answer is larger than what asked for it.
const (
	helloVersion = 1
	helloHeader  = len(HelloMagic) + 1 + 1 + 8
	helloSize    = 512
)

// helloKind says what a hello wants.
type helloKind byte

// helloRequest asks who is there; helloReply answers with the same nonce;
// helloBye says that its sender ends, with the nonce of the receiver's latest
// request, which nobody off the path knows.
const (
	helloRequest helloKind = '?'
	helloReply   helloKind = '!'
	helloBye     helloKind = '.'
)

// hello is one hello message.
type hello struct {
	kind  helloKind
	nonce uint64
	card  card
}

var errNotHello = errors.New("not a hello message")

// encode gives the datagram. When the card is too large for helloSize the
// adapter and then the end of the name are left out.
func (h hello) encode() ([]byte, error) {
	h.card, _ = h.card.cleaned()
	for {
		body, err := json.Marshal(h.card)
		if err != nil {
			return nil, fmt.Errorf("write hello message: %w", err)
		}
		if helloHeader+len(body) <= helloSize {
			return h.frame(body), nil
		}
		if !h.card.shrink() {
			return nil, fmt.Errorf("write hello message: %d bytes do not fit in %d", len(body), helloSize-helloHeader)
		}
	}
}

func (h hello) frame(body []byte) []byte {
	b := make([]byte, 0, helloSize)
	b = append(b, HelloMagic...)
	b = append(b, byte(h.kind), helloVersion)
	b = binary.BigEndian.AppendUint64(b, h.nonce)
	b = append(b, body...)
	if h.kind == helloRequest {
		b = b[:helloSize]
	}
	return b
}

// shrink drops the least needed part of a card; false when there is none left.
func (c *card) shrink() bool {
	runes := []rune(c.Name)
	switch {
	case c.Adapter.Name != "":
		c.Adapter.Name = ""
	case len(runes) > 0:
		c.Name = string(runes[:len(runes)*3/4])
	default:
		return false
	}
	return true
}

// decodeHello reads a datagram. Fields that this version does not know are
// ignored, and so is what later versions put behind the known kinds.
func decodeHello(b []byte) (hello, error) {
	if len(b) < helloHeader || len(b) > helloSize || string(b[:len(HelloMagic)]) != HelloMagic {
		return hello{}, errNotHello
	}
	h := hello{kind: helloKind(b[3]), nonce: binary.BigEndian.Uint64(b[5:helloHeader])}
	if h.kind != helloRequest && h.kind != helloReply && h.kind != helloBye {
		return hello{}, fmt.Errorf("hello message of unknown kind %q", b[3])
	}
	if b[4] != helloVersion {
		return hello{}, fmt.Errorf("hello message of unknown version %d", b[4])
	}
	if h.kind == helloRequest && len(b) != helloSize {
		return hello{}, fmt.Errorf("hello request of %d bytes, want %d", len(b), helloSize)
	}
	var received card
	if err := json.Unmarshal(bytes.TrimRight(b[helloHeader:], "\x00"), &received); err != nil {
		return hello{}, fmt.Errorf("read hello message: %w", err)
	}
	var ok bool
	if h.card, ok = received.cleaned(); !ok {
		return hello{}, errors.New("hello message without a usable ID")
	}
	return h, nil
}
