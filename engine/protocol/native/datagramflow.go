package native

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"linkpace/engine/internal/sock"
)

const (
	// ends are how many datagrams say the end, endEvery apart: any may get lost.
	ends     = 10
	endEvery = 5 * time.Millisecond
	// linger is how long a receiver waits, after the end, for what has not come.
	linger = 50 * time.Millisecond
)

// DatagramSender is the sending end of one flow of datagrams.
type DatagramSender struct {
	tag     Tag
	content *pattern // nil is any
	count   sock.Counter
	now     func() time.Time
	began   time.Time
	next    uint64 // sequence; the sender's alone
	size    atomic.Uint64
	sent    atomic.Uint64
}

// NewDatagramSender makes one for the flow that a token opened. now dates the
// datagrams.
func NewDatagramSender(t Token, now func() time.Time) *DatagramSender {
	return &DatagramSender{tag: t.Tag(), now: now}
}

// Sent is how many datagrams the system took, and their bytes.
func (s *DatagramSender) Sent() (datagrams, bytes uint64) {
	datagrams = s.sent.Load()
	return datagrams, datagrams * s.size.Load()
}

// Send has carriers send datagrams of c.Block bytes until the moment until or the
// limit, then tells the receiver how many there were.
func (s *DatagramSender) Send(ctx context.Context, w sock.Carriers, d sock.Datagrams, c Content, count sock.Counter, until time.Time) error {
	s.count, s.began = count, s.now()
	s.size.Store(uint64(c.Block))
	if c.Verify {
		s.content = &pattern{seed: c.Seed}
	}
	err := w.Send(ctx, d, sock.OutgoingDatagrams{Size: c.Block, Stamper: stamper{s}, Until: until, Rate: c.Rate, Limit: c.Limit})
	if err != nil {
		return fmt.Errorf("send datagrams: %w", err)
	}
	return s.end(ctx, d)
}

// stamper is a DatagramSender as carriers see it.
type stamper struct{ *DatagramSender }

// Stamp implements sock.Stamper.
func (s stamper) Stamp(b []byte, size int) {
	h := Header{Tag: s.tag, Sequence: s.next, Sent: s.now().Sub(s.began), Head: true}
	for ; len(b) >= size; b = b[size:] {
		h.Put(b)
		if s.content != nil {
			s.content.offset = h.Sequence * uint64(size)
			s.content.fill(b[HeaderSize:size])
		}
		h.Sequence++
		h.Head = false
	}
}

// Sent implements sock.Stamper.
func (s stamper) Sent(n int) {
	s.next += uint64(n)
	s.sent.Store(s.next)
	s.count.Add(n * int(s.size.Load()))
}

// end says the end often enough.
func (s *DatagramSender) end(ctx context.Context, d sock.Datagrams) error {
	b := make([]byte, HeaderSize)
	Header{Tag: s.tag, Sequence: s.next, Sent: s.now().Sub(s.began), End: true}.Put(b)
	ticker := time.NewTicker(endEvery)
	defer ticker.Stop()
	for range ends {
		_, _ = d.Write(b) // as good as lost when it fails
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// DatagramReceiver is the receiving end of one flow of datagrams.
type DatagramReceiver struct {
	Tally
	tag     Tag
	content *pattern
	count   sock.Counter
}

// NewDatagramReceiver makes one for the flow that a token opened.
func NewDatagramReceiver(t Token) *DatagramReceiver { return &DatagramReceiver{tag: t.Tag()} }

// Receive has carriers take datagrams until the end has come, and a moment more
// for late ones. After the moment until it gives up with os.ErrDeadlineExceeded.
// first is a datagram that was read before, if not nil.
func (r *DatagramReceiver) Receive(ctx context.Context, w sock.Carriers, d sock.Datagrams, c Content, count sock.Counter, first []byte, until time.Time) error {
	r.count = count
	if c.Verify {
		r.content = &pattern{seed: c.Seed}
	}
	if first != nil {
		if _, err := r.Got(first, len(first), sock.Arrival{}); err != nil {
			return err
		}
	}
	if err := w.Receive(ctx, d, sock.IncomingDatagrams{Sink: r, Until: until}); err != nil {
		return fmt.Errorf("receive datagrams: %w", err)
	}
	late := lateSink{r}
	if r.complete() {
		return nil
	}
	err := w.Receive(ctx, d, sock.IncomingDatagrams{Sink: late, Until: time.Now().Add(linger)})
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("receive late datagrams: %w", err)
	}
	return nil
}

// Got implements sock.DatagramSink. It has enough when the end has come.
func (r *DatagramReceiver) Got(b []byte, size int, a sock.Arrival) (done bool, err error) {
	before, together := r.now, 0
	for len(b) > 0 {
		one := b[:min(size, len(b))]
		b = b[len(one):]
		h, ok := ParseHeader(one, r.tag)
		if !ok {
			continue
		}
		together++
		if h.Head && together == 1 && a.At != 0 {
			r.arrive(h.Sent, a.At)
		}
		if !r.take(h) {
			continue
		}
		r.now.bytes += uint64(len(one))
		if err = r.check(h, one); err != nil {
			break
		}
	}
	if a.Counted {
		gained := r.now.expected - before.expected
		r.blame(gained-min(gained, uint64(together)), a.Dropped, together)
	}
	r.count.Add(int(r.now.bytes - before.bytes))
	r.publish()
	return r.ended, err
}

// check compares the content of a datagram with what it has to be.
func (r *DatagramReceiver) check(h Header, b []byte) error {
	if r.content == nil {
		return nil
	}
	r.content.offset = h.Sequence * uint64(len(b))
	if at := r.content.check(b[HeaderSize:]); at >= 0 {
		return &CorruptError{Offset: at + int64(HeaderSize)}
	}
	return nil
}

// lateSink goes on until nothing is missing.
type lateSink struct{ r *DatagramReceiver }

func (s lateSink) Got(b []byte, size int, a sock.Arrival) (bool, error) {
	_, err := s.r.Got(b, size, a)
	return s.r.complete(), err
}
