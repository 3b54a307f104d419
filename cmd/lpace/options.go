package main

import (
	"errors"
	"fmt"
	"time"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// testOptions are the flags of lpace test as they were given.
type testOptions struct {
	spec             model.Spec
	direction, mode  string
	idle, length     time.Duration
	warmup, cooldown time.Duration
	endless          bool
	udp              bool
	buffer           units.Bytes
	ipv4, ipv6       bool
	backend          string
	syscalls         string

	asJSON       bool
	csv, picture string
}

const (
	everyDirection = "all"
	automatic      = "auto"
)

// defaultOptions are those of a test without flags.
func defaultOptions() testOptions {
	return testOptions{
		spec: model.DefaultSpec(), direction: everyDirection, mode: string(model.ModeLink),
		idle: model.DefaultIdle, length: model.DefaultTime, warmup: model.DefaultWarmup, backend: automatic, syscalls: automatic,
	}
}

// A test that ends by its amount of bytes gets this time for each phase unless
// the person says otherwise.
const limitedTime = 10 * time.Minute

// What an endless test takes less often than others, so that ten hours fit a
// file.
const (
	endlessInterval = time.Second
	endlessProbe    = 500 * time.Millisecond
)

// complete makes a Spec of the flags. given reports whether a flag was used; the
// error says which flag does not fit and what does.
func (o *testOptions) complete(given func(flag string) bool) error {
	if err := conflict(given); err != nil {
		return usage(err)
	}
	o.choose(given)
	o.spec.Phases = o.phases()
	if err := errors.Join(o.checkBlock(), o.checkIdle()); err != nil {
		return usage(err)
	}
	if err := o.spec.Validate(); err != nil {
		return usage(err)
	}
	return nil
}

// choose fills in what follows from the flags together.
func (o *testOptions) choose(given func(string) bool) {
	s := &o.spec
	s.Mode = model.Mode(o.mode)
	if o.udp {
		s.Transport = model.UDP
	}
	if given("buffer") {
		s.SendBuffer = orElse(given("send-buffer"), s.SendBuffer, o.buffer)
		s.ReceiveBuffer = orElse(given("receive-buffer"), s.ReceiveBuffer, o.buffer)
	}
	if o.ipv4 {
		s.Family = model.IPv4
	}
	if o.ipv6 {
		s.Family = model.IPv6
	}
	if o.backend != automatic {
		s.Backend = o.backend
	}
	if o.syscalls != automatic {
		s.Syscalls = o.syscalls
	}
	o.chooseTimes(given)
}

func (o *testOptions) chooseTimes(given func(string) bool) {
	switch {
	case o.endless:
		o.length = model.MaxPhase
		o.spec.Interval = orElse(given("interval"), o.spec.Interval, endlessInterval)
		o.spec.Probe = orElse(given("probe"), o.spec.Probe, endlessProbe)
		if o.direction == everyDirection {
			o.direction = string(model.Both) // the first of several would never end
		}
	case o.spec.Limit > 0:
		o.length = orElse(given("time"), o.length, limitedTime)
		// Whoever names an amount wants to see all of it measured.
		o.warmup = orElse(given("warmup"), o.warmup, 0)
	}
	if !given("warmup") {
		o.warmup = min(o.warmup, o.length/3)
	}
}

// orElse keeps what was given.
func orElse[T any](given bool, value, otherwise T) T {
	if given {
		return value
	}
	return otherwise
}

// phases turns the wish for directions into phases.
func (o *testOptions) phases() []model.Phase {
	directions := []model.Direction{model.Direction(o.direction)}
	if o.direction == everyDirection {
		directions = []model.Direction{model.Send, model.Receive, model.Both}
	}
	phases := model.Plan(directions, o.idle, o.length, o.warmup)
	for i := range phases {
		if phases[i].Direction != model.Idle {
			phases[i].Cooldown = o.cooldown
		}
	}
	return phases
}

func (o *testOptions) checkBlock() error {
	if b := o.spec.Block; o.udp && b != 0 && (b < model.MinDatagram || b > model.MaxDatagram) {
		return fmt.Errorf("--block is %s: with --udp it is the payload of a datagram; use %d to %d bytes", b.Buffer(), model.MinDatagram, model.MaxDatagram)
	}
	return nil
}

func (o *testOptions) checkIdle() error {
	if o.idle > 0 && o.idle < model.MinPhase {
		return fmt.Errorf("--idle is %v: use 0 (not at all), or %v or more", o.idle, model.MinPhase)
	}
	return nil
}

// conflicts are flags that do not go together, with the reason.
func conflicts() []struct{ one, other, why string } {
	return []struct{ one, other, why string }{
		{"ipv4", "ipv6", "a test goes over one of them"},
		{"udp", "verify", "datagrams may be lost, so what is missing proves nothing; the check works over TCP"},
		{"udp", "congestion", "UDP has no congestion control"},
		{"udp", "mss", "UDP has no segments; --block sets the size of a datagram"},
		{"udp", "no-delay", "UDP never waits for more to send"},
		{"endless", "time", "an endless test goes on until Ctrl+C"},
		{"endless", "bytes", "an endless test goes on until Ctrl+C"},
		{"endless", "cooldown", "nobody knows beforehand when an endless test ends"},
		{"bytes", "cooldown", "nobody knows beforehand when the last byte is sent"},
	}
}

func conflict(given func(string) bool) error {
	for _, c := range conflicts() {
		if given(c.one) && given(c.other) {
			return fmt.Errorf("--%s and --%s do not go together: %s", c.one, c.other, c.why)
		}
	}
	if given("plain-datagrams") && !given("udp") {
		return errors.New("--plain-datagrams is about UDP: use it with --udp")
	}
	return nil
}
