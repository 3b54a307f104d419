package native

import (
	"context"
	"fmt"
	"time"

	"linkpace/engine/internal/sock"
	"linkpace/engine/units"
)

// Content says what a flow carries.
type Content struct {
	// Block is the size of one write or read of content that is checked; 0 is
	// this package's choice.
	Block int
	// Rate is the most one flow sends; 0 is as fast as possible.
	Rate units.BitRate
	// Limit is how many bytes one flow sends at most; 0 is no limit.
	Limit units.Bytes
	// Verify and Seed ask for content that the receiver checks.
	Verify bool
	Seed   uint64
}

func (c Content) block() int {
	if c.Block > 0 {
		return c.Block
	}
	return verifiedBlock
}

// Send has workers write payload until the moment until or the limit, then tells
// the receiver that nothing more comes.
func Send(ctx context.Context, w sock.Workers, s sock.Stream, c Content, count sock.Counter, until time.Time) error {
	o := sock.Outgoing{Count: count, Until: until, Rate: c.Rate, Limit: c.Limit}
	if c.Verify {
		o.Source = &patterned{pattern: pattern{seed: c.Seed}, block: make([]byte, c.block())}
	}
	if err := w.Send(ctx, s, o); err != nil {
		return fmt.Errorf("send payload: %w", err)
	}
	if err := s.CloseWrite(); err != nil {
		return fmt.Errorf("end payload: %w", err)
	}
	return nil
}

// Receive has workers read payload until the sender has ended it. After the
// moment until it gives up with os.ErrDeadlineExceeded and drops what is still
// on its way.
func Receive(ctx context.Context, w sock.Workers, s sock.Stream, c Content, count sock.Counter, until time.Time) error {
	in := sock.Incoming{Count: count, Until: until}
	if c.Verify {
		in.Sink = &verified{pattern: pattern{seed: c.Seed}, buffer: make([]byte, c.block())}
	}
	if err := w.Receive(ctx, s, in); err != nil {
		s.Abort()
		return fmt.Errorf("receive payload: %w", err)
	}
	return nil
}
