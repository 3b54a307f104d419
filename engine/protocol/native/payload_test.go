package native

import (
	"bytes"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"linkpace/engine/internal/meter"
	"linkpace/engine/internal/pace"
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
		s := &verified{pattern: pattern{seed: 7}, buffer: make([]byte, 100), counter: new(meter.Counter)}
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
	src := &patterned{pattern: pattern{seed: 9}, block: make([]byte, 777), counter: new(meter.Counter)}
	dst := &verified{pattern: pattern{seed: 9}, buffer: make([]byte, 777), counter: new(meter.Counter)}
	for _, part := range []int{777, 1, 3, 500, 776} { // partial writes go on where they stopped
		n := copy(dst.Buffer(), src.Next()[:part])
		src.Sent(n)
		if err := dst.Got(n); err != nil {
			t.Fatal(err)
		}
	}
	if src.counter.Bytes() != dst.counter.Bytes() || dst.counter.Bytes() != 2057 {
		t.Errorf("sent %d, received %d, want 2057", src.counter.Bytes(), dst.counter.Bytes())
	}
}

func TestRandomBlocksDiffer(t *testing.T) {
	if bytes.Equal(RandomBlock(64), RandomBlock(64)) {
		t.Error("two random blocks are equal")
	}
}

func TestBlockForBoundsMemory(t *testing.T) {
	for _, c := range []struct{ wish, flows, want int }{
		{0, 1, 256 << 10}, {0, 16, 256 << 10}, {0, 32, 128 << 10}, {0, 128, 64 << 10}, {1000, 64, 1000}, {0, 0, 256 << 10},
	} {
		if got := BlockFor(c.wish, c.flows); got != c.want {
			t.Errorf("wish %d, %d flows: %d, want %d", c.wish, c.flows, got, c.want)
		}
	}
}

func TestPacedEndsWithItsTime(t *testing.T) {
	endless := &repeated{block: make([]byte, 1000), counter: new(meter.Counter)}
	synctest.Test(t, func(t *testing.T) {
		until := time.Now().Add(time.Second)
		p := &paced{Source: endless, ctx: t.Context(), until: until, began: time.Now(), bucket: pace.New(80000, 0), chunk: 1000}
		sent := 0
		for block := p.Next(); len(block) > 0; block = p.Next() {
			p.Sent(len(block))
			if sent += len(block); sent > 100_000 {
				break
			}
		}
		if sent < 9_000 || sent > 11_000 {
			t.Errorf("sent %d bytes in a second at 80,000 bits, want about 10,000", sent)
		}
		if late := time.Since(until); late != 0 {
			t.Errorf("ended %v after its time", late)
		}
	})
}
