package gui

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"linkpace/engine"
	"linkpace/engine/model"
	"linkpace/engine/plot"
	"linkpace/engine/units"
)

// way writes the direction of payload as people read it. Signs such as arrows
// are not in Fyne's font and would depend on those of the system.
func way(from, to string) string { return from + " to " + to }

func toWords(name string) string   { return "to " + name }
func fromWords(name string) string { return "from " + name }

func pairTitle(local, remote model.Endpoint, same bool) string {
	switch {
	case same && (local.Name == remote.Name || remote.Name == ""):
		return local.Name + " with itself"
	case same:
		return local.Name + " and " + remote.Name + ", both on this computer"
	}
	return local.Name + " and " + remote.Name
}

// adapterWords describes an adapter: "Ethernet 1 Gb/s", "Wi-Fi 5 GHz, 866 Mb/s".
func adapterWords(a model.Adapter) string {
	words := kindWord(a.Kind)
	if words == "" {
		words = a.Name
	}
	if words == "" {
		return textUnknownAdapter
	}
	if a.WiFi != nil && a.WiFi.Band != "" {
		words += " " + a.WiFi.Band
	}
	if a.Link > 0 {
		words += " " + a.Link.Nominal()
	}
	if a.Duplex == "half" {
		words += ", half duplex"
	}
	return words
}

func kindWord(k model.AdapterKind) string {
	switch k {
	case model.Ethernet:
		return "Ethernet"
	case model.WiFi:
		return "Wi-Fi"
	case model.Tunnel:
		return "VPN"
	case model.Bridge:
		return "Network bridge"
	case model.Virtual:
		return "Virtual network"
	case model.Loopback:
		return "Inside this computer"
	}
	return ""
}

// slowLink is the rate at and below which a cable is worth a remark: it is what
// a bad cable brings a faster one down to.
const slowLink units.BitRate = 100_000_000

func slowWords(a model.Adapter) string { return a.Link.Nominal() + " link" }

func isSlow(a model.Adapter) bool {
	return a.Kind == model.Ethernet && a.Link > 0 && a.Link <= slowLink
}

// viaWords says how a peer was found.
func viaWords(via string) string {
	switch via {
	case "mdns", "broadcast":
		return "found on this network"
	case "remembered":
		return "known from earlier"
	case "typed":
		return "added by address"
	}
	return ""
}

// peerFacts is the line below a peer's name.
func peerFacts(p model.Peer) string {
	parts := []string{systemWords(p.OS), adapterOf(p)}
	if !p.SameMachine {
		parts = append(parts, viaWords(p.Via))
	}
	if len(p.Addrs) > 0 {
		parts = append(parts, p.Addrs[0].Addr().String())
	}
	return joined(parts)
}

// systemWords leaves out what stands in brackets behind a system's name; few
// people know the names of its versions, and the card is narrow.
func systemWords(os string) string {
	name, _, _ := strings.Cut(os, " (")
	return name
}

// adapterOf is empty for a peer that did not describe its adapter: a card that
// says "unknown" says nothing.
func adapterOf(p model.Peer) string {
	if words := adapterWords(p.Adapter); words != textUnknownAdapter {
		return words
	}
	return ""
}

func joined(parts []string) string {
	kept := parts[:0:0]
	for _, part := range parts {
		if part != "" {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, "  ·  ")
}

// addressWords lists the addresses that other people type, the usual port left out.
func addressWords(addrs []netip.AddrPort, usual uint16) string {
	words := make([]string, 0, len(addrs))
	for _, a := range addrs {
		if a.Port() == usual {
			words = append(words, a.Addr().String())
		} else {
			words = append(words, a.String())
		}
	}
	if len(words) == 0 {
		return textNoAddress
	}
	return strings.Join(words, "   ")
}

// stateWords says what a run is doing.
func stateWords(p engine.Progress, remote string) string {
	switch p.State {
	case engine.Connecting:
		return "Connecting to " + remote + "…"
	case engine.Waiting:
		return "Waiting for the person at " + remote + " to allow the test…"
	case engine.Queued:
		return remote + " is in another test. Yours starts after it."
	case engine.Finishing:
		return "Putting the figures together…"
	case engine.Running:
		if p.Phase >= 0 && p.Phase < len(p.Phases) {
			return phaseWords(p.Phases[p.Phase].Direction)
		}
	}
	return "Starting…"
}

func phaseWords(d model.Direction) string {
	if d == model.Idle {
		return "Measuring the delay of the idle connection…"
	}
	return plot.PhaseWord(d) + "…"
}

// consentBody explains the question, and reminds of an answer given before.
func consentBody(answer Answer) string {
	words := map[Answer]string{OnNetwork: textConsentYes, AskEachTime: textConsentAsk, Nobody: textConsentNo}[answer]
	if words == "" {
		return textConsentBody
	}
	return textConsentBody + "\n\nYour answer so far: " + words + "."
}

func noticeWords(name string) string { return name + " is testing with this computer." }

func askWords(p model.Peer, s model.Spec) string {
	seconds := int(s.Length().Round(time.Second).Seconds())
	return fmt.Sprintf("%s wants to measure the connection to this computer. It takes about %d seconds.", p.Name, seconds)
}

func foundWords(n int) string {
	if n == 1 {
		return "1 found"
	}
	return fmt.Sprintf("%d found", n)
}

func savedWords(path string) string { return "Saved as " + path }

func notSavedWords(err error) string {
	return "The file could not be saved. Is there room, and may you write there? (" + err.Error() + ")"
}

func delayWords(latest, lowest time.Duration) string {
	if latest == 0 {
		return textNoSpeed
	}
	return units.Delay(latest) + "  (lowest " + units.Delay(lowest) + ")"
}

// certaintyWords puts how sure a finding is into a few words.
func certaintyWords(c model.Certainty) string {
	switch c {
	case model.Certain:
		return "This is certain"
	case model.Likely:
		return "This is likely"
	case model.Possible:
		return "This is possible"
	}
	return ""
}

func dateWords(t time.Time) string { return t.Local().Format("2 Jan 2006, 15:04") }

// splitFigure parts a printed figure into its digits and its unit.
func splitFigure(text string) (digits, unit string) {
	digits, unit, _ = strings.Cut(text, " ")
	return digits, unit
}

func problemHeadline(peer string) string { return "No test with " + peer }

// liveTitle is the window's title while a test runs: the latest speed, or the
// other computer's name.
func liveTitle(to, from *figure, peer string) string {
	switch {
	case from.known:
		return "Testing: " + from.rate.String() + " " + fromWords(peer)
	case to.known:
		return "Testing: " + to.rate.String() + " " + toWords(peer)
	}
	return "Testing with " + peer
}

func processorOf(name string) string { return name + ", " + textBusiestCore }

func phaseHeading(d model.Direction) string {
	switch d {
	case model.Send:
		return textSending
	case model.Receive:
		return textReceiving
	}
	return textBoth
}

// resultTitle is the window's title over a result: what was measured, or the
// two computers.
func resultTitle(to, from *figure, r *model.Result) string {
	if r == nil {
		return ""
	}
	var parts []string
	if to.known {
		parts = append(parts, to.rate.String()+" "+toWords(r.Remote.Name))
	}
	if from.known {
		parts = append(parts, from.rate.String()+" "+fromWords(r.Remote.Name))
	}
	if len(parts) == 0 {
		return pairTitle(r.Local, r.Remote, r.SameMachine)
	}
	return strings.Join(parts, ", ")
}

func detailWords(f model.Finding) string { return sentences(f.Detail, f.Fix) }

// sentences joins texts, each of which becomes a sentence of its own.
func sentences(texts ...string) string {
	var all []string
	for _, text := range texts {
		if text == "" {
			continue
		}
		if !strings.ContainsAny(text[len(text)-1:], ".!?") {
			text += "."
		}
		all = append(all, text)
	}
	return strings.Join(all, " ")
}

func findingTexts(findings []model.Finding) (texts []string) {
	for _, f := range findings {
		texts = append(texts, sentences(f.Headline, f.Detail, f.Fix))
	}
	return texts
}

// noteTexts gives each note once, however often it was made.
func noteTexts(notes []model.Note) (texts []string) {
	for _, n := range notes {
		if !slices.Contains(texts, n.Text) {
			texts = append(texts, n.Text)
		}
	}
	return texts
}

func entryName(e Entry) string {
	return pairTitle(model.Endpoint{Name: e.Local}, model.Endpoint{Name: e.Remote}, e.SameMachine)
}

func entryWhen(e Entry) string {
	switch e.Outcome {
	case model.Partial:
		return dateWords(e.Started) + ", ended early"
	case model.Cancelled:
		return dateWords(e.Started) + ", stopped"
	case model.Failed:
		return dateWords(e.Started) + ", failed"
	}
	return dateWords(e.Started)
}

func askTitle(p model.Peer) string { return "May " + p.Name + " test with this computer?" }
