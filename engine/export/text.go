package export

import (
	"fmt"
	"io"
	"strings"
	"time"

	"linkpace/engine/model"
	"linkpace/engine/units"
	"linkpace/engine/verdict"
)

// Text writes r for people: the verdict, a table of the figures that matter
// most, then every figure of each direction and the facts of both computers. No
// line is longer than 100 characters. Tables are indented by four spaces, which
// forums show as they are.
func Text(w io.Writer, r *model.Result) error {
	t := report{result: r}
	summaries := r.Summaries()
	t.verdict()
	t.table(summaries)
	t.others()
	t.about()
	for _, s := range summaries {
		t.summary(s)
	}
	t.notes()
	t.end(model.Local, r.Local)
	t.end(model.Remote, r.Remote)
	if _, err := io.WriteString(w, t.String()); err != nil {
		return fmt.Errorf("writing the result as text: %w", err)
	}
	return nil
}

// report writes the parts of a Result onto a page.
type report struct {
	page
	result   *model.Result
	findings []model.Finding
}

func (t *report) verdict() {
	t.findings = verdict.Findings(t.result)
	t.finding(t.findings[0])
}

// others writes what was noticed besides the verdict.
func (t *report) others() {
	if len(t.findings) == 1 {
		return
	}
	t.paragraph("Also noticed:")
	for _, f := range t.findings[1:] {
		t.finding(f)
	}
}

func (t *report) finding(f model.Finding) {
	t.paragraph(fmt.Sprintf("%s. (%s)", f.Headline, f.Certainty))
	for _, text := range []string{f.Detail, f.Fix} {
		if text != "" {
			t.paragraph(text)
		}
	}
}

func (t *report) about() {
	r := t.result
	t.heading("Test of " + t.name(model.Local) + " and " + t.name(model.Remote))
	t.row("result", r.ID)
	t.row("started", r.Started.Format("2006-01-02 15:04:05 -0700"))
	t.row("kind", strings.Join([]string{string(r.Protocol), strings.ToUpper(string(r.Transport)), string(r.Mode) + " mode", streams(r.Effective.Streams)}, ", "))
	t.wishes()
	t.methods()
	t.row("outcome", string(r.Outcome))
	if r.Problem != nil {
		t.row("problem", r.Problem.Text)
	}
}

func streams(n int) string {
	if n == 1 {
		return "1 connection"
	}
	return fmt.Sprintf("%d connections each way", n)
}

func (t *report) notes() {
	if len(t.result.Notes) == 0 {
		return
	}
	t.heading("Notes")
	for _, n := range t.result.Notes {
		t.row(short(t.name(n.Side), labelWidth), fmt.Sprintf("%s (after %s)", n.Text, units.Delay(n.At.Round(time.Millisecond))))
	}
}

func (t *report) end(side model.Side, e model.Endpoint) {
	t.heading(t.name(side))
	t.row("address", e.Address)
	t.row("system", e.OS)
	if e.CPU != "" {
		t.row("processor", fmt.Sprintf("%s, %d cores", e.CPU, e.Cores))
	}
	t.row("adapter", adapter(e.Adapter))
	t.row("sockets", e.Backend)
	t.row("version", e.Version)
}

func adapter(a model.Adapter) string {
	parts := []string{a.Name}
	if a.Kind != "" {
		parts = append(parts, string(a.Kind))
	}
	if a.Link > 0 {
		parts = append(parts, a.Link.Nominal())
	}
	if a.Duplex != "" {
		parts = append(parts, a.Duplex+" duplex")
	}
	if a.MTU > 0 {
		parts = append(parts, fmt.Sprintf("MTU %d", a.MTU))
	}
	return strings.TrimPrefix(strings.Join(parts, ", "), ", ")
}

// name is what to call a computer, short enough for two in a heading.
func (t *report) name(side model.Side) string {
	name, other := t.result.Local.Name, "this computer"
	if side == model.Remote {
		name, other = t.result.Remote.Name, "the other computer"
	}
	if name == "" {
		return other
	}
	const longest = 32
	return short(clean(name), longest)
}
