package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"linkpace/engine/units"
)

// program is one of the two that a contender consists of.
type program struct {
	env   []string
	words []string
}

// place is where one measurement happens: the receiver's address and a folder
// that is removed after it.
type place struct {
	address string
	dir     string
}

func (p place) file(name string) string { return filepath.Join(p.dir, name) }

// duel is one measurement: a receiver and a sender.
type duel struct {
	receiver, sender program
	// port is what the receiver listens on when the sender may start.
	port int
	// stays says that the receiver goes on until it is ended.
	stays bool
	// read finds the figures in what the sender wrote to its standard output.
	read func(sender []byte) (reading, error)
}

// reading is what a program reports of itself.
type reading struct {
	rate  units.BitRate // at the receiver
	bytes units.Bytes   // that the receiver got, start-up included
	loss  *float64      // of datagrams; nil is unknown
	// window is the processor time of both sides for each byte, in nanoseconds,
	// in the measured time alone; 0 is unknown.
	window float64
	// method says how the payload was moved; "" is unknown.
	method string
}

// measurement is what one run of one contender came to.
type measurement struct {
	reading
	sender, receiver usage
}

// usage is what a whole process took, its start included.
type usage struct {
	processor time.Duration // user and system
	peak      units.Bytes   // most resident memory; 0 is unknown
}

// perByte is the processor time for each received byte in nanoseconds, which is
// the same figure as seconds for each gigabyte.
func (m measurement) perByte(u usage) float64 {
	if m.bytes <= 0 {
		return 0
	}
	return float64(u.processor) / float64(m.bytes)
}

func (m measurement) bothPerByte() float64 { return m.perByte(m.sender) + m.perByte(m.receiver) }

// How long the parts of a measurement may take.
const (
	startLimit = 10 * time.Second // until the receiver listens
	endLimit   = 3 * time.Second  // until the receiver ends by itself
	moreLimit  = 20 * time.Second // of the sender, besides the measured time
)

// run does the measurement. Both programs are ended in any case.
func (d duel) run(ctx context.Context, v venue, length time.Duration) (measurement, error) {
	receiver, err := startChild(ctx, v.receiver, d.receiver)
	if err != nil {
		return measurement{}, err
	}
	defer receiver.end(0)
	if err := receiver.awaitPort(ctx, d.port); err != nil {
		return measurement{}, fmt.Errorf("%s: %w", filepath.Base(d.receiver.words[0]), err)
	}
	sender, err := startChild(ctx, v.sender, d.sender)
	if err != nil {
		return measurement{}, err
	}
	defer sender.end(0)
	ended := sender.await(ctx, length+moreLimit)
	grace := endLimit
	if d.stays || ended != nil {
		grace = 0
	}
	receiver.end(grace)
	sender.end(0)
	if ctx.Err() != nil {
		return measurement{}, ctx.Err()
	}
	m, err := d.result(sender, receiver)
	// What the program says of its failure says more than its exit code.
	return m, cmp.Or(err, ended)
}

// result puts together what the programs say and what the system counted.
func (d duel) result(sender, receiver *child) (measurement, error) {
	r, err := d.read(sender.out.Bytes())
	m := measurement{reading: r, sender: sender.usage(), receiver: receiver.usage()}
	if err == nil && (r.bytes <= 0 || r.rate <= 0) {
		err = errors.New("nothing was received")
	}
	if last := sender.lastWords(); err != nil && last != "" {
		err = fmt.Errorf("%w (%s)", err, last)
	}
	return m, err
}

// measure runs every contender of a table once a round, each round beginning
// with another one.
func (s series) measure(ctx context.Context, c contest) (tally, error) {
	v, err := s.sys.openVenue(ctx, c.route)
	if err != nil {
		return tally{}, err
	}
	defer v.close()
	who := c.who(s.field)
	t := newTally(c, who, s.rounds)
	work := c.work
	work.length = s.length
	for round := range s.rounds {
		for _, i := range turns(len(who), round) {
			s.progress("%s: round %d of %d: %s", c.id, round+1, s.rounds, who[i].name)
			m, err := s.once(ctx, who[i], work, v)
			if ctx.Err() != nil {
				return t, ctx.Err()
			}
			t.keep(i, round, m, err)
		}
	}
	s.progress("")
	return t, nil
}

// progress replaces the line of a terminal that says what runs; what is not a
// terminal gets none.
func (s series) progress(format string, args ...any) {
	if info, err := os.Stderr.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		fmt.Fprintf(os.Stderr, "\r\x1b[K"+format, args...)
	}
}

// once runs one contender in a folder of its own.
func (s series) once(ctx context.Context, c contender, w workload, v venue) (measurement, error) {
	dir, err := os.MkdirTemp(s.dir, "run-")
	if err != nil {
		return measurement{}, fmt.Errorf("make a folder for one run: %w", err)
	}
	defer os.RemoveAll(dir)
	return c.duel(w, place{address: v.address, dir: dir}).run(ctx, v, w.length)
}
