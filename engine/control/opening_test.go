package control

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"linkpace/engine/internal/sock"
	"linkpace/engine/protocol/native"
)

// awaitOne opens a port that awaits one flow of datagrams, on a shared port or on
// one of its own.
func awaitOne(t *testing.T, n sock.Network, token native.Token, shared bool) (*Port, *Arrivals) {
	t.Helper()
	p, err := OpenLoopback(n, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan struct{})
	go func() {
		defer close(served)
		p.Serve(ctx, nil, nil, nil)
	}()
	ids := map[native.Token]native.FlowID{token: {Flow: 3}}
	a := p.AwaitDatagrams(ids, p.Addr().Addr(), func(remote netip.AddrPort) (sock.Datagrams, error) {
		local := netip.AddrPortFrom(p.Addr().Addr(), 0)
		if shared {
			local = netip.AddrPortFrom(local.Addr(), p.UDP())
		}
		return n.Join(local, remote, sock.Tuning{})
	})
	t.Cleanup(func() {
		a.Close()
		stop()
		<-served
	})
	return p, a
}

// ask sends an opening and gives the echo; none within 100 ms is the zero one.
func ask(t *testing.T, d sock.Datagrams, token native.Token) (echo native.Opening) {
	t.Helper()
	if _, err := d.Write(native.Opening{Token: token}.Append(nil)); err != nil {
		t.Fatal(err)
	}
	d.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	var b [100]byte
	n, err := d.Read(b[:])
	if err != nil {
		return echo
	}
	if echo, err = native.ParseOpening(b[:n]); err != nil || !echo.Echo || echo.Token != token {
		t.Fatalf("%+v, %v", echo, err)
	}
	return echo
}

func joined(t *testing.T, n sock.Network, to netip.AddrPort) sock.Datagrams {
	t.Helper()
	d, err := n.Join(netip.AddrPortFrom(to.Addr(), 0), to, sock.Tuning{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func TestOpeningOpensOnce(t *testing.T) {
	for _, shared := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			n := &sock.Mem{}
			token := native.Token{1}
			p, a := awaitOne(t, n, token, shared)
			d := joined(t, n, p.Addr())
			if echo := ask(t, d, native.Token{2}); echo.Port != 0 {
				t.Errorf("shared %v: a wrong token was answered", shared)
			}
			echo := ask(t, d, token)
			if echo.Port == 0 || shared != (echo.Port == p.UDP()) {
				t.Errorf("shared %v: port %d, want or not %d", shared, echo.Port, p.UDP())
			}
			arrival := <-a.C
			defer arrival.Discard()
			if arrival.ID.Flow != 3 || arrival.Datagrams.RemoteAddr().String() != d.LocalAddr().String() {
				t.Errorf("shared %v: %+v joined to %v", shared, arrival.ID, arrival.Datagrams.RemoteAddr())
			}
			if other := ask(t, joined(t, n, p.Addr()), token); other.Port != 0 {
				t.Errorf("shared %v: a second socket was let in by the same token", shared)
			}
			if shared {
				return // the flow's own socket gets what comes now
			}
			if again := ask(t, d, token); again != echo {
				t.Errorf("asked again: %+v, first %+v", again, echo)
			}
			if len(a.C) > 0 {
				t.Error("a second flow was opened")
			}
		})
	}
}

func TestNobodyIsAnsweredWithMoreThanHeSent(t *testing.T) {
	if n := len(native.Opening{Echo: true}.Append(nil)); n != native.OpeningSize {
		t.Errorf("an echo has %d bytes, an opening %d", n, native.OpeningSize)
	}
}

func TestOpeningFromElsewhereIsNotAnswered(t *testing.T) {
	n := sock.Portable{}
	token := native.Token{1}
	p, a := awaitOne(t, n, token, sock.SharedPorts)
	p.mu.Lock()
	a.from = netip.MustParseAddr("127.0.0.9")
	p.mu.Unlock()
	if echo := ask(t, joined(t, n, p.Addr()), token); echo.Port != 0 {
		t.Error("answered, though the run is with another computer")
	}
}

// TestFlowSharesThePort checks on the real system that a flow gets what its other
// end sends, and the port everything else.
func TestFlowSharesThePort(t *testing.T) {
	n := sock.Portable{}
	token := native.Token{1}
	p, a := awaitOne(t, n, token, sock.SharedPorts)
	d := joined(t, n, p.Addr())
	echo := ask(t, d, token)
	arrival := <-a.C
	defer arrival.Discard()
	if echo.Port != p.UDP() {
		d.Close()
		d2, err := n.Join(d.LocalAddr().(*net.UDPAddr).AddrPort(), netip.AddrPortFrom(p.Addr().Addr(), echo.Port), sock.Tuning{})
		if err != nil {
			t.Fatal(err)
		}
		defer d2.Close()
		d = d2
	}
	stranger := joined(t, n, p.Addr())
	stranger.Write([]byte("LPH to the port"))
	d.Write([]byte("to the flow"))
	var b [100]byte
	arrival.Datagrams.SetReadDeadline(time.Now().Add(10 * time.Second))
	got, err := arrival.Datagrams.Read(b[:])
	if err != nil || string(b[:got]) != "to the flow" {
		t.Errorf("the flow got %q, %v", b[:got], err)
	}
	got, from, err := p.Datagrams().Receive(t.Context(), b[:])
	if err != nil || string(b[:got]) != "LPH to the port" || from.String() != stranger.LocalAddr().String() {
		t.Errorf("the port got %q from %v, %v", b[:got], from, err)
	}
	if _, err := OpenPort(n, p.Number(), true, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("a second program got the port while a flow shares it")
	}
}
