package discovery

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/miekg/dns"
)

const (
	// unicastWanted asks for the answer to be sent to the asker alone (RFC 6762
	// section 5.4), which also passes where multicast is filtered on the way in.
	unicastWanted = 1 << 15
	// knownTTL is the time to live that zeroconf gives its records; a known
	// answer with at least half of it is not sent again.
	knownTTL  = 3200
	lastPause = 30 * time.Second
	maxKnown  = 20 // known answers in one query
)

// pauses are the times between queries, after which lastPause repeats.
func pauses() []time.Duration {
	return []time.Duration{500 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 7 * time.Second, 15 * time.Second}
}

// assistant is the backend that adds to zeroconf what it cannot do: queries out
// of each adapter on every system, more often than a browse cycle starts, and
// the address that an answer came from.
func assistant(quiet func() bool, known func() []string) backend {
	return backend{
		name:     "assist",
		searches: true,
		trouble:  "This computer's own search on the network could not be started; others may take longer to appear.",
		run: func(ctx context.Context, n *network, found func(sighting)) error {
			return assist(ctx, n, quiet, known, found)
		},
	}
}

func assist(ctx context.Context, n *network, quiet func() bool, known func() []string, found func(sighting)) error {
	ifaces := n.searched()
	if len(ifaces) == 0 {
		<-ctx.Done()
		return nil
	}
	askers, err := openAskers()
	if err != nil {
		return err
	}
	var reading sync.WaitGroup
	for _, a := range askers {
		reading.Go(func() {
			a.read(func(b []byte, from netip.Addr) {
				for _, s := range readAnswer(b, from) {
					found(s)
				}
			})
		})
	}
	defer reading.Wait()
	defer closeAskers(askers)
	for turn := 0; ; turn++ {
		if !waitLoud(ctx, quiet) {
			return nil
		}
		query, err := queryFor(known())
		if err != nil {
			return err
		}
		for _, a := range askers {
			a.ask(ifaces, query)
		}
		pause := lastPause
		if all := pauses(); turn < len(all) {
			pause = all[turn]
		}
		if sleep(ctx, pause) != nil {
			return nil
		}
	}
}

// queryFor gives the packet that asks for all instances but the known ones.
func queryFor(known []string) ([]byte, error) {
	name := serviceType + "." + domain
	m := &dns.Msg{Question: []dns.Question{{Name: name, Qtype: dns.TypePTR, Qclass: dns.ClassINET | unicastWanted}}}
	for _, instance := range known[:min(len(known), maxKnown)] {
		m.Answer = append(m.Answer, &dns.PTR{
			Hdr: dns.RR_Header{Name: name, Rrtype: dns.TypePTR, Class: dns.ClassINET, Ttl: knownTTL},
			Ptr: instance + "." + name,
		})
	}
	b, err := m.Pack()
	if err != nil {
		return nil, fmt.Errorf("write multicast DNS query: %w", err)
	}
	return b, nil
}

// readAnswer gives the peers that a multicast DNS answer names, each with the
// address that it came from and with those it contains.
func readAnswer(b []byte, from netip.Addr) []sighting {
	var m dns.Msg
	if m.Unpack(b) != nil || !m.Response {
		return nil
	}
	records := append(append(m.Answer, m.Ns...), m.Extra...)
	var list []sighting
	for _, record := range records {
		srv, ok := record.(*dns.SRV)
		if !ok || srv.Hdr.Ttl == 0 || !strings.HasSuffix(srv.Hdr.Name, "."+serviceType+"."+domain) || len(list) >= 2*maxEndpoints {
			continue
		}
		c, hello, ok := decodeTXT(txtOf(records, srv.Hdr.Name))
		if !ok || srv.Port == 0 {
			continue
		}
		c.Port = srv.Port
		s := sighting{card: c, via: viaMDNS, hello: hello, loopback: from.IsLoopback()}
		source := s
		source.source, source.addrs = true, []netip.Addr{from}
		s.addrs = addrsOf(records, srv.Target)
		list = append(list, source, s)
	}
	return list
}

func txtOf(records []dns.RR, name string) []string {
	for _, record := range records {
		if txt, ok := record.(*dns.TXT); ok && txt.Hdr.Name == name {
			return txt.Txt
		}
	}
	return nil
}

func addrsOf(records []dns.RR, host string) []netip.Addr {
	var list []netip.Addr
	for _, record := range records {
		var ip net.IP
		switch r := record.(type) {
		case *dns.A:
			ip = r.A
		case *dns.AAAA:
			ip = r.AAAA
		}
		addr, ok := netip.AddrFromSlice(ip)
		if ok && strings.EqualFold(record.Header().Name, host) && len(list) < maxEndpoints {
			list = append(list, addr.Unmap())
		}
	}
	return list
}
