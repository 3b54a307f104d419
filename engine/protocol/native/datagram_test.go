package native

import (
	"bytes"
	"encoding/hex"
	"testing"
	"time"
)

func TestHeaderBytes(t *testing.T) {
	h := Header{Tag: 0xaabbccdd, Sequence: 258, Sent: 65536 * time.Nanosecond, Head: true}
	const want = "4c504431" + "aabbccdd" + "0000000000000102" + "0000000000010000" + "01"
	got := make([]byte, HeaderSize)
	h.Put(got)
	if hex.EncodeToString(got) != want {
		t.Errorf("got  %x\nwant %s", got, want)
	}
	if back, ok := ParseHeader(got, h.Tag); !ok || back != h {
		t.Errorf("read back %+v, %v", back, ok)
	}
	if _, ok := ParseHeader(got, h.Tag+1); ok {
		t.Error("taken for one of another flow")
	}
}

func TestHeaderFitsTheSmallestDatagram(t *testing.T) {
	if HeaderSize > 32 {
		t.Errorf("a header takes %d bytes, more than model.MinDatagram", HeaderSize)
	}
}

func TestOpeningBytes(t *testing.T) {
	o := Opening{Echo: true, Token: Token{0xaa, 15: 0xbb}, Port: 47820}
	const want = "4c505521" + "aa0000000000000000000000000000bb" + "bacc"
	got := o.Append(nil)
	if hex.EncodeToString(got) != want {
		t.Errorf("got  %x\nwant %s", got, want)
	}
	if back, err := ParseOpening(got); err != nil || back != o {
		t.Errorf("read back %+v, %v", back, err)
	}
}

func TestTagsDoNotGiveTokensAway(t *testing.T) {
	token := Token{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	b := make([]byte, HeaderSize)
	Header{Tag: token.Tag()}.Put(b)
	for i := range len(token) - 3 {
		if bytes.Contains(b, token[i:i+4]) {
			t.Errorf("bytes %d to %d of the token are in each datagram", i, i+4)
		}
	}
}

func FuzzParseHeader(f *testing.F) {
	b := make([]byte, HeaderSize)
	Header{Tag: 7, Sequence: 1, End: true}.Put(b)
	f.Add(b, uint32(7))
	f.Add([]byte("LPD1"), uint32(0))
	f.Fuzz(func(t *testing.T, b []byte, tag uint32) {
		h, ok := ParseHeader(b, Tag(tag))
		if !ok {
			return
		}
		again := make([]byte, HeaderSize)
		if h.Put(again); !bytes.Equal(again, b[:HeaderSize]) {
			t.Errorf("%x does not survive: %x", b[:HeaderSize], again)
		}
	})
}

func FuzzParseOpening(f *testing.F) {
	f.Add(Opening{Port: 1}.Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		if o, err := ParseOpening(b); err == nil && !bytes.Equal(o.Append(nil), b) {
			t.Errorf("%x does not survive", b)
		}
	})
}
