package engine

import (
	"bytes"
	"context"
	"os"
	"runtime"
	"testing"
	"time"

	"linkpace/engine/internal/sock"
	"linkpace/engine/model"
)

// TestAThousandStartsAndCancels stops tests at all the moments that come up, and
// looks for what is left of them.
func TestAThousandStartsAndCancels(t *testing.T) {
	p := newPair(t, sock.Best())
	p.startAndCancel(t, 3) // everything that serves for good is there by then
	p.a.Wait()
	p.b.Wait()
	idle := runtime.NumGoroutine()
	// As many runs as an engine keeps have to be there before it shows whether
	// more of them take more.
	for i := range 2 * heldRuns {
		p.startAndCancel(t, i)
	}
	files, mappings := p.left(t, idle)
	for i := range 1000 {
		p.startAndCancel(t, i)
	}
	moreFiles, moreMappings := p.left(t, idle)
	t.Logf("descriptors %d and %d, mappings %d and %d", files, moreFiles, mappings, moreMappings)
	if moreFiles > files {
		t.Errorf("%d descriptors before, %d after", files, moreFiles)
	}
	// Go's memory and threads come and go by a few.
	if moreMappings > mappings+50 {
		t.Errorf("%d mappings before, %d after", mappings, moreMappings)
	}
}

// startAndCancel does so in the manner of number i.
func (p *pair) startAndCancel(t *testing.T, i int) {
	t.Helper()
	spec := short()
	if i%3 == 0 {
		spec = byUDP()
	}
	spec.Rate, spec.Interval = 0, model.MinInterval
	spec.Phases = spec.Phases[1+i%2*2:][:1] // sending, or both ways
	run, err := p.a.Start(context.Background(), p.peer, spec)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	until := map[int]func() bool{
		0: func() bool { return true },
		1: func() bool { return run.Progress().State == Running },
		2: func() bool { return run.Progress().Phase >= 0 },
		3: func() bool { s := run.since(0); return len(s) > 0 && s[len(s)-1].Bytes > 0 },
	}[i%4]
	for at := (Cursor{}); !until(); {
		_, result, next, err := run.Next(ctx, at)
		if err != nil {
			t.Fatal(err)
		}
		if at = next; result != nil {
			break
		}
	}
	run.Cancel()
	r, err := run.Result(ctx)
	if err != nil {
		t.Fatalf("start %d did not end: %v", i, err)
	}
	if r.Outcome != model.Cancelled && r.Outcome != model.Completed {
		t.Errorf("start %d: %s, %v", i, r.Outcome, r.Problem)
	}
}

// left waits until no more goroutines than after the first start are there, and counts the
// descriptors and mappings of this process.
func (p *pair) left(t *testing.T, idle int) (files, mappings int) {
	t.Helper()
	p.a.Wait()
	p.b.Wait()
	for deadline := time.Now().Add(20 * time.Second); runtime.NumGoroutine() > idle && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond) // what closes sockets ends in a moment
	}
	if now := runtime.NumGoroutine(); now > idle {
		var stacks [1 << 16]byte
		t.Errorf("%d goroutines after the first start, %d now\n%s", idle, now, stacks[:runtime.Stack(stacks[:], true)])
	}
	names, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	return len(names), bytes.Count(maps, []byte("\n"))
}
