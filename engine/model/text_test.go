package model_test

import (
	"strings"
	"testing"

	"linkpace/engine/model"
)

func TestCleanText(t *testing.T) {
	for in, want := range map[string]string{
		"NAS":                    "NAS",
		"  Büro-PC \n":           "Büro-PC",
		"a\x1b[31mred\x00":       "a[31mred",
		"\u202eevil\u2066":       "evil",
		"two\u2028lines":         "two lines",
		strings.Repeat("x", 99):  strings.Repeat("x", 10),
		"\xff\xfeok":             "ok",
		"a \x00 b":               "a b",
		strings.Repeat("ä ", 30): "ä ä ä ä ä",
	} {
		if got := model.CleanText(in, 10); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
		if again := model.CleanText(want, 10); again != want {
			t.Errorf("%q: cleaned twice it is %q", want, again)
		}
	}
}
