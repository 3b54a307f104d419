package native

import (
	"context"
	"fmt"
	"time"

	"linkpace/engine/internal/meter"
	"linkpace/engine/internal/pace"
	"linkpace/engine/internal/sock"
	"linkpace/engine/units"
)

// Content says what a flow carries and how.
type Content struct {
	// Block is the size of one write or read.
	Block int
	// Rate is the most one flow sends; 0 is as fast as possible.
	Rate units.BitRate
	// Verify and Seed ask for content that the receiver checks.
	Verify bool
	Seed   uint64
	// Random is content for senders that need not be checked; flows share it.
	Random []byte
}

// Send writes payload until the moment until, then tells the receiver that
// nothing more comes.
func Send(ctx context.Context, s sock.Stream, c Content, counter *meter.Counter, until time.Time) error {
	defer closeOn(ctx, s)()
	if err := s.SetWriteDeadline(until); err != nil {
		return fmt.Errorf("set deadline: %w", err)
	}
	var src sock.Source = &repeated{block: c.Random, counter: counter}
	if c.Verify {
		src = &patterned{pattern: pattern{seed: c.Seed}, block: make([]byte, c.Block), counter: counter}
	}
	if c.Rate > 0 {
		src = &paced{Source: src, ctx: ctx, until: until, began: time.Now(), bucket: pace.New(c.Rate, 0), chunk: pace.Chunk(c.Rate, c.Block)}
	}
	if err := s.SendBulk(src); err != nil {
		return fmt.Errorf("send payload: %w", err)
	}
	if err := s.CloseWrite(); err != nil {
		return fmt.Errorf("end payload: %w", err)
	}
	return nil
}

// Receive reads payload until the sender has ended it. After the moment until
// it gives up with os.ErrDeadlineExceeded and drops what is still on its way.
func Receive(ctx context.Context, s sock.Stream, c Content, counter *meter.Counter, until time.Time) error {
	defer closeOn(ctx, s)()
	if err := s.SetReadDeadline(until); err != nil {
		return fmt.Errorf("set deadline: %w", err)
	}
	var dst sock.Sink = &discarded{buffer: make([]byte, c.Block), counter: counter}
	if c.Verify {
		dst = &verified{pattern: pattern{seed: c.Seed}, buffer: make([]byte, c.Block), counter: counter}
	}
	if err := s.ReceiveBulk(dst); err != nil {
		s.Abort()
		return fmt.Errorf("receive payload: %w", err)
	}
	return s.Close()
}

// closeOn breaks the connection when ctx ends, so that no read or write
// outlives a cancelled test. The returned function ends the watch.
func closeOn(ctx context.Context, s sock.Stream) func() {
	stop := context.AfterFunc(ctx, s.Abort)
	return func() { stop() }
}

// paced holds a source to a rate.
type paced struct {
	sock.Source
	ctx    context.Context
	until  time.Time
	began  time.Time
	bucket *pace.Bucket
	chunk  int
	wait   time.Duration
}

func (p *paced) Next() []byte {
	if p.wait > 0 {
		timer := time.NewTimer(min(p.wait, time.Until(p.until)))
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-p.ctx.Done():
			return nil
		}
	}
	if !time.Now().Before(p.until) {
		// The deadline of the connection may come late on a busy computer; until
		// then nothing would hold the writes back.
		return nil
	}
	block := p.Source.Next()
	return block[:min(len(block), p.chunk)]
}

func (p *paced) Sent(n int) {
	p.Source.Sent(n)
	p.wait = p.bucket.Take(n, time.Since(p.began))
}
