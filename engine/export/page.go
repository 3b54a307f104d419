package export

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Measures of the text form, in characters.
const (
	pageWidth  = 100
	indent     = "    "
	labelWidth = 14
)

// page collects lines of text.
type page struct{ text strings.Builder }

func (p *page) String() string { return p.text.String() }

// paragraph writes text at the margin, and a blank line before it except at
// the top.
func (p *page) paragraph(text string) {
	p.gap()
	for _, line := range wrap(clean(text), pageWidth) {
		p.text.WriteString(line + "\n")
	}
}

// heading begins a table. The blank line after it is what makes forums take
// the indented rows for a block of their own.
func (p *page) heading(text string) {
	p.paragraph(text)
	p.text.WriteByte('\n')
}

// row writes a labelled value, and nothing when the value is empty.
func (p *page) row(label, value string) {
	if value == "" {
		return
	}
	width := pageWidth - len(indent) - labelWidth - 1
	for _, line := range wrap(clean(value), width) {
		p.text.WriteString(indent + pad(label, labelWidth) + " " + line + "\n")
		label = ""
	}
}

func (p *page) gap() {
	if p.text.Len() > 0 {
		p.text.WriteByte('\n')
	}
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

// short cuts s to width characters.
func short(s string, width int) string {
	if runes := []rune(s); len(runes) > width {
		return string(runes[:width-1]) + "…"
	}
	return s
}

// clean makes one line of printable characters of text that may come from the
// other computer: what it sends must not steer the terminal that shows it.
func clean(s string) string {
	printable := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
	return strings.Join(strings.Fields(printable), " ")
}

// wrap breaks text between words, and within words that are longer than a line.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		joined := strings.TrimSpace(line + " " + word)
		if utf8.RuneCountInString(joined) <= width {
			line = joined
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for utf8.RuneCountInString(word) > width {
			runes := []rune(word)
			lines, word = append(lines, string(runes[:width])), string(runes[width:])
		}
		line = word
	}
	return append(lines, line)
}
