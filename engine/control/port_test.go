package control

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/netip"
	"testing"
	"time"

	"linkpace/engine/internal/sock"
	"linkpace/engine/model"
	"linkpace/engine/protocol/native"
)

// station is a Port with an identity on loopback that answers conversations.
type station struct {
	port     *Port
	identity *Identity
	arrived  chan *Conn
}

func newStation(t *testing.T) *station {
	t.Helper()
	id, err := NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	port, err := OpenLoopback(sock.Portable{}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	s := &station{port: port, identity: id, arrived: make(chan *Conn, 10)}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan struct{})
	go func() {
		defer close(served)
		port.Serve(ctx, id, hello("NAS"), func(ctx context.Context, c *Conn) {
			s.arrived <- c
			<-ctx.Done()
		})
	}()
	t.Cleanup(func() { stop(); <-served })
	return s
}

func hello(name string) func(netip.Addr) Hello {
	return func(netip.Addr) Hello {
		return Hello{Version: Version, Oldest: Oldest, App: "1", Endpoint: model.Endpoint{Name: name}}
	}
}

func dialer(t *testing.T) Dialer {
	t.Helper()
	id, err := NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	return Dialer{Network: sock.Portable{}, Identity: id, Hello: hello("DESK")}
}

func (s *station) peer() model.Peer {
	return model.Peer{Name: "NAS", Addrs: []netip.AddrPort{s.port.Addr()}}
}

func TestBothSidesProveWhoTheyAre(t *testing.T) {
	s, d := newStation(t), dialer(t)
	c, err := d.Dial(t.Context(), s.peer(), s.identity.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	there := <-s.arrived
	if c.PeerID != s.identity.ID || there.PeerID != d.Identity.ID {
		t.Errorf("IDs %s and %s", c.PeerID, there.PeerID)
	}
	if c.Peer.Endpoint.Name != "NAS" || there.Peer.Endpoint.Name != "DESK" || there.Peer.Endpoint.ID != d.Identity.ID {
		t.Errorf("hellos %+v and %+v", c.Peer, there.Peer)
	}
}

func TestTheRightOneOfSeveralAddresses(t *testing.T) {
	s, other, d := newStation(t), newStation(t), dialer(t)
	closed := netip.MustParseAddrPort("127.0.0.1:1")
	peer := model.Peer{Name: "NAS", Addrs: []netip.AddrPort{closed, other.port.Addr(), s.port.Addr()}}
	c, err := d.Dial(t.Context(), peer, s.identity.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if c.PeerID != s.identity.ID {
		t.Error("the wrong computer was taken")
	}
}

func TestAnotherKeyOutweighsSilence(t *testing.T) {
	s, d := newStation(t), dialer(t)
	stranger := *d.Identity
	peer := model.Peer{Name: "NAS", Addrs: []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:1"), s.port.Addr()}}
	_, err := d.Dial(t.Context(), peer, stranger.ID)
	var problem *model.Problem
	if !errors.As(err, &problem) || problem.Code != model.CodeIdentityChanged {
		t.Errorf("got %v", err)
	}
}

func TestOtherUsesOfTLSAreNotLinkpace(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	for name, protos := range map[string][]string{"web": {"h2", "http/1.1"}, "no protocol": nil, "ours in name only": {alpn}} {
		l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, NextProtos: protos})
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				io.Copy(io.Discard, c)
				c.Close()
			}
		}()
		at := l.Addr().(*net.TCPAddr).AddrPort()
		_, err = dialer(t).Dial(t.Context(), model.Peer{Addrs: []netip.AddrPort{at}}, "")
		var problem *model.Problem
		if !errors.As(err, &problem) || problem.Code != model.CodeNotLinkpace {
			t.Errorf("%s: %v", name, err)
		}
		l.Close()
	}
}

func TestFlowTokensOpenOnce(t *testing.T) {
	s := newStation(t)
	secret := native.Secret{1, 2, 3}
	id := native.FlowID{Phase: 1, Way: model.Send, Flow: 0}
	token := secret.Token(id)
	arrivals := s.port.Await(map[native.Token]native.FlowID{token: id}, netip.MustParseAddr("127.0.0.1"))
	open := func(token native.Token) sock.Stream {
		c, err := sock.Portable{}.Dial(t.Context(), s.port.Addr(), netip.Addr{}, sock.Tuning{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		c.Write(native.Preamble(token))
		return c
	}
	refused := func(c sock.Stream) bool {
		c.SetReadDeadline(time.Now().Add(10 * time.Second))
		_, err := c.Read(make([]byte, 1))
		return err != nil && !isTimeout(err)
	}
	first := open(token)
	if got := <-arrivals.C; got.ID != id {
		t.Errorf("arrived %+v", got.ID)
	} else {
		defer got.Stream.Close()
	}
	if !refused(open(token)) {
		t.Error("one token opened two connections")
	}
	if !refused(open(native.Token{9})) {
		t.Error("an invented token opened a connection")
	}
	first.Close()
	arrivals.Close()
	if _, open := <-arrivals.C; open {
		t.Error("an arrival after the end")
	}
}

// A test with many connections opens all of them before the other side has had
// time to look at one.
func TestAllFlowsOfATestMayComeAtOnce(t *testing.T) {
	s := newStation(t)
	secret := native.Secret{4}
	ids := map[native.Token]native.FlowID{}
	for flow := range 2 * model.MaxStreams {
		id := native.FlowID{Flow: flow}
		ids[secret.Token(id)] = id
	}
	arrivals := s.port.Await(ids, netip.MustParseAddr("127.0.0.1"))
	defer arrivals.Close()
	var all []sock.Stream
	for range ids {
		c, err := sock.Portable{}.Dial(t.Context(), s.port.Addr(), netip.Addr{}, sock.Tuning{})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		all = append(all, c)
	}
	for token := range ids {
		if _, err := all[0].Write(native.Preamble(token)); err != nil {
			t.Fatal(err)
		}
		all = all[1:]
	}
	for range ids {
		select {
		case a := <-arrivals.C:
			defer a.Stream.Close()
		case <-time.After(20 * time.Second):
			t.Fatal("a connection with a token did not arrive")
		}
	}
}

func TestFlowsFromElsewhereAreRefused(t *testing.T) {
	s := newStation(t)
	id := native.FlowID{Phase: 0, Way: model.Send}
	token := native.Secret{7}.Token(id)
	arrivals := s.port.Await(map[native.Token]native.FlowID{token: id}, netip.MustParseAddr("10.9.8.7"))
	defer arrivals.Close()
	c, err := sock.Portable{}.Dial(t.Context(), s.port.Addr(), netip.Addr{}, sock.Tuning{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.Write(native.Preamble(token))
	c.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, err := c.Read(make([]byte, 1)); err == nil || isTimeout(err) {
		t.Errorf("a token from another address opened a connection: %v", err)
	}
}

func TestProbesNeedTokenAndAddress(t *testing.T) {
	s := newStation(t)
	c, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(s.port.Addr()))
	if err != nil {
		t.Skip("no UDP here:", err)
	}
	defer c.Close()
	good := native.Probe{Token: native.Token{1}, Sequence: 1}
	elsewhere := native.Probe{Token: native.Token{2}, Sequence: 2}
	strange := native.Probe{Token: native.Token{3}, Sequence: 3}
	defer s.port.EchoProbes(good.Token, netip.MustParseAddr("127.0.0.1"))()
	defer s.port.EchoProbes(elsewhere.Token, netip.MustParseAddr("10.9.8.7"))()
	for _, p := range []native.Probe{elsewhere, strange, {Token: good.Token, Echo: true}, good} {
		c.Write(p.Append(nil))
	}
	// They are answered in order: if the good one comes first, the others were not.
	c.SetReadDeadline(time.Now().Add(10 * time.Second))
	buffer := make([]byte, 100)
	n, err := c.Read(buffer)
	if err != nil {
		t.Fatal(err)
	}
	echo, err := native.ParseProbe(buffer[:n])
	if err != nil || !echo.Echo || echo.Sequence != 1 || n != native.ProbeSize {
		t.Errorf("got %+v, %v", echo, err)
	}
}

func TestHellosGoToDiscovery(t *testing.T) {
	s := newStation(t)
	c, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(s.port.Addr()))
	if err != nil {
		t.Skip("no UDP here:", err)
	}
	defer c.Close()
	c.Write([]byte("LPH who is there"))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	buffer := make([]byte, 100)
	n, from, err := s.port.Datagrams().Receive(ctx, buffer)
	if err != nil || string(buffer[:n]) != "LPH who is there" {
		t.Fatalf("%q, %v", buffer[:n], err)
	}
	if err := s.port.Datagrams().Send([]byte("LPH me"), from); err != nil {
		t.Fatal(err)
	}
	c.SetReadDeadline(time.Now().Add(10 * time.Second))
	if n, err := c.Read(buffer); err != nil || string(buffer[:n]) != "LPH me" {
		t.Errorf("%q, %v", buffer[:n], err)
	}
}

func TestPortTakenMeansAnother(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	first, err := OpenPort(sock.Portable{}, 0, false, log)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	second, err := OpenPort(sock.Portable{}, first.Number(), false, log)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if first.Number() == second.Number() {
		t.Errorf("both have port %d", first.Number())
	}
	_, err = OpenPort(sock.Portable{}, first.Number(), true, log)
	var problem *model.Problem
	if !errors.As(err, &problem) || problem.Code != model.CodePortInUse {
		t.Errorf("exactly that port: %v", err)
	}
}

// withoutUDP is a network that has none.
type withoutUDP struct{ sock.Mem }

func (*withoutUDP) Packets(netip.AddrPort) (sock.PacketConn, error) {
	return nil, errors.ErrUnsupported
}

func TestWithoutUDPThePortStillWorks(t *testing.T) {
	p, err := OpenPort(&withoutUDP{}, 0, false, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if p.UDP() != 0 || p.NoUDP() == nil || p.Datagrams() != nil {
		t.Errorf("UDP %d, %v", p.UDP(), p.NoUDP())
	}
}
