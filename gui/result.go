package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"linkpace/engine/model"
	"linkpace/engine/plot"
	"linkpace/engine/units"
	"linkpace/engine/verdict"
	"linkpace/gui/chart"
)

// resultView shows what came of a test: a sentence, the figures, the chart, and
// the facts behind them.
type resultView struct {
	root          fyne.CanvasObject
	scroll        *container.Scroll
	top, body     *fyne.Container
	heading, when *words
	again         *button
	save          *button
	said          *words
	verdict       *verdictBanner
	to, from      *figure
	both          *bothFigure
	table         *factsTable
	chart         *chart.Chart
	more          *fyne.Container // other findings and notes

	shown       *model.Result
	target      model.Peer
	repeatable  bool
	fromHistory bool
}

type resultActions struct {
	again, copy, back func()
	save              func(fileKind)
}

func newResult(do resultActions, keys func(*fyne.KeyEvent)) *resultView {
	r := &resultView{
		heading: newBold("", sizeName),
		when:    newWords("", sizeBody, colourFaint),
		again:   newButton(textTestAgain, do.again).primary(),
		said:    newWords("", sizeBody, theme.ColorNameSuccess),
		verdict: newVerdictBanner(),
		to:      newFigure(true),
		from:    newFigure(false),
		both:    newBothFigure(),
		table:   newFactsTable(),
		chart:   chart.New(380),
		more:    column(8),
	}
	r.again.Icon = theme.MediaReplayIcon()
	copying := newButton(textCopy, do.copy)
	copying.Icon = theme.ContentCopyIcon()
	r.save = newButton(textSave, nil)
	r.save.Icon = theme.DocumentSaveIcon()
	r.save.OnTapped = func() { r.offerFiles(do.save) }
	back := newButton(textBack, do.back)
	for _, b := range []*button{r.again, copying, r.save, back} {
		b.keys = keys
	}
	r.root = r.arrange(row(8, back, copying, r.save, r.again))
	return r
}

func (r *resultView) arrange(buttons fyne.CanvasObject) fyne.CanvasObject {
	head := newReflow(410, column(2, r.heading, r.when), container.NewHBox(layout.NewSpacer(), middle(buttons)))
	figures := newReflow(220, r.to.root, r.from.root, r.both.root)
	r.body = column(10, r.verdict.root, figures, newCard(r.chart), newCard(r.table.root), r.more)
	r.scroll = container.NewVScroll(inset(r.body, 4, 20))
	r.said.Hide()
	r.top = container.NewVBox(inset(head, 12, 20), inset(r.said, 0, 20))
	return container.NewBorder(r.top, middleSpace(8), nil, nil, r.scroll)
}

// show shows res. With repeatable, peer can be tested again.
func (r *resultView) show(res *model.Result, peer model.Peer, repeatable bool) {
	r.shown, r.target, r.repeatable, r.fromHistory = res, peer, repeatable, false
	r.heading.SetText(pairTitle(res.Local, res.Remote, res.SameMachine))
	r.when.SetText(joined([]string{dateWords(res.Started), adapterWords(res.Local.Adapter)}))
	if repeatable {
		r.again.Enable()
	} else {
		r.again.Disable()
	}
	r.say("")
	findings := verdict.Findings(res)
	r.verdict.show(findings, res)
	sums := res.Summaries()
	r.showFigures(res, sums)
	r.table.show(res, sums)
	r.chart.Set(plot.FromResult(res).Chart())
	r.showMore(findings, res.Notes)
	r.body.Refresh()
	r.scroll.Refresh()
	r.scroll.ScrollToTop()
}

// say shows how something went, such as saving.
func (r *resultView) say(sentence string) {
	r.said.SetText(sentence)
	r.said.Hide()
	if sentence != "" {
		r.said.Show()
	}
	r.top.Refresh()
}

func (r *resultView) showFigures(res *model.Result, sums []model.Summary) {
	r.to.title.SetText(way(res.Local.Name, res.Remote.Name))
	r.from.title.SetText(way(res.Remote.Name, res.Local.Name))
	r.to.Clear()
	r.from.Clear()
	r.both.clear()
	for _, s := range sums {
		f := r.figureFor(s)
		f.Set(s.Rate)
	}
	r.both.show(r.both.bytes)
}

// figureFor says where a summary's speed is shown.
func (r *resultView) figureFor(s model.Summary) interface{ Set(units.BitRate) } {
	switch {
	case s.Direction == model.Both && s.Dir == model.Send:
		return &r.both.to
	case s.Direction == model.Both:
		return &r.both.from
	case s.Dir == model.Send:
		return r.to
	}
	return r.from
}

// showMore lists what is worth knowing beside the verdict.
func (r *resultView) showMore(findings []model.Finding, notes []model.Note) {
	r.more.RemoveAll()
	if len(findings) > 1 {
		r.more.Add(listCard(textAlsoNoticed, findingTexts(findings[1:])))
	}
	if len(notes) > 0 {
		r.more.Add(listCard(textNotes, noteTexts(notes)))
	}
}

func listCard(heading string, texts []string) fyne.CanvasObject {
	list := column(0, newBold(heading, sizeBody))
	for _, text := range texts {
		list.Add(outdent(newSentence(text)))
	}
	return newCard(list)
}

func (r *resultView) inBytes(bytes bool) {
	r.to.InBytes(bytes)
	r.from.InBytes(bytes)
	r.both.show(bytes)
}

// peer is what "Test again" tests.
func (r *resultView) peer() (model.Peer, bool) { return r.target, r.repeatable }

func (r *resultView) title() string { return resultTitle(r.to, r.from, r.shown) }

// offerFiles opens the choice of what to save below the button.
func (r *resultView) offerFiles(save func(fileKind)) {
	menu := fyne.NewMenu("",
		fyne.NewMenuItem(textSavePicture, func() { save(asPicture) }),
		fyne.NewMenuItem(textSaveData, func() { save(asJSON) }),
		fyne.NewMenuItem(textSaveTable, func() { save(asCSV) }),
	)
	c := fyne.CurrentApp().Driver().CanvasForObject(r.save)
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(r.save)
	widget.ShowPopUpMenuAtPosition(menu, c, at.AddXY(0, r.save.Size().Height))
}
