package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// notice is the bar that says that somebody else tests with this computer.
type notice struct {
	root        fyne.CanvasObject
	text        *words
	watch, stop *button
}

type noticeActions struct{ watch, stop func() }

func newNotice(keys func(*fyne.KeyEvent)) *notice {
	n := &notice{
		text:  newWords("", sizeBody, colourOnBadge),
		watch: newButton(textWatch, nil),
		stop:  newButton(textStop, nil),
	}
	n.watch.keys, n.stop.keys = keys, keys
	n.stop.Icon = theme.MediaStopIcon()
	n.root = container.NewStack(
		newPanel(colourBadge, "", 0),
		inset(container.NewBorder(nil, nil, nil, row(8, n.watch, n.stop), middle(n.text)), 6, 20),
	)
	n.root.Hide()
	return n
}

func (u *UI) showNotice(name string, do noticeActions) {
	n := u.notice
	n.text.SetText(noticeWords(name))
	n.watch.OnTapped, n.stop.OnTapped = do.watch, do.stop
	n.root.Show()
	u.frame.Refresh()
}

func (u *UI) hideNotice() {
	u.notice.root.Hide()
	u.frame.Refresh()
}
