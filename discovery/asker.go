package discovery

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"

	"golang.org/x/net/ipv4"
	"golang.org/x/net/ipv6"
)

const (
	mdnsPort    = 5353
	mdnsHops    = 255 // RFC 6762 section 11
	maxMDNSSize = 9000
	readRetry   = 100 * time.Millisecond
)

// asker is a socket of one family for queries.
type asker struct {
	conn *net.UDPConn
	to   *net.UDPAddr
	out  func(*net.Interface) error // sets the adapter for what is sent next
}

// openAskers opens what this computer has of the two families.
func openAskers() ([]*asker, error) {
	a4, err4 := openAsker("udp4", net.IPv4(224, 0, 0, 251))
	a6, err6 := openAsker("udp6", net.ParseIP("ff02::fb"))
	var list []*asker
	for _, a := range []*asker{a4, a6} {
		if a != nil {
			list = append(list, a)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("open socket for multicast DNS queries: %w", errors.Join(err4, err6))
	}
	return list, nil
}

func openAsker(family string, group net.IP) (*asker, error) {
	conn, err := net.ListenUDP(family, nil)
	if err != nil {
		return nil, err
	}
	a := &asker{conn: conn, to: &net.UDPAddr{IP: group, Port: mdnsPort}}
	if family == "udp4" {
		p := ipv4.NewPacketConn(conn)
		a.out = p.SetMulticastInterface
		err = errors.Join(p.SetMulticastTTL(mdnsHops), p.SetMulticastLoopback(true))
	} else {
		p := ipv6.NewPacketConn(conn)
		a.out = p.SetMulticastInterface
		err = errors.Join(p.SetMulticastHopLimit(mdnsHops), p.SetMulticastLoopback(true))
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return a, nil
}

func closeAskers(askers []*asker) {
	for _, a := range askers {
		a.conn.Close()
	}
}

// ask sends the query out of each adapter. One that cannot send has no address
// of this family.
func (a *asker) ask(ifaces []net.Interface, query []byte) {
	for i := range ifaces {
		if a.out(&ifaces[i]) == nil {
			_, _ = a.conn.WriteToUDP(query, a.to)
		}
	}
}

// read passes on the answers until the socket is closed.
func (a *asker) read(take func(b []byte, from netip.Addr)) {
	b := make([]byte, maxMDNSSize)
	for {
		n, from, err := a.conn.ReadFromUDPAddrPort(b)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			// Windows reports an unreachable receiver here.
			time.Sleep(readRetry)
			continue
		}
		take(b[:n], from.Addr().Unmap())
	}
}
