package stamp_test

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"testing"
	"time"

	"linkpace/engine/internal/stamp"
)

// plain hides what a socket can do beyond Packets.
type plain struct{ stamp.Packets }

func open(t *testing.T, at string) (*net.UDPConn, netip.AddrPort) {
	t.Helper()
	conn, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.MustParseAddrPort(at)))
	if err != nil {
		t.Skipf("no UDP at %s: %v", at, err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn, conn.LocalAddr().(*net.UDPAddr).AddrPort()
}

// exchange sends a datagram to a Reader and back.
func exchange(t *testing.T, conn *stamp.Conn, reader *stamp.Reader, back *net.UDPConn) (sent, there, came stamp.Moment) {
	t.Helper()
	sent, err := conn.Send([]byte("there"))
	if err != nil {
		t.Fatal(err)
	}
	var b [16]byte
	back.SetReadDeadline(time.Now().Add(time.Minute))
	n, from, there, err := reader.Read(b[:])
	if err != nil || string(b[:n]) != "there" {
		t.Fatalf("%q, %v", b[:n], err)
	}
	if _, err := back.WriteToUDPAddrPort([]byte("back"), from); err != nil {
		t.Fatal(err)
	}
	n, came, err = conn.Receive(b[:], time.Now().Add(time.Minute))
	if err != nil || string(b[:n]) != "back" {
		t.Fatalf("%q, %v", b[:n], err)
	}
	return sent, there, came
}

func TestExchange(t *testing.T) {
	for _, c := range []struct{ name, from, to, target string }{
		{"IPv4", "127.0.0.1:0", "127.0.0.1:0", ""},
		{"IPv6", "[::1]:0", "[::1]:0", ""},
		{"IPv4 by a socket of both", "[::]:0", "127.0.0.1:0", ""},
		{"to a socket of both", "127.0.0.1:0", "[::]:0", "127.0.0.1"},
	} {
		for _, way := range []string{"system", "plain"} {
			t.Run(c.name+" "+way, func(t *testing.T) {
				mine, _ := open(t, c.from)
				theirs, to := open(t, c.to)
				if c.target != "" {
					to = netip.AddrPortFrom(netip.MustParseAddr(c.target), to.Port())
				}
				conn, reader := stamp.Connect(mine, to), stamp.NewReader(theirs)
				if way == "plain" {
					conn, reader = stamp.Connect(plain{mine}, to), stamp.NewReader(plain{theirs})
				}
				reader.Stamp(true)
				for range 5 {
					sent, there, came := exchange(t, conn, reader, theirs)
					if there.Program.Before(sent.Program) || came.Program.Before(there.Program) {
						t.Errorf("sent %v, there %v, back %v", sent, there, came)
					}
				}
			})
		}
	}
}

func TestReceiveGivesUp(t *testing.T) {
	for _, way := range []string{"system", "plain"} {
		t.Run(way, func(t *testing.T) {
			mine, _ := open(t, "127.0.0.1:0")
			_, to := open(t, "127.0.0.1:0")
			conn := stamp.Connect(mine, to)
			if way == "plain" {
				conn = stamp.Connect(plain{mine}, to)
			}
			var b [16]byte
			by := time.Now().Add(5 * time.Millisecond)
			if _, _, err := conn.Receive(b[:], by); !errors.Is(err, os.ErrDeadlineExceeded) || time.Now().Before(by) {
				t.Errorf("%v, %v early", err, time.Until(by))
			}
			mine.Close()
			if _, _, err := conn.Receive(b[:], time.Now().Add(time.Minute)); !errors.Is(err, net.ErrClosed) {
				t.Errorf("of a closed socket: %v", err)
			}
		})
	}
}

func TestReceiveLeavesOutStrangers(t *testing.T) {
	for _, way := range []string{"system", "plain"} {
		t.Run(way, func(t *testing.T) {
			mine, at := open(t, "127.0.0.1:0")
			peer, to := open(t, "127.0.0.1:0")
			stranger, _ := open(t, "127.0.0.1:0")
			conn := stamp.Connect(mine, to)
			if way == "plain" {
				conn = stamp.Connect(plain{mine}, to)
			}
			stranger.WriteToUDPAddrPort([]byte("stranger"), at)
			peer.WriteToUDPAddrPort([]byte("peer"), at)
			var b [16]byte
			if n, _, err := conn.Receive(b[:], time.Now().Add(time.Minute)); err != nil || string(b[:n]) != "peer" {
				t.Errorf("%q, %v", b[:n], err)
			}
		})
	}
}
