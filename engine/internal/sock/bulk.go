package sock

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"linkpace/engine/internal/pace"
	"linkpace/engine/units"
)

// plainBlock is the size of a write that nobody asked to be another: large
// enough to make the cost of the call small, small enough to keep a slow link's
// figures moving.
const plainBlock = 256 << 10

// plainBlockFor gives the size of one write or read when streams connections
// share the memory, 0 as the wish meaning none.
func plainBlockFor(wish, streams int) int {
	if wish > 0 {
		return wish
	}
	return max(min(plainBlock, (4<<20)/max(streams, 1)), 64<<10)
}

// plainWorkers move payload by Read and Write, in the caller's goroutine. They
// work on every Stream.
type plainWorkers struct {
	terms  Terms
	filler []byte
}

func hirePlain(t Terms) *plainWorkers {
	w := &plainWorkers{terms: t, filler: make([]byte, plainBlockFor(t.Block, t.Streams))}
	fill(w.filler)
	return w
}

func (*plainWorkers) Methods() Methods {
	return Methods{Send: MethodWrite, Receive: MethodRead, Syscalls: SyscallsPlain}
}

func (*plainWorkers) Close() {}

// Send implements Workers.
func (w *plainWorkers) Send(ctx context.Context, s Stream, o Outgoing) error {
	defer abortOn(ctx, s)()
	if err := s.SetWriteDeadline(o.Until); err != nil {
		return errOr(ctx, err)
	}
	if o.Source == nil {
		o.Source = repeated(w.filler)
	}
	return errOr(ctx, sendAll(ctx, s, o, len(w.filler)))
}

// Receive implements Workers.
func (w *plainWorkers) Receive(ctx context.Context, s Stream, in Incoming) error {
	defer abortOn(ctx, s)()
	if err := s.SetReadDeadline(in.Until); err != nil {
		return errOr(ctx, err)
	}
	if in.Sink == nil {
		in.Sink = discarded(make([]byte, plainBlockFor(w.terms.Block, w.terms.Streams)))
	}
	return errOr(ctx, receiveAll(s, in))
}

// abortOn breaks the connection when ctx ends, so that no read or write
// outlives a cancelled test. The returned function ends the watch.
func abortOn(ctx context.Context, s Stream) func() {
	stop := context.AfterFunc(ctx, s.Abort)
	return func() { stop() }
}

// errOr gives the cause of a context that has ended in place of what came of it.
func errOr(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// sendAll writes until the source, the limit or the time ends.
func sendAll(ctx context.Context, w io.Writer, o Outgoing, block int) error {
	q := newQuota(o, block, time.Now())
	for {
		if !q.wait(ctx) {
			return nil
		}
		b := q.cut(o.Source.Next())
		if len(b) == 0 {
			return nil
		}
		n, err := w.Write(b)
		o.Source.Sent(n)
		o.Count.Add(n)
		q.sent(n, time.Now())
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// receiveAll reads until the end of the stream.
func receiveAll(r io.Reader, in Incoming) error {
	for {
		n, err := r.Read(in.Sink.Buffer())
		if n > 0 {
			in.Count.Add(n)
			if bad := in.Sink.Got(n); bad != nil {
				return bad
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// quota says how much of an Outgoing may be sent and when.
type quota struct {
	until  time.Time
	left   units.Bytes // of the limit
	bound  bool        // whether there is a limit
	began  time.Time
	bucket *pace.Bucket
	chunk  int
	ready  time.Time // when the next write may happen
}

func newQuota(o Outgoing, block int, now time.Time) *quota {
	q := &quota{until: o.Until, left: o.Limit, bound: o.Limit > 0, began: now, chunk: block}
	if o.Rate > 0 {
		q.bucket, q.chunk = pace.New(o.Rate, 0), pace.Chunk(o.Rate, block)
	}
	return q
}

// cut shortens a block to what may be sent now.
func (q *quota) cut(b []byte) []byte { return b[:q.most(len(b))] }

// most is how many of n bytes may be sent now.
func (q *quota) most(n int) int {
	if q.bucket != nil {
		n = min(n, q.chunk)
	}
	if q.bound {
		n = int(min(units.Bytes(n), q.left))
	}
	return n
}

// sent accounts for n bytes.
func (q *quota) sent(n int, now time.Time) {
	q.left -= units.Bytes(n)
	if q.bucket != nil {
		q.ready = now.Add(q.bucket.Take(n, now.Sub(q.began)))
	}
}

// over reports whether nothing more may ever be sent.
func (q *quota) over(now time.Time) bool {
	return q.bound && q.left <= 0 || !now.Before(q.until)
}

// wait waits until a write may happen, and reports false when none may any more.
// The deadline of the connection may come late on a busy computer; until then
// nothing but this would hold the writes back.
func (q *quota) wait(ctx context.Context) bool {
	if q.bucket == nil {
		return !q.bound || q.left > 0
	}
	now := time.Now()
	if pause := q.ready.Sub(now); pause > 0 {
		timer := time.NewTimer(min(pause, q.until.Sub(now)))
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return false
		}
	}
	return !q.over(time.Now())
}
