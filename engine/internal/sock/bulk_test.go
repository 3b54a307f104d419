package sock

import (
	"bytes"
	"io"
	"testing"
	"testing/synctest"
	"time"
)

func TestFillersDiffer(t *testing.T) {
	a, b := make([]byte, 64), make([]byte, 64)
	fill(a)
	fill(b)
	if bytes.Equal(a, b) {
		t.Error("two random blocks are equal")
	}
}

func TestPlainBlockBoundsMemory(t *testing.T) {
	for _, c := range []struct{ wish, streams, want int }{
		{0, 1, 256 << 10}, {0, 16, 256 << 10}, {0, 32, 128 << 10}, {0, 128, 64 << 10}, {1000, 64, 1000}, {0, 0, 256 << 10},
	} {
		if got := plainBlockFor(c.wish, c.streams); got != c.want {
			t.Errorf("wish %d, %d streams: %d, want %d", c.wish, c.streams, got, c.want)
		}
	}
}

// sum is a Counter for one goroutine.
type sum int

func (s *sum) Add(n int) { *s += sum(n) }

func TestPacedSendingEndsWithItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent sum
		until := time.Now().Add(time.Second)
		o := Outgoing{Source: repeated(make([]byte, 1000)), Count: &sent, Until: until, Rate: 80000}
		if err := sendAll(t.Context(), io.Discard, o, 1000); err != nil {
			t.Fatal(err)
		}
		if sent < 9_000 || sent > 11_000 {
			t.Errorf("sent %d bytes in a second at 80,000 bits, want about 10,000", sent)
		}
		if late := time.Since(until); late != 0 {
			t.Errorf("ended %v after its time", late)
		}
	})
}

func TestMethodsOfSeveralTasks(t *testing.T) {
	refused := io.ErrNoProgress // any error
	var all Methods
	for _, m := range []Methods{{Send: "a", Syscalls: "raw", Refused: refused}, {Receive: "b"}, {Send: "c", Syscalls: "plain"}} {
		all.Merge(m)
	}
	if want := (Methods{Send: "c", Receive: "b", Syscalls: "plain", Refused: refused}); all != want {
		t.Errorf("got %+v, want %+v", all, want)
	}
}
