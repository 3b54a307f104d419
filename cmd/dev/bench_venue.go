package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// venue is where the two programs of a measurement run.
type venue struct {
	address          string   // of the receiver
	receiver, sender []string // put before a command to run it there
	close            func()
}

const (
	venueAdapter = "bench0"
	// Packets of 64 KB pass this burst whole, as they would a network adapter.
	shaperBurst = "512kb"
	shaperQueue = "20ms"
	// What all programs get, whatever this computer's default is.
	congestion = "cubic"
)

// openVenue makes what the route takes. Without network namespaces that is the
// loopback as it is.
func (s system) openVenue(ctx context.Context, r route) (venue, error) {
	if noNamespaces() != "" {
		return venue{address: "127.0.0.1", close: func() {}}, nil
	}
	names := []string{runName("0"), runName("1")}
	steps := cableSteps(names, r)
	if r.loopback {
		names = names[:1]
		steps = loopbackSteps(names[0])
	}
	v := venue{address: venueAddress(0), receiver: s.inside(names[0]), sender: s.inside(names[len(names)-1])}
	if r.loopback {
		v.address = "127.0.0.1"
	}
	v.close = func() {
		for _, name := range names {
			_ = s.dropVenue(context.WithoutCancel(ctx), name)
		}
	}
	for _, step := range steps {
		if _, err := s.networkTool(ctx, step...); err != nil {
			v.close()
			return venue{}, fmt.Errorf("make the network: %w", err)
		}
	}
	return v, nil
}

func venueAddress(i int) string { return fmt.Sprintf("10.199.0.%d", i+1) }

// inside are the words that run a command in a namespace. It replaces itself by
// the command, so that process and processor time are those of the command.
func (s system) inside(name string) []string {
	return []string{s.program("ip"), "netns", "exec", name}
}

// cableSteps joins two new namespaces, the receiver's first.
func cableSteps(names []string, r route) [][]string {
	steps := [][]string{
		{"ip", "netns", "add", names[0]},
		{"ip", "netns", "add", names[1]},
		{"ip", "link", "add", venueAdapter, "netns", names[0], "type", "veth", "peer", "name", venueAdapter, "netns", names[1]},
	}
	for i, name := range names {
		own := venueAddress(i)
		steps = append(steps,
			[]string{"ip", "-n", name, "link", "set", "lo", "up"},
			[]string{"ip", "-n", name, "addr", "add", own + "/24", "dev", venueAdapter},
			[]string{"ip", "-n", name, "link", "set", venueAdapter, "mtu", strconv.Itoa(r.mtu), "up"},
			[]string{"ip", "-n", name, "route", "replace", "10.199.0.0/24", "dev", venueAdapter, "src", own, "congctl", congestion},
		)
	}
	if r.shaped > 0 {
		steps = append(steps, []string{
			"tc", "-n", names[1], "qdisc", "add", "dev", venueAdapter, "root", "tbf",
			"rate", plain(r.shaped), "burst", shaperBurst, "latency", shaperQueue,
		})
	}
	return steps
}

func loopbackSteps(name string) [][]string {
	return [][]string{
		{"ip", "netns", "add", name},
		{"ip", "-n", name, "link", "set", "lo", "up"},
		{"ip", "-n", name, "route", "replace", "local", "127.0.0.1", "dev", "lo", "table", "local", "src", "127.0.0.1", "congctl", congestion},
	}
}

// networkTool runs ip or tc and returns what it printed; its complaint is part
// of the error.
func (s system) networkTool(ctx context.Context, words ...string) (string, error) {
	var complaint transcript
	c := command{limit: 20 * time.Second, name: s.program(words[0]), args: words[1:]}
	out, err := c.output(ctx, &complaint)
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, complaint.String())
	}
	return string(out), nil
}

// dropVenue ends what still runs in a namespace and removes it; the cable goes
// with it.
func (s system) dropVenue(ctx context.Context, name string) error {
	left, err := s.networkTool(ctx, "ip", "netns", "pids", name)
	for _, word := range strings.Fields(left) {
		if pid, err := strconv.Atoi(word); err == nil {
			endProcess(pid)
		}
	}
	_, gone := s.networkTool(ctx, "ip", "netns", "del", name)
	return errors.Join(err, gone)
}

func endProcess(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
}
