//go:build linux

package main

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"linkpace/cmd/internal/netlab"
	"linkpace/engine/model"
)

// queue is a shaper with a queue in front of it whose depth is known.
const (
	queueRate = 100e6 / 8 // bytes each second
	queueSize = "625000"  // bytes, 50 ms
)

// backlog is what waited in a queue at a moment.
type backlog struct {
	at    time.Time
	bytes float64
}

// watch reads the queue of computer i over and over until stop is called, which
// returns the readings.
func (l *lab) watch(i int) (stop func() []backlog) {
	l.t.Helper()
	read := func() (b backlog) {
		out, err := l.Command(i, "tc", "-s", "-j", "qdisc", "show", "dev", netlab.Adapter, "root").Output()
		var queues []struct {
			Backlog float64 `json:"backlog"`
		}
		if err == nil {
			err = json.Unmarshal(out, &queues)
		}
		if err != nil || len(queues) != 1 {
			l.t.Errorf("%v in %q", err, out)
			return b
		}
		return backlog{time.Now(), queues[0].Backlog}
	}
	end, readings := make(chan struct{}), make(chan []backlog, 1)
	go func() {
		var all []backlog
		for {
			select {
			case <-end:
				readings <- all
				return
			case <-time.After(20 * time.Millisecond):
				all = append(all, read())
			}
		}
	}()
	return func() []backlog { close(end); return <-readings }
}

// TestNetnsDelayIsTheQueue fills a queue, once of the computer that probes and
// once of the other, and compares the delay with the bytes that waited there.
func TestNetnsDelayIsTheQueue(t *testing.T) {
	for _, c := range []struct {
		direction string
		queue     int // the computer whose queue fills
	}{{"send", 1}, {"receive", 0}} {
		t.Run(c.direction, func(t *testing.T) {
			l := newLab(t)
			l.Run(c.queue, "tc", "qdisc", "add", "dev", netlab.Adapter, "root", "tbf", "rate", "100mbit", "burst", "32kb", "limit", queueSize)
			l.serve(0, "--name", "NAS")
			l.waitFor(1, "NAS")
			stop := l.watch(c.queue)
			out, errOut, code := l.output(1, "test", "NAS", "--direction", c.direction, "--streams", "16", "--time", "4s", "--json")
			readings := stop()
			if code != exitDone {
				t.Fatalf("exit code %d\n%s", code, errOut)
			}
			compareWithQueue(t, l.result(out), readings)
		})
	}
}

func compareWithQueue(t *testing.T, r *model.Result, readings []backlog) {
	t.Helper()
	phase := len(r.Phases) - 1
	from, to := r.Phases[phase].Window()
	var waits, delays []time.Duration
	for _, b := range readings {
		if at := b.at.Sub(r.Started); at > from && at < to {
			waits = append(waits, time.Duration(b.bytes/queueRate*float64(time.Second)))
		}
	}
	for _, s := range r.Samples {
		if s.Ping > 0 && s.Phase == phase && s.At > from && s.At < to {
			delays = append(delays, s.Ping)
		}
	}
	if len(waits) < 20 || len(delays) < 20 {
		t.Fatalf("%d readings of the queue, %d probes", len(waits), len(delays))
	}
	wait, delay := median(waits), median(delays)
	idle := r.Summaries()[0].DelayIdle
	t.Logf("queue %v (%d readings), delay %v (%d probes), idle %v", wait, len(waits), delay, len(delays), idle)
	if ratio := float64(delay) / float64(wait); ratio < 0.9 || ratio > 1.1 {
		t.Errorf("loaded delay is %v, the queue made %v", delay, wait)
	}
	if idle == nil || idle.Median > wait/10 {
		t.Errorf("idle delay is %v with a queue of %v only under load", idle, wait)
	}
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}
