package control

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"linkpace/engine/model"
)

// The longest waits for the other side.
const (
	HandshakeTime = 5 * time.Second // until it is agreed that the other side is Linkpace
	SilenceTime   = 4 * time.Second // between two messages of a test
	AliveTime     = time.Second     // after which a side with nothing to say says so
	writeTime     = 4 * time.Second
)

// Conn is the conversation with another Linkpace whose identity is proved.
// One goroutine may receive while others send.
type Conn struct {
	// PeerID is the other side's proved ID.
	PeerID string
	// Peer is the other side's hello, Version what both speak.
	Peer    Hello
	Version int

	tls      *tls.Conn
	writing  sync.Mutex
	buffer   []byte
	patience atomic.Int64 // more than writeTime for Send
}

// Local and Remote are the two ends of the connection.
func (c *Conn) Local() netip.AddrPort { return addrPort(c.tls.LocalAddr()) }

// Remote is the other side's address, the only one it is sent anything to.
func (c *Conn) Remote() netip.AddrPort { return addrPort(c.tls.RemoteAddr()) }

func addrPort(a net.Addr) netip.AddrPort {
	if tcp, ok := a.(*net.TCPAddr); ok {
		ap := tcp.AddrPort()
		return netip.AddrPortFrom(ap.Addr().Unmap(), ap.Port())
	}
	return netip.AddrPort{}
}

// BePatient gives the other side so much longer to take what is sent.
func (c *Conn) BePatient(longer time.Duration) { c.patience.Store(int64(longer)) }

// Send writes one message. It waits at most 4 s for the other side to take it, or
// as long as BePatient said.
func (c *Conn) Send(kind Kind, body any) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	var err error
	if c.buffer, err = AppendFrame(c.buffer[:0], kind, body); err != nil {
		return err
	}
	if err := c.tls.SetWriteDeadline(time.Now().Add(writeTime + time.Duration(c.patience.Load()))); err != nil {
		return fmt.Errorf("send %s: %w", kind, err)
	}
	if _, err := c.tls.Write(c.buffer); err != nil {
		return fmt.Errorf("send %s: %w", kind, err)
	}
	return nil
}

// Receive reads the next message, waiting at most within. Unknown optional
// messages are skipped.
func (c *Conn) Receive(within time.Duration) (Message, error) {
	if err := c.tls.SetReadDeadline(time.Now().Add(within)); err != nil {
		return Message{}, fmt.Errorf("receive: %w", err)
	}
	for {
		m, err := ReadFrame(c.tls)
		if err != nil {
			return m, fmt.Errorf("receive: %w", err)
		}
		if !m.Kind.Optional() {
			return m, nil
		}
	}
}

// Expect receives a message that must be of one kind.
func (c *Conn) Expect(kind Kind, within time.Duration, body any) error {
	m, err := c.Receive(within)
	if err != nil {
		return err
	}
	if m.Kind != kind {
		return fmt.Errorf("got message %q instead of %q", m.Kind, kind)
	}
	return m.Into(body)
}

// Close ends the connection. It is safe to call more than once.
func (c *Conn) Close() error {
	// The farewell of TLS must not keep a cancelled test waiting for a peer
	// that has gone.
	_ = c.tls.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
	return c.tls.Close()
}

// converse does the handshake and exchanges hellos on a fresh connection.
func converse(ctx context.Context, conn *tls.Conn, ours Hello) (*Conn, error) {
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if err := conn.HandshakeContext(ctx); err != nil {
		return nil, err
	}
	id, err := peerID(conn.ConnectionState())
	if err != nil {
		return nil, err
	}
	c := &Conn{PeerID: id, tls: conn}
	if err := c.Send(KindHello, ours); err != nil {
		return nil, err
	}
	if err := c.Expect(KindHello, HandshakeTime, &c.Peer); err != nil {
		return nil, err
	}
	c.Peer.Endpoint = tame(c.Peer.Endpoint)
	c.Peer.Endpoint.ID, c.Peer.Endpoint.Address = id, c.Remote().String()
	c.Version, err = Negotiate(ours, c.Peer)
	return c, err
}

// tame bounds what the other side says of itself before anybody shows it.
func tame(e model.Endpoint) model.Endpoint {
	for _, s := range []*string{&e.Name, &e.OS, &e.CPU, &e.Version, &e.Backend, &e.Adapter.Name, &e.Adapter.Duplex} {
		*s = model.CleanText(*s, 80)
	}
	e.Adapter.Kind = model.AdapterKind(model.CleanText(string(e.Adapter.Kind), 20))
	e.Adapter.Link = max(e.Adapter.Link, 0)
	e.Adapter.WiFi = nil
	return e
}
