package sock

import (
	"testing"
	"time"
)

func TestNaps(t *testing.T) {
	for name, c := range map[string]struct {
		room  int64
		bytes int
		want  bool
	}{
		"much comes":            {8 << 20, 1 << 20, true},
		"little comes":          {8 << 20, 1000, false},
		"nothing comes":         {8 << 20, 0, false},
		"the buffer is small":   {208 << 10, 1 << 20, false},
		"the buffer is unknown": {0, 1 << 20, false},
	} {
		began := time.Now()
		n := naps{room: c.room, since: began, bytes: c.bytes}
		nap := n.next(began.Add(time.Millisecond))
		if (nap > 0) != c.want || nap > maxNap {
			t.Errorf("%s: a nap of %v", name, nap)
		}
		if again := n.next(began.Add(2 * time.Millisecond)); again != 0 {
			t.Errorf("%s: a nap of %v after a millisecond of nothing", name, again)
		}
	}
}

func TestFirstWaitIsNoNap(t *testing.T) {
	n := naps{room: 8 << 20, bytes: 1 << 20}
	if nap := n.next(time.Now()); nap != 0 {
		t.Errorf("a nap of %v before anything is known", nap)
	}
}
