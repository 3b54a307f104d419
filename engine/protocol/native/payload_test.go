package native

import (
	"bytes"
	"errors"
	"testing"
)

func TestPatternIsOneSequence(t *testing.T) {
	whole := make([]byte, 1000)
	(&pattern{seed: 42}).fill(whole)
	for _, cut := range []uint64{0, 1, 7, 8, 9, 500, 993, 1000} {
		rest := make([]byte, 1000-cut)
		(&pattern{seed: 42, offset: cut}).fill(rest)
		if !bytes.Equal(rest, whole[cut:]) {
			t.Errorf("from byte %d on the pattern is another", cut)
		}
	}
	other := make([]byte, 1000)
	(&pattern{seed: 43}).fill(other)
	if bytes.Equal(other[:8], whole[:8]) {
		t.Error("two seeds give one pattern")
	}
}

func TestVerifiedFindsWhatWasChanged(t *testing.T) {
	sent := make([]byte, 4096)
	(&pattern{seed: 7, offset: 0}).fill(sent)
	for name, change := range map[string]struct {
		spoil func(b []byte) []byte
		first int64
	}{
		"one bit":      {func(b []byte) []byte { b[1234] ^= 4; return b }, 1234},
		"last byte":    {func(b []byte) []byte { b[4095]++; return b }, 4095},
		"block lost":   {func(b []byte) []byte { return append(b[:1000:1000], b[2000:]...) }, 1000},
		"blocks moved": {func(b []byte) []byte { return append(append([]byte{}, b[512:1024]...), b[:512]...) }, 0},
	} {
		got := change.spoil(append([]byte(nil), sent...))
		s := &verified{pattern: pattern{seed: 7}, buffer: make([]byte, 100)}
		var err error
		for len(got) > 0 && err == nil {
			n := copy(s.Buffer(), got)
			err, got = s.Got(n), got[n:]
		}
		var corrupt *CorruptError
		if !errors.As(err, &corrupt) {
			t.Errorf("%s: got %v", name, err)
		} else if corrupt.Offset < change.first || corrupt.Offset > change.first+1 {
			t.Errorf("%s: found at byte %d, want %d", name, corrupt.Offset, change.first)
		}
	}
}

func TestVerifiedPassesWhatWasSent(t *testing.T) {
	src := &patterned{pattern: pattern{seed: 9}, block: make([]byte, 777)}
	dst := &verified{pattern: pattern{seed: 9}, buffer: make([]byte, 777)}
	for _, part := range []int{777, 1, 3, 500, 776} { // partial writes go on where they stopped
		n := copy(dst.Buffer(), src.Next()[:part])
		src.Sent(n)
		if err := dst.Got(n); err != nil {
			t.Fatal(err)
		}
	}
	if src.offset != dst.offset || dst.offset != 2057 {
		t.Errorf("sent %d, checked %d, want 2057", src.offset, dst.offset)
	}
}
