package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// listed is how many tests the list holds at most.
const listed = 500

// historyView is the list of kept tests, the newest first.
type historyView struct {
	root    fyne.CanvasObject
	list    *widget.List
	says    *widget.Label
	empty   fyne.CanvasObject
	entries []Entry
	open    func(id string)
	remove  func(Entry)
	keys    func(*fyne.KeyEvent)
}

func newHistory(open func(id string), remove func(Entry), keys func(*fyne.KeyEvent)) *historyView {
	h := &historyView{open: open, remove: remove, keys: keys, says: newSentence(textHistoryEmpty)}
	h.list = widget.NewList(
		func() int { return len(h.entries) },
		func() fyne.CanvasObject { return newEntryRow(keys) },
		h.fill,
	)
	h.list.HideSeparators = true
	h.list.OnSelected = func(i widget.ListItemID) {
		h.list.UnselectAll()
		h.open(h.entries[i].ID)
	}
	h.empty = container.NewVBox(newCard(outdent(h.says)))
	h.root = inset(container.NewBorder(
		inset(newBold(textHistory, sizeName), 0, 0), nil, nil, nil,
		inset(container.NewStack(inset(h.empty, 0, 4), h.list), 10, -4),
	), 16, 20)
	h.show(nil, nil)
	return h
}

func (h *historyView) fill(i widget.ListItemID, object fyne.CanvasObject) {
	if i >= len(h.entries) {
		return
	}
	e := h.entries[i]
	object.(*entryRow).show(e, func() { h.open(e.ID) }, func() { h.remove(e) }) //nolint:forcetypeassert // the list only makes these
}

// show fills the list, or says why it cannot.
func (h *historyView) show(entries []Entry, err error) {
	h.entries = entries
	h.says.SetText(textHistoryEmpty)
	if err != nil {
		h.says.SetText(textNoReading + sentenceOf(err))
	}
	if len(entries) == 0 {
		h.empty.Show()
		h.list.Hide()
	} else {
		h.empty.Hide()
		h.list.Show()
	}
	h.list.Refresh()
}

// entryRow is one line of the list.
type entryRow struct {
	widget.BaseWidget
	name, when   *words
	to, from     *speedWords
	open, remove *button
}

func newEntryRow(keys func(*fyne.KeyEvent)) *entryRow {
	r := &entryRow{
		name: newBold("", sizeBody), when: newWords("", sizeSmall, colourFaint),
		to: newSpeedWords(true), from: newSpeedWords(false),
		open: newButton(textOpen, nil), remove: newButton("", nil),
	}
	r.remove.Icon = theme.DeleteIcon()
	r.open.keys, r.remove.keys = keys, keys
	r.ExtendBaseWidget(r)
	return r
}

func (r *entryRow) show(e Entry, open, remove func()) {
	r.name.SetText(entryName(e))
	r.when.SetText(entryWhen(e))
	r.to.show(e.To)
	r.from.show(e.From)
	r.open.OnTapped, r.remove.OnTapped = open, remove
}

// CreateRenderer is part of fyne.Widget.
func (r *entryRow) CreateRenderer() fyne.WidgetRenderer {
	text := container.NewGridWithColumns(2, column(2, r.name, r.when), column(2, r.to.root, r.from.root))
	return widget.NewSimpleRenderer(inset(newCard(
		container.NewBorder(nil, nil, nil, middle(row(6, r.open, r.remove)), text),
	), 3, 4))
}

// speedWords is a speed in one line, with the arrow of its direction.
type speedWords struct {
	root  fyne.CanvasObject
	words *words
}

func newSpeedWords(sent bool) *speedWords {
	s := &speedWords{words: newWords("", sizeBody, theme.ColorNameForeground)}
	s.root = container.NewBorder(nil, nil, newArrow(sent), nil, inset(s.words, 0, 4))
	return s
}

func (s *speedWords) show(rate units.BitRate) {
	if rate == 0 {
		s.words.SetText(textNoSpeed)
		return
	}
	s.words.SetText(rate.Both())
}

// reloadHistory reads the list anew.
func (u *UI) reloadHistory() {
	go func() {
		entries, err := u.deps.History.List(u.ctx, listed)
		deliver(u.ctx, u.on, func() { u.history.show(entries, err) })
	}()
}

func (u *UI) openEntry(id string) {
	go func() {
		r, err := u.deps.History.Get(u.ctx, id)
		deliver(u.ctx, u.on, func() {
			if err != nil {
				u.tell(textHistory, sentenceOf(err))
				return
			}
			u.showEntry(r)
		})
	}()
}

// showEntry opens a kept result. The other computer can be tested again when it
// is there now.
func (u *UI) showEntry(r *model.Result) {
	peer, there := u.home.find(r)
	u.result.show(r, peer, there)
	u.result.fromHistory = true
	u.open(screenResult)
}

func (u *UI) askDelete(e Entry) {
	u.ask(textDeleteAsk, entryName(e)+", "+dateWords(e.Started),
		choice{textKeep, func() {}},
		choice{textDelete, func() { u.deleteEntry(e.ID) }},
	)
}

func (u *UI) deleteEntry(id string) {
	go func() {
		if err := u.deps.History.Delete(u.ctx, id); err != nil {
			deliver(u.ctx, u.on, func() { u.tell(textHistory, sentenceOf(err)) })
			return
		}
		u.reloadHistory()
	}()
}
