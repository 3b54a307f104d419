package discovery

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"sync"
	"testing"

	"linkpace/engine/model"
)

func discardLog() *slog.Logger { return slog.New(slog.DiscardHandler) }

// testLink makes an adapter with addresses like "10.0.0.1/24".
func testLink(index int, name string, prefixes ...string) link {
	l := link{iface: net.Interface{Index: index, Name: name, Flags: net.FlagUp | net.FlagMulticast | net.FlagBroadcast}, virtual: looksVirtual(name)}
	for _, p := range prefixes {
		l.prefixes = append(l.prefixes, netip.MustParsePrefix(p))
	}
	return l
}

func testLoopback() link {
	l := testLink(1, "lo", "127.0.0.1/8", "::1/128")
	l.iface.Flags = net.FlagUp | net.FlagLoopback
	return l
}

// ether is a network in memory: it takes datagrams from one port to another.
type ether struct {
	mu    sync.Mutex
	ports map[netip.AddrPort]*port
	cut   map[netip.Addr]bool // addresses that nothing reaches
	sent  map[netip.AddrPort]int
}

func newEther() *ether {
	return &ether{ports: map[netip.AddrPort]*port{}, cut: map[netip.Addr]bool{}, sent: map[netip.AddrPort]int{}}
}

// port is the Datagrams of one program.
type port struct {
	ether *ether
	addrs []netip.AddrPort // the first is the source of what it sends
	inbox chan packet
}

type packet struct {
	b    []byte
	from netip.AddrPort
}

// plug gives a program its addresses.
func (e *ether) plug(addrs ...string) *port {
	p := &port{ether: e, inbox: make(chan packet, 256)}
	for _, a := range addrs {
		p.addrs = append(p.addrs, netip.MustParseAddrPort(a))
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, a := range p.addrs {
		e.ports[a] = p
	}
	return p
}

// unplug is what a kill does: nothing is answered from now on.
func (e *ether) unplug(p *port) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, a := range p.addrs {
		if e.ports[a] == p {
			delete(e.ports, a)
		}
	}
}

func (e *ether) setCut(addr string, cut bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.cut[netip.MustParseAddr(addr)] = cut
}

func (e *ether) sentTo(addr string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.sent[netip.MustParseAddrPort(addr)]
}

func (p *port) Send(b []byte, to netip.AddrPort) error {
	e := p.ether
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sent[to]++
	from := p.addrs[0]
	if to.Addr().IsLoopback() {
		from = netip.AddrPortFrom(to.Addr(), from.Port())
	}
	if target := e.ports[to]; target != nil && !e.cut[to.Addr()] && !e.cut[from.Addr()] {
		target.put(packet{slices.Clone(b), from})
	}
	if a := to.Addr(); a.Is4() && a.As4()[3] == 255 {
		for at, target := range e.ports {
			if at.Port() == to.Port() && !e.cut[at.Addr()] && target != p {
				target.put(packet{slices.Clone(b), from})
			}
		}
	}
	return nil
}

func (p *port) put(one packet) {
	select {
	case p.inbox <- one:
	default:
	}
}

func (p *port) Receive(ctx context.Context, b []byte) (int, netip.AddrPort, error) {
	select {
	case one := <-p.inbox:
		return copy(b, one.b), one.from, nil
	case <-ctx.Done():
		return 0, netip.AddrPort{}, ctx.Err()
	}
}

// rig is one program with its Options, on a network of its own adapters.
type rig struct {
	*Service
	port *port

	mu    sync.Mutex
	links []link
	quiet bool
	// see reports a sighting as multicast DNS would.
	see  chan sighting
	runs chan *network
}

// newRig starts a program called id at addrs.
func newRig(t *testing.T, e *ether, id string, change func(*Options), addrs ...string) *rig {
	t.Helper()
	r := &rig{see: make(chan sighting), runs: make(chan *network, 64)}
	first := netip.MustParseAddrPort(addrs[0])
	r.links = []link{testLoopback(), testLink(2, "eth0", netip.PrefixFrom(first.Addr(), 24).String())}
	o := Options{
		ID: id, Instance: "i" + id, Name: "PC " + id, OS: "linux", Version: "1", Port: first.Port(), Log: discardLog(),
		Quiet: func() bool { r.mu.Lock(); defer r.mu.Unlock(); return r.quiet },
		Adapter: func(netip.Addr) model.Adapter {
			return model.Adapter{Name: "eth0", Kind: model.Ethernet, Link: 1e9, MTU: 1500}
		},
	}
	o.links = func() ([]link, error) { r.mu.Lock(); defer r.mu.Unlock(); return slices.Clone(r.links), nil }
	o.backends = []backend{{name: "fake", searches: true, run: r.run}}
	if e != nil {
		r.port = e.plug(addrs...)
		o.Datagrams = r.port
	}
	if change != nil {
		change(&o)
	}
	s, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	r.Service = s
	t.Cleanup(func() { s.Close() })
	return r
}

func (r *rig) run(ctx context.Context, n *network, found func(sighting)) error {
	r.runs <- n
	for {
		select {
		case s := <-r.see:
			found(s)
		case <-ctx.Done():
			return nil
		}
	}
}

func (r *rig) revision() uint64 {
	r.board.mu.Lock()
	defer r.board.mu.Unlock()
	return r.board.revision
}

func (r *rig) setQuiet(quiet bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.quiet = quiet
}

func (r *rig) setLinks(links ...link) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.links = links
}

// announce gives the sighting of a program, as multicast DNS would.
func announceOf(id string, port uint16, addrs ...string) sighting {
	s := sighting{card: card{ID: id, Instance: "i" + id, Name: "PC " + id, Port: port}, via: viaMDNS}
	for _, a := range addrs {
		s.addrs = append(s.addrs, netip.MustParseAddr(a))
	}
	return s
}

// only gives the single peer of a list.
func only(t *testing.T, peers []model.Peer) model.Peer {
	t.Helper()
	if len(peers) != 1 {
		t.Fatalf("%d peers: %+v", len(peers), peers)
	}
	return peers[0]
}

// answerAs replies to requests as a program that never asks.
func answerAs(t *testing.T, p *port, c card) {
	b := make([]byte, helloSize)
	for {
		n, from, err := p.Receive(t.Context(), b)
		if err != nil {
			return
		}
		h, err := decodeHello(b[:n])
		if err != nil || h.kind != helloRequest {
			continue
		}
		reply, err := hello{helloReply, h.nonce, c}.encode()
		if err != nil {
			t.Error(err)
			return
		}
		_ = p.Send(reply, from)
	}
}
