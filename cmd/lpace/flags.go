package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// flagGroup is a part of a command's flags under a heading of its own. The
// command in it does nothing but carry them.
type flagGroup struct {
	title string
	*cobra.Command
}

func newGroup(title string) flagGroup {
	group := flagGroup{title, &cobra.Command{}}
	group.Flags().SortFlags = false // the usual ones first
	return group
}

// addFlags gives a command the flags of groups, and a help that shows them group
// by group.
func addFlags(cmd *cobra.Command, groups []flagGroup) {
	for _, g := range groups {
		cmd.Flags().AddFlagSet(g.Flags())
	}
	cmd.SetUsageFunc(func(cmd *cobra.Command) error {
		const width = 100
		var text strings.Builder
		fmt.Fprintf(&text, "Usage:\n  %s\n\nExamples:\n%s\n", cmd.UseLine(), cmd.Example)
		for _, g := range groups {
			fmt.Fprintf(&text, "\n%s:\n%s", g.title, g.Flags().FlagUsagesWrapped(width))
		}
		fmt.Fprintf(&text, "\nFor every command:\n%s", cmd.InheritedFlags().FlagUsagesWrapped(width))
		_, err := fmt.Fprint(cmd.OutOrStdout(), text.String())
		return err
	})
}

// testFlags are the flags of lpace test, the usual ones first.
func testFlags(o *testOptions) []flagGroup {
	return []flagGroup{whatFlags(o), howFlags(o), socketFlags(o), threadFlags(o), outputFlags(o)}
}

func whatFlags(o *testOptions) flagGroup {
	group := newGroup("What to measure")
	f := group.Flags()
	f.Var(wordValue{&o.direction, []string{"send", "receive", "both", everyDirection}}, "direction", "what to measure; send means that this computer sends")
	f.Var(lengthValue{&o.length, model.MinPhase, model.MaxPhase}, "time", "length of each phase, its warm-up included")
	f.Var(sizeValue{&o.spec.Limit, 1, 1 << 50}, "bytes", "end each direction of a phase after so many bytes, like 10G; without --time it gets 10 minutes")
	f.BoolVar(&o.endless, "endless", false, "go on until Ctrl+C (at most 10 hours) and keep the result; a sample each second, both ways at once unless --direction says otherwise")
	f.Var(lengthValue{&o.warmup, 0, model.MaxPhase}, "warmup", "beginning of each phase that is drawn but not measured")
	f.Var(lengthValue{&o.cooldown, 0, model.MaxPhase}, "cooldown", "end of each phase that is drawn but not measured")
	f.Var(lengthValue{&o.spec.Interval, model.MinInterval, model.MaxInterval}, "interval", "time between samples")
	f.Var(lengthValue{&o.idle, 0, model.MaxPhase}, "idle", "how long the delay of the idle link is measured first; 0 leaves it out")
	f.Var(lengthValue{&o.spec.Probe, 0, model.MaxInterval}, "probe", "time between delay probes; 0 sends none")
	f.Var(wordValue{&o.mode, []string{string(model.ModeLink), string(model.ModeApp)}}, "mode", "link: received bytes may be discarded unseen; app: each is copied as a program would")
	f.BoolVar(&o.spec.Verify, "verify", false, "check every byte that arrives (TCP only)")
	return group
}

func howFlags(o *testOptions) flagGroup {
	group := newGroup("How to send")
	f := group.Flags()
	f.BoolVar(&o.udp, "udp", false, "send datagrams and count those that are lost, late and doubled; without --rate as fast as possible, to see how much gets through")
	f.Var(rateValue{&o.spec.Rate}, "rate", "most that each direction sends, like 500M; 0 is as fast as possible, with --udp too")
	f.Var(countValue{&o.spec.Streams, 1, model.MaxStreams}, "streams", "connections in each direction")
	f.Var(sizeValue{&o.spec.Block, 1, model.MaxBlock}, "block", "size of one write, with --udp the payload of a datagram (default: what suits the path)")
	f.BoolVarP(&o.ipv4, "ipv4", "4", false, "use IPv4 only")
	f.BoolVarP(&o.ipv6, "ipv6", "6", false, "use IPv6 only")
	f.StringVar(&o.spec.Bind, "bind", "", "adapter or `address` of this computer to use")
	return group
}

func socketFlags(o *testOptions) flagGroup {
	group := newGroup("Sockets, on both computers (default: their systems choose)")
	f := group.Flags()
	buffer := func(value *units.Bytes) sizeValue { return sizeValue{value, 1, model.MaxBuffer} }
	f.Var(buffer(&o.buffer), "buffer", "send and receive buffer, like 4M")
	f.Var(buffer(&o.spec.SendBuffer), "send-buffer", "send buffer alone")
	f.Var(buffer(&o.spec.ReceiveBuffer), "receive-buffer", "receive buffer alone")
	f.BoolVar(&o.spec.NoDelay, "no-delay", false, "send small writes at once (Nagle's algorithm off)")
	f.Var(countValue{&o.spec.MSS, model.MinMSS, model.MaxMSS}, "mss", "largest segment in bytes")
	f.Var(dscpValue{&o.spec.DSCP}, "dscp", "mark of the packets: 0 to 63, or a name like EF, CS1, AF41")
	f.Var(algorithmValue{&o.spec.Congestion}, "congestion", "congestion control of the senders, like cubic or bbr")
	return group
}

func threadFlags(o *testOptions) flagGroup {
	group := newGroup("Threads and system calls, for comparisons")
	f := group.Flags()
	f.Var(countValue{&o.spec.Threads, 1, model.MaxThreads}, "threads", "threads that move payload on each computer (default: two for each processor on Linux, one on Windows)")
	f.Var(cpusValue{&o.spec.CPUs, &o.spec.PeerCPUs}, "cpu", "processors that these threads keep to, here and behind a slash on the other computer, like 0,2-3/1")
	f.Var(wordValue{&o.backend, []string{automatic, model.BackendPortable}}, "backend", "portable: do without the fast socket backend")
	f.Var(wordValue{&o.syscalls, []string{automatic, model.SyscallsPlain}}, "syscalls", "plain: do without system calls that bypass the scheduler")
	f.BoolVar(&o.spec.PlainDatagrams, "plain-datagrams", false, "with --udp: hand every datagram to the system on its own")
	f.Var(countValue{&o.spec.Outstanding, 1, model.MaxOutstanding}, "outstanding", "reads and writes in the system's hands at once for each stream (Windows)")
	return group
}

func outputFlags(o *testOptions) flagGroup {
	group := newGroup("Output")
	f := group.Flags()
	f.BoolVar(&o.asJSON, "json", false, "print the result as JSON and nothing else on standard output")
	f.StringVar(&o.csv, "csv", "", "write all samples to a CSV `file`")
	f.StringVar(&o.picture, "save-picture", "", "write the chart to a PNG `file`")
	f.BoolP("help", "h", false, "show this")
	return group
}
