package verdict

import (
	"fmt"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// Swapped reports whether the two results are of the same computers and b was
// kept by the other one of them: its local side is the remote side of a.
func Swapped(a, b *model.Result) bool {
	return a.Local.ID != b.Local.ID && a.Local.ID != "" && a.Local.ID == b.Remote.ID
}

// Incomparable says in plain sentences why the figures of two results do not
// compare, because they measure different things. It is empty where they do.
func Incomparable(a, b *model.Result) []string {
	var why []string
	differ := func(what, first, second string) {
		if first != second {
			why = append(why, fmt.Sprintf("%s: %s and %s.", what, first, second))
		}
	}
	differ("The path", pathWords(a), pathWords(b))
	differ("The protocol", string(a.Protocol), string(b.Protocol))
	differ("The transport", string(a.Transport), string(b.Transport))
	differ("The mode", string(a.Mode), string(b.Mode))
	differ("Every byte is checked", yesNo(a.Effective.Verify), yesNo(b.Effective.Verify))
	differ("The limit on the rate", rateWords(a.Asked.Rate), rateWords(b.Asked.Rate))
	first, second := methodsOf(a), methodsOf(b)
	if Swapped(a, b) {
		second[0], second[1] = second[1], second[0]
	}
	for i, name := range []string{a.Local.Name, a.Remote.Name} {
		for kind, verb := range []string{"sends", "receives"} {
			// An unknown method, of an older version for instance, proves nothing.
			if x, y := first[i][kind], second[i][kind]; x != "" && y != "" {
				differ(fmt.Sprintf("How %s %s", name, verb), x, y)
			}
		}
	}
	return why
}

// methodsOf gives how the local and the remote computer send and receive.
func methodsOf(r *model.Result) [2][2]string {
	e := r.Effective
	return [2][2]string{{e.SendMethod, e.ReceiveMethod}, {e.PeerSendMethod, e.PeerReceiveMethod}}
}

func pathWords(r *model.Result) string {
	if r.SameMachine {
		return "one computer alone"
	}
	return "two computers"
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func rateWords(r units.BitRate) string {
	if r == 0 {
		return "none"
	}
	return r.Both()
}
