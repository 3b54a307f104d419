package load

import (
	"slices"
	"strings"
	"testing"
)

func TestParseStat(t *testing.T) {
	const sum = "cpu  838593 59701 274887 1007611 7611 0 30664 749 0 0\n"
	for name, c := range map[string]struct {
		text  string
		cores []core
		whole bool
		error string
	}{
		"stolen time is busy, guests count once": {
			sum + "cpu3 1 2 4 64 128 8 16 32 1 1\nintr 1 2\n", []core{{3, 63, 192, 24}}, true, "",
		},
		"a core is away": {
			sum + "cpu0 1 0 0 1 0 0 0 0 0 0\ncpu2 2 0 0 2 0 0 0 0 0 0\nintr 1\n", []core{{0, 1, 1, 0}, {2, 2, 2, 0}}, true, "",
		},
		"an old kernel without interrupts": {
			sum + "cpu0 1 2 4 8\nintr 1\n", []core{{0, 7, 8, 0}}, true, "",
		},
		"cut in a line":             {sum + "cpu0 1 2 4 8 0 0 0 0\ncpu1 1 2", []core{{0, 7, 8, 0}}, false, ""},
		"cut after a line":          {sum + "cpu0 1 2 4 8 0 0 0 0\n", []core{{0, 7, 8, 0}}, false, ""},
		"empty":                     {"", nil, false, ""},
		"no figure":                 {sum + "cpu0 1 x 4 8\nintr\n", nil, true, `"cpu0 1 x 4 8"`},
		"no number of a core":       {sum + "cpux 1 2 4 8\nintr\n", nil, true, `"cpux 1 2 4 8"`},
		"a figure that goes beyond": {sum + "cpu0 99999999999999999999 0 0 0\nintr\n", nil, true, "range"},
	} {
		cores, whole, err := parseStat([]byte(c.text))
		if !slices.Equal(cores, c.cores) || whole != c.whole || (err != nil) != (c.error != "") {
			t.Errorf("%s: got %v, %v, %v", name, cores, whole, err)
		}
		if err != nil && !strings.Contains(err.Error(), c.error) {
			t.Errorf("%s: %v does not name %s", name, err, c.error)
		}
	}
}

// A computer with many cores has more to tell than the first buffer holds.
func TestBufferGrowsWithTheCores(t *testing.T) {
	s := openSource()
	want, err := s.cores()
	if err != nil {
		t.Fatal(err)
	}
	s.text = make([]byte, 16)
	got, err := s.cores()
	if err != nil || len(got) != len(want) || len(s.text) == 16 {
		t.Errorf("%d cores instead of %d in %d bytes, %v", len(got), len(want), len(s.text), err)
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("cpu  1 2\ncpu0 1 2 4 8 0 0 0 0\nintr 1\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		cores, _, err := parseStat(text)
		if err != nil && cores != nil {
			t.Errorf("%v and %v", cores, err)
		}
		for _, c := range cores {
			if c.busy < c.interrupts || c.idle < 0 {
				t.Errorf("%+v", c)
			}
		}
	})
}
