package engine

import (
	"context"
	"time"

	"linkpace/engine/internal/meter"
	"linkpace/engine/internal/sock"
	"linkpace/engine/model"
	"linkpace/engine/protocol/native"
)

// flow carries payload one way: a connection, or a pair of UDP sockets.
type flow interface {
	// send moves payload until the moment until or the limit of the content.
	send(ctx context.Context, w sock.Workers, c native.Content, count *meter.Counter, until time.Time) error
	// receive takes payload until the sender has ended it; the moment until is
	// when it gives up with os.ErrDeadlineExceeded.
	receive(ctx context.Context, w sock.Workers, c native.Content, count *meter.Counter, until time.Time) error
	// Unread is how many bytes wait that nobody has counted yet.
	Unread() int
	// figures adds to a sample what is known of the flow beyond its bytes.
	figures(s *model.Sample)
	// close frees what the flow holds.
	close()
}

// flows are those of one phase on one side.
type flows map[native.FlowID]flow

func (all flows) close() {
	for _, f := range all {
		f.close()
	}
}

// tcpFlow is a flow over one connection.
type tcpFlow struct{ sock.Stream }

func (f tcpFlow) send(ctx context.Context, w sock.Workers, c native.Content, count *meter.Counter, until time.Time) error {
	return native.Send(ctx, w, f.Stream, c, count, until)
}

func (f tcpFlow) receive(ctx context.Context, w sock.Workers, c native.Content, count *meter.Counter, until time.Time) error {
	return native.Receive(ctx, w, f.Stream, c, count, until)
}

func (f tcpFlow) figures(s *model.Sample) {
	if info, known := f.TCPInfo(); known {
		s.TCP = &info
	}
}

func (f tcpFlow) close() { _ = f.Close() }
