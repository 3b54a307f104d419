//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"linkpace/cmd/internal/netlab"
)

// etherHeader is what an adapter counts of a packet beyond IP.
const etherHeader = 14

// wrapping follows what a computer's adapter received beside payload: the headers
// of every packet, and what the two programs have to say to each other.
type wrapping struct {
	lab            *lab
	computer       int
	headers        float64 // around the payload of a packet
	dev            *os.File
	carried, aside []float64 // bytes, at the same moments
	stop           func()
}

// wrapping follows computer i until stop is called. headers is what each packet of
// payload has.
func (l *lab) wrapping(i int, headers float64) *wrapping {
	l.t.Helper()
	l.countTalk(i)
	w := &wrapping{lab: l, computer: i, headers: headers, dev: l.Statistics(i, "dev")}
	end, ended := make(chan struct{}), make(chan struct{})
	w.stop = sync.OnceFunc(func() { close(end); <-ended })
	l.t.Cleanup(w.stop)
	go func() {
		defer close(ended)
		for {
			w.read()
			select {
			case <-end:
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	}()
	return w
}

// flowsOf has computer i know the connections of payload by how they begin
// (native.FlowMagic), which the computer that opens them sees going out and the
// other one coming in. It returns how a rule of table inet flows tells the packets
// of such a connection that come in, up to the name of the set of ports.
func (l *lab) flowsOf(i int) (ports string) {
	l.t.Helper()
	hook, port := "input", "sport"
	if i == 1 {
		hook, port = "output", "dport"
	}
	// The magic behind a TCP header of 32 bytes.
	l.Run(i, "nft", "add table inet flows; add set inet flows open { type inet_service; flags dynamic; size 65535; }; "+
		"add chain inet flows begin { type filter hook "+hook+" priority -10; }; "+
		"add chain inet flows in { type filter hook input priority 0; }; "+
		"add rule inet flows begin tcp dport 47820 @th,256,32 0x4c504631 add @open { tcp sport }")
	return "iifname " + netlab.Adapter + " tcp " + port
}

// countTalk has computer i count what comes in beside payload.
func (l *lab) countTalk(i int) {
	l.t.Helper()
	ports := l.flowsOf(i)
	l.Run(i, "nft", "add counter inet flows talk; "+
		"add rule inet flows in iifname "+netlab.Adapter+" meta l4proto udp meta length < 200 counter name talk; "+
		"add rule inet flows in "+ports+" != @open counter name talk")
}

// talk gives what computer i counted beside payload, in packets and bytes of IP.
func (l *lab) talk(i int) (packets, size float64, err error) {
	out, err := l.Command(i, "nft", "-j", "list", "counter", "inet", "flows", "talk").Output()
	if err != nil {
		return 0, 0, err
	}
	var list struct {
		Items []struct {
			Counter *struct{ Packets, Bytes float64 } `json:"counter"`
		} `json:"nftables"`
	}
	if err := json.Unmarshal(out, &list); err != nil {
		return 0, 0, err
	}
	for _, item := range list.Items {
		if c := item.Counter; c != nil {
			return c.Packets, c.Bytes, nil
		}
	}
	return 0, 0, fmt.Errorf("no counter in %q", out)
}

func (w *wrapping) read() {
	carried, packets, err := w.adapter()
	if err == nil {
		var talks, size float64
		if talks, size, err = w.lab.talk(w.computer); err == nil {
			w.carried = append(w.carried, carried)
			w.aside = append(w.aside, w.headers*(packets-talks)+size+etherHeader*talks)
			return
		}
	}
	w.lab.t.Errorf("counters of computer %d: %v", w.computer, err)
}

// adapter gives the bytes and packets that came in, the first figures of a line of
// /proc/net/dev.
func (w *wrapping) adapter() (size, packets float64, err error) {
	var text [4096]byte
	n, _ := w.dev.ReadAt(text[:], 0)
	_, line, _ := bytes.Cut(text[:n], []byte(netlab.Adapter+":"))
	_, err = fmt.Fscan(strings.NewReader(string(line)), &size, &packets)
	return size, packets, err
}

// at is how much of what had come beside payload there was when the adapter had
// counted so many bytes.
func (w *wrapping) at(carried float64) float64 {
	i, found := slices.BinarySearch(w.carried, carried)
	if found || i == 0 || i == len(w.carried) {
		return w.aside[min(i, len(w.aside)-1)]
	}
	part := (carried - w.carried[i-1]) / (w.carried[i] - w.carried[i-1])
	return w.aside[i-1] + part*(w.aside[i]-w.aside[i-1])
}
