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
	send(ctx context.Context, w crew, c native.Content, count *meter.Counter, until time.Time) error
	// receive takes payload until the sender has ended it; the moment until is
	// when it gives up with os.ErrDeadlineExceeded.
	receive(ctx context.Context, w crew, c native.Content, count *meter.Counter, until time.Time) error
	// Unread is how many bytes wait that nobody has counted yet.
	Unread() int
	// figures adds to a sample what is known of the flow beyond its bytes.
	figures(s *model.Sample)
	// close frees what the flow holds.
	close()
}

// crew moves the payload of one phase: over connections or by datagrams.
type crew struct {
	streams   sock.Workers
	datagrams sock.Carriers
}

// hire gets the crew that a spec needs.
func hire(n sock.Network, spec model.Spec, streams int) crew {
	if spec.Transport == model.UDP {
		return crew{datagrams: n.HireCarriers(terms(spec, streams))}
	}
	return crew{streams: n.Hire(terms(spec, streams))}
}

// dismiss lets the crew go and says how it worked.
func (w crew) dismiss() sock.Methods {
	if w.streams == nil {
		return w.datagrams.Methods()
	}
	defer w.streams.Close()
	return w.streams.Methods()
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

func (f tcpFlow) send(ctx context.Context, w crew, c native.Content, count *meter.Counter, until time.Time) error {
	return native.Send(ctx, w.streams, f.Stream, c, count, until)
}

func (f tcpFlow) receive(ctx context.Context, w crew, c native.Content, count *meter.Counter, until time.Time) error {
	return native.Receive(ctx, w.streams, f.Stream, c, count, until)
}

func (f tcpFlow) figures(s *model.Sample) {
	if info, known := f.TCPInfo(); known {
		s.TCP = &info
	}
}

func (f tcpFlow) close() { _ = f.Close() }
