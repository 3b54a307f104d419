package control

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"time"

	"linkpace/engine/internal/sock"
	"linkpace/engine/internal/stamp"
	"linkpace/engine/model"
	"linkpace/engine/protocol/native"
)

// DefaultPort is the control port, TCP and UDP.
const DefaultPort = 47820

// spread is how many ports from the wanted one on are tried before any free one.
const spread = 10

const (
	// maxUnproved is how many connections are let in that have proved nothing yet;
	// further ones wait with the system. A test opens more than that at once.
	maxUnproved = 64
	// maxConversations is how many others may talk to this computer at once.
	// One of them tests, a few may queue, the rest only ask who is here.
	maxConversations = 32
)

// Port is everything that this program listens on for other Linkpaces: one TCP
// port and the UDP port of the same number.
type Port struct {
	listener sock.Listener
	packets  sock.PacketConn
	reader   *stamp.Reader // of packets
	noUDP    error
	hellos   *Datagrams
	log      *slog.Logger

	mu     sync.Mutex
	flows  map[native.Token]*Arrivals
	probes map[native.Token]netip.Addr
}

// OpenPort listens on the wanted port, 0 being the default one. When it is
// taken and not exact, another port is taken, one near it first. Where UDP is
// not to be had, the port works without it and NoUDP says why.
func OpenPort(n sock.Network, want uint16, exact bool, log *slog.Logger) (*Port, error) {
	if want == 0 {
		want = DefaultPort
	}
	candidates := []uint16{want}
	if !exact {
		for i := uint16(1); i < spread && want+i > want; i++ {
			candidates = append(candidates, want+i)
		}
		candidates = append(candidates, 0)
	}
	var err error
	for _, number := range candidates {
		var p *Port
		if p, err = openBoth(n, netip.AddrPortFrom(netip.Addr{}, number)); err == nil {
			return p.ready(log), nil
		}
		if !sock.InUse(err) {
			break
		}
	}
	code := model.CodeInternal
	text := fmt.Sprintf("Linkpace cannot listen on port %d: %v.", want, cause(err))
	if sock.InUse(err) {
		code = model.CodePortInUse
		text = fmt.Sprintf("Port %d is used by another program. Choose another one with --port, or leave --port out to take any free one.", want)
	}
	return nil, &model.Problem{Side: model.Local, Op: "listen", Code: code, Text: text, Cause: err}
}

// OpenLoopback listens on a free port that only this computer reaches.
func OpenLoopback(n sock.Network, log *slog.Logger) (*Port, error) {
	var err error
	for range spread { // the number that TCP was given may be taken for UDP
		var p *Port
		if p, err = openBoth(n, netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), 0)); err == nil {
			return p.ready(log), nil
		}
	}
	return nil, fmt.Errorf("listen on this computer only: %w", err)
}

// openBoth opens TCP and, with the same number, UDP. Only a UDP port that is
// taken is a failure.
func openBoth(n sock.Network, at netip.AddrPort) (*Port, error) {
	l, err := n.Listen(at)
	if err != nil {
		return nil, err
	}
	packets, err := n.Packets(netip.AddrPortFrom(at.Addr(), l.Addr().Port()))
	if sock.InUse(err) {
		_ = l.Close()
		return nil, err
	}
	return &Port{listener: l, packets: packets, noUDP: err}, nil
}

func (p *Port) ready(log *slog.Logger) *Port {
	p.log = log
	p.flows = map[native.Token]*Arrivals{}
	p.probes = map[native.Token]netip.Addr{}
	if p.packets != nil {
		p.reader = stamp.NewReader(p.packets)
		p.hellos = &Datagrams{packets: p.packets, in: make(chan datagram, 64)}
	}
	return p
}

// Number is the TCP port.
func (p *Port) Number() uint16 { return p.listener.Addr().Port() }

// Addr is the address listened on; unspecified for all.
func (p *Port) Addr() netip.AddrPort { return p.listener.Addr() }

// UDP is the UDP port, and 0 when there is none.
func (p *Port) UDP() uint16 {
	if p.packets == nil {
		return 0
	}
	return p.Number()
}

// NoUDP says why there is no UDP, and is nil when there is.
func (p *Port) NoUDP() error { return p.noUDP }

// Datagrams is the path of discovery's hellos on the UDP port, nil without UDP.
func (p *Port) Datagrams() *Datagrams { return p.hellos }

// Close stops listening.
func (p *Port) Close() error {
	err := p.listener.Close()
	if p.packets != nil {
		err = errors.Join(err, p.packets.Close())
	}
	return err
}

// Serve accepts until ctx ends: payload connections go to whoever awaits them,
// conversations to handle, each in a goroutine of its own. It returns when all
// of them have returned.
func (p *Port) Serve(ctx context.Context, identity *Identity, hello func(local netip.Addr) Hello, handle func(context.Context, *Conn)) error {
	var all sync.WaitGroup
	defer all.Wait()
	defer context.AfterFunc(ctx, func() { _ = p.Close() })()
	if p.packets != nil {
		all.Go(func() { p.echo(ctx) })
	}
	unproved := make(chan struct{}, maxUnproved)
	talking := make(chan struct{}, maxConversations)
	for {
		stream, err := p.listener.Accept()
		if err != nil {
			if ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				return ctx.Err()
			}
			p.log.Warn("accept failed", "err", err)
			if !pause(ctx, 100*time.Millisecond) { // out of descriptors, most likely
				return ctx.Err()
			}
			continue
		}
		select {
		case unproved <- struct{}{}:
		case <-ctx.Done():
			stream.Abort()
			return ctx.Err()
		}
		all.Go(func() {
			conn := p.welcome(ctx, stream, identity, hello)
			<-unproved
			if conn == nil {
				return
			}
			defer conn.Close()
			select {
			case talking <- struct{}{}:
				defer func() { <-talking }()
				handle(ctx, conn)
			default:
				p.log.Warn("too many conversations", "from", conn.Remote())
			}
		})
	}
}

// welcome finds out what a connection is, and returns a conversation when it is
// one.
func (p *Port) welcome(ctx context.Context, stream sock.Stream, identity *Identity, hello func(netip.Addr) Hello) *Conn {
	_ = stream.SetReadDeadline(time.Now().Add(HandshakeTime))
	stop := context.AfterFunc(ctx, stream.Abort)
	defer stop()
	var first [1]byte
	if _, err := stream.Read(first[:]); err != nil {
		stream.Abort()
		return nil
	}
	switch first[0] {
	case native.FlowMagic[0]:
		p.admit(stream, first[0])
		return nil
	case tlsRecord:
		shaking, done := context.WithTimeout(ctx, HandshakeTime)
		defer done()
		conn, err := converse(shaking, tls.Server(&replayed{stream, first[:]}, identity.config()), hello(addrPort(stream.LocalAddr()).Addr()))
		if err == nil {
			return conn
		}
		p.log.Debug("conversation refused", "from", stream.RemoteAddr(), "err", err)
	}
	stream.Abort()
	return nil
}

// tlsRecord is the first byte of a TLS handshake record (RFC 8446, 5.1).
const tlsRecord = 22

// replayed gives back a byte that was read to look at it.
type replayed struct {
	sock.Stream
	first []byte
}

func (r *replayed) Read(b []byte) (int, error) {
	if len(r.first) > 0 {
		n := copy(b, r.first)
		r.first = r.first[n:]
		return n, nil
	}
	return r.Stream.Read(b)
}

func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
