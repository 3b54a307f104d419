package model

import (
	"strings"
	"unicode"
)

// CleanText makes a text from another computer fit to be shown: at most limit
// characters, on one line, without control characters and without marks that
// change the direction of writing.
func CleanText(s string, limit int) string {
	var b strings.Builder
	count := 0
	for _, r := range s {
		if count == limit {
			break
		}
		switch {
		case r == unicode.ReplacementChar, unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
			continue
		}
		b.WriteRune(r)
		count++
	}
	return strings.TrimSpace(b.String())
}
