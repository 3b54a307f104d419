package gui

import (
	"net/netip"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// addressRow takes the address of a computer that was not found by itself.
type addressRow struct {
	root  fyne.CanvasObject
	entry *addressEntry
	add   *button
	says  *widget.Label
	busy  bool
	// resized is called after a change of height.
	resized func()
}

// addressEntry hands on the keys that mean something to the window.
type addressEntry struct {
	widget.Entry
	keys func(*fyne.KeyEvent)
}

// TypedKey is part of fyne.Focusable.
func (e *addressEntry) TypedKey(key *fyne.KeyEvent) {
	if key.Name == fyne.KeyEscape || key.Name == fyne.KeyF5 {
		e.keys(key)
		return
	}
	e.Entry.TypedKey(key)
}

func newAddressRow(add func(string), keys func(*fyne.KeyEvent)) *addressRow {
	r := &addressRow{entry: &addressEntry{keys: keys}, says: newSentence("")}
	r.entry.ExtendBaseWidget(r.entry)
	r.says.Importance = widget.DangerImportance
	r.entry.SetPlaceHolder(textAddHint)
	submit := func() {
		address := strings.TrimSpace(r.entry.Text)
		if r.busy || !plausible(address) {
			return
		}
		r.begin()
		add(address)
	}
	r.add = newButton(textAdd, submit)
	r.add.keys = keys
	r.add.Disable()
	r.entry.OnSubmitted = func(string) { submit() }
	r.entry.OnChanged = r.check
	r.root = column(-4, container.NewBorder(nil, nil, nil, r.add, r.entry), outdent(r.says))
	return r
}

// check tells while typing whether the text can be an address.
func (r *addressRow) check(text string) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		r.say("")
		r.add.Disable()
	case plausible(text):
		r.say("")
		r.add.Enable()
	default:
		r.say(textBadAddress)
		r.add.Disable()
	}
}

// say shows a sentence, which may be long and then needs more room.
func (r *addressRow) say(sentence string) {
	r.says.SetText(sentence)
	if r.resized != nil {
		r.resized()
	}
}

func (r *addressRow) begin() {
	r.busy = true
	r.say("")
	r.add.SetText(textAdding)
	r.add.Disable()
}

// done ends what begin began. The text stays when it did not work.
func (r *addressRow) done(err error) {
	r.busy = false
	r.add.SetText(textAdd)
	if err == nil {
		r.entry.SetText("")
		return
	}
	r.check(r.entry.Text)
	r.say(sentenceOf(err))
}

// plausible reports whether text has the form of an address: a name or an IP
// address, with or without a port. Whether somebody is there is another question.
func plausible(text string) bool {
	if _, err := netip.ParseAddr(text); err == nil {
		return true
	}
	if a, err := netip.ParseAddrPort(text); err == nil {
		return a.Port() != 0
	}
	host := text
	if name, port, hasPort := strings.Cut(text, ":"); hasPort {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return false
		}
		host = name
	}
	return isHostName(host)
}

// isHostName follows RFC 1123, and lets the underscores of some networks pass.
// Dotted numbers that are no IP address are a slip of the finger, not a name.
func isHostName(host string) bool {
	if len(host) == 0 || len(host) > 253 || !strings.ContainsFunc(host, isLetter) {
		return false
	}
	for label := range strings.SplitSeq(strings.TrimSuffix(host, "."), ".") {
		if label == "" || len(label) > 63 || strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") {
			return false
		}
		if strings.ContainsFunc(label, func(r rune) bool { return !isLetter(r) && (r < '0' || r > '9') && r != '-' && r != '_' }) {
			return false
		}
	}
	return true
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7F }
