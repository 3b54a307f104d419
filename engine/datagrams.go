package engine

import (
	"context"
	"errors"
	"net"
	"os"
	"time"

	"linkpace/engine/control"
	"linkpace/engine/internal/meter"
	"linkpace/engine/internal/sock"
	"linkpace/engine/model"
	"linkpace/engine/protocol/native"
	"linkpace/engine/units"
)

// udpFlow is a flow of datagrams.
type udpFlow struct {
	sock.Datagrams
	token native.Token
	// fitted says that nobody asked for the size of the datagrams, so that the
	// path has the last word.
	fitted bool
	out    *native.DatagramSender
	in     *native.DatagramReceiver

	greeted chan struct{} // closed when greet has ended; nil on the side that opened
	first   []byte        // a datagram of payload that greet has read
}

// udpFlow makes the flow of a socket whose way the token has proved.
func (p *party) udpFlow(id native.FlowID, d sock.Datagrams) *udpFlow {
	p.grantedOnce(d.Granted, nil)
	f := &udpFlow{Datagrams: d, token: p.secret.Token(id), fitted: p.run.askedSpec().Block == 0}
	if p.view(id.Way) == model.Send {
		f.out = native.NewDatagramSender(f.token, p.engine.config.now)
	} else {
		f.in = native.NewDatagramReceiver(f.token)
	}
	return f
}

func (f *udpFlow) send(ctx context.Context, w crew, c native.Content, count *meter.Counter, until time.Time) error {
	f.settle()
	if f.fitted {
		c.Block = min(c.Block, f.MaxPayload())
	}
	return f.out.Send(ctx, w.datagrams, f.Datagrams, c, count, until)
}

// receive implements flow. That the end did not come by its time is no failure:
// the other side tells by the conversation how many datagrams it sent.
func (f *udpFlow) receive(ctx context.Context, w crew, c native.Content, count *meter.Counter, until time.Time) error {
	f.settle()
	err := f.in.Receive(ctx, w.datagrams, f.Datagrams, c, count, f.first, until)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil
	}
	return err
}

// Unread is 0: no system tells how many bytes of datagrams wait.
func (*udpFlow) Unread() int { return 0 }

func (f *udpFlow) figures(s *model.Sample) {
	if f.out != nil {
		packets, bytes := f.out.Sent()
		s.Packets, s.Bytes = packets, units.Bytes(bytes)
		return
	}
	c := f.in.Count()
	s.Bytes, s.Packets, s.Lost, s.Late, s.Duplicated, s.Jitter = units.Bytes(c.Bytes), c.Packets, c.Lost, c.Late, c.Duplicated, c.Jitter
	// The system counts packets, each of which may be many datagrams.
	packets, _ := f.Dropped()
	s.Dropped = min(max(c.Dropped, packets), c.Lost)
}

func (f *udpFlow) close() {
	_ = f.Close()
	if f.greeted != nil {
		<-f.greeted
	}
}

// greet answers further openings of the flow, in case the first answer got lost,
// until payload comes or settle ends it.
func (f *udpFlow) greet() {
	f.greeted = make(chan struct{})
	go func() {
		defer close(f.greeted)
		b := make([]byte, model.MaxDatagram)
		for failures := 0; failures < maxProbeErrors; {
			n, err := f.Read(b)
			if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil {
				failures++
				continue
			}
			if _, ok := native.ParseHeader(b[:n], f.token.Tag()); ok {
				f.first = b[:n]
				return
			}
			f.echo(b[:n])
		}
	}()
}

// echo answers an opening.
func (f *udpFlow) echo(b []byte) {
	o, err := native.ParseOpening(b)
	if err != nil || o.Echo || !o.Token.Equal(f.token) {
		return
	}
	o.Echo, o.Port = true, portOf(f.LocalAddr())
	_, _ = f.Write(o.Append(make([]byte, 0, native.OpeningSize)))
}

// settle ends greet, so that the payload is for who moves it.
func (f *udpFlow) settle() {
	if f.greeted == nil {
		return
	}
	_ = f.SetReadDeadline(time.Unix(1, 0))
	<-f.greeted
	_ = f.SetReadDeadline(time.Time{})
}

// fit gives datagrams the size that both adapters carry in one piece, unless one
// was asked for.
func (p *party) fit(spec model.Spec) model.Spec {
	if spec.Transport != model.UDP || spec.Block != 0 {
		return spec
	}
	local, remote := p.run.Ends()
	mtu := local.Adapter.MTU
	if there := remote.Adapter.MTU; mtu == 0 || there > 0 && there < mtu {
		mtu = there
	}
	spec.Block = units.Bytes(sock.PayloadFor(mtu, p.conn.Remote().Addr().Is6()))
	return spec
}

// settle takes in how many datagrams the other side sent: the end of a flow, and
// what came last before it, may have got lost.
func (p *party) settle(all flows, phase int, theirs []control.Total) {
	for _, t := range theirs {
		id := native.FlowID{Phase: phase, Way: p.view(t.Way.Flip()), Flow: t.Flow}
		if f, ok := all[id].(*udpFlow); ok && f.in != nil {
			f.in.Expect(t.Packets)
		}
	}
}
