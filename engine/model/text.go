package model

import (
	"strings"
	"unicode"
)

// CleanText makes a text from another computer fit to be shown: one line of at
// most limit characters without control characters, invisible marks, marks that
// change the direction of writing and broken encoding. Runs of space become one.
func CleanText(s string, limit int) string {
	s = s[:min(len(s), 16*limit)] // whoever sends a megabyte gets no work for it
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	runes := []rune(strings.Join(strings.Fields(s), " "))
	return strings.TrimSpace(string(runes[:min(len(runes), limit)]))
}
