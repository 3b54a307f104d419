package export

import (
	"fmt"
	"strings"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// wishes writes what was asked for besides the usual.
func (t *report) wishes() {
	a := t.result.Asked
	var parts []string
	add := func(asked bool, text string) {
		if asked {
			parts = append(parts, text)
		}
	}
	add(a.Rate > 0, "at most "+a.Rate.Both()+" each way")
	add(a.Limit > 0, "at most "+a.Limit.Buffer()+" each way")
	add(a.Block > 0, blockWord(a.Transport)+" of "+a.Block.Buffer())
	add(a.Family != "", map[model.Family]string{model.IPv4: "IPv4", model.IPv6: "IPv6"}[a.Family])
	add(a.SendBuffer > 0, "send buffer "+a.SendBuffer.Buffer())
	add(a.ReceiveBuffer > 0, "receive buffer "+a.ReceiveBuffer.Buffer())
	add(a.NoDelay, "no delay")
	add(a.MSS > 0, fmt.Sprintf("segments of %d bytes", a.MSS))
	add(a.DSCP > 0, fmt.Sprintf("DSCP %d", a.DSCP))
	add(a.Congestion != "", "congestion control "+a.Congestion)
	add(a.Threads > 0, fmt.Sprintf("%d threads", a.Threads))
	add(len(a.CPUs) > 0, "processors "+numbers(a.CPUs)+" here")
	add(len(a.PeerCPUs) > 0, "processors "+numbers(a.PeerCPUs)+" there")
	add(a.Outstanding > 0, fmt.Sprintf("%d operations at once", a.Outstanding))
	add(a.Backend != "", a.Backend+" sockets")
	add(a.Syscalls != "", a.Syscalls+" system calls")
	add(a.PlainDatagrams, "every datagram on its own")
	add(a.Verify, "every byte checked")
	t.row("asked for", strings.Join(parts, ", "))
}

func blockWord(transport model.Transport) string {
	if transport == model.UDP {
		return "datagrams"
	}
	return "writes"
}

func numbers(list []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]")
}

// methods writes how the payload was moved: figures of different methods do not
// compare.
func (t *report) methods() {
	e := t.result.Effective
	t.row("moved by", joined("; ",
		methodWords(t.name(model.Local), e.SendMethod, e.ReceiveMethod),
		methodWords(t.name(model.Remote), e.PeerSendMethod, e.PeerReceiveMethod)))
	t.row("sockets", joined(", ",
		named("congestion control ", e.Congestion),
		counted("segments of %d bytes", e.MSS),
		sized("send buffer %s", units.Bytes(e.SendBuffer)),
		sized("receive buffer %s", units.Bytes(e.ReceiveBuffer)),
		named("system calls ", e.Syscalls)))
}

func methodWords(name, sends, receives string) string {
	how := joined(" and ", named("sends with ", sends), named("receives with ", receives))
	if how == "" {
		return ""
	}
	return name + " " + how
}

// joined leaves out empty parts.
func joined(separator string, parts ...string) string {
	var known []string
	for _, p := range parts {
		if p != "" {
			known = append(known, p)
		}
	}
	return strings.Join(known, separator)
}

func named(what, word string) string {
	if word == "" {
		return ""
	}
	return what + word
}

func sized(format string, n units.Bytes) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(format, n.Buffer())
}

func counted(format string, n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(format, n)
}
