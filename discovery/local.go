package discovery

import (
	"context"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"github.com/miekg/dns"
)

const (
	localRetry = 500 * time.Millisecond
	// localMore is the time for the other family's answer after the first.
	localMore = 100 * time.Millisecond
)

// lookupLocal asks for a name of the domain "local" by multicast DNS until ctx
// ends.
func lookupLocal(ctx context.Context, host string) ([]netip.Addr, error) {
	links, err := systemLinks()
	if err != nil {
		return nil, err
	}
	query, err := localQuery(host)
	if err != nil {
		return nil, err
	}
	askers, err := openAskers()
	if err != nil {
		return nil, err
	}
	answers := make(chan []netip.Addr, 16)
	var reading sync.WaitGroup
	for _, a := range askers {
		reading.Go(func() {
			a.read(func(b []byte, from netip.Addr) {
				select {
				case answers <- localAddrs(b, host, from):
				default:
				}
			})
		})
	}
	defer reading.Wait()
	defer closeAskers(askers)
	n := newNetwork(links, nil)
	for {
		for _, a := range askers {
			a.ask(n.searched(), query)
		}
		if list := collect(ctx, answers); len(list) > 0 {
			return n.ordered(list), nil
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("look %q up by multicast DNS: %w", host, ctx.Err())
		}
	}
}

// collect waits for the first address and shortly for more.
func collect(ctx context.Context, answers <-chan []netip.Addr) (list []netip.Addr) {
	late := time.NewTimer(localRetry)
	defer late.Stop()
	for len(list) < maxEndpoints {
		select {
		case more := <-answers:
			if len(list) == 0 && len(more) > 0 {
				late.Reset(localMore)
			}
			list = append(list, more...)
		case <-late.C:
			return list
		case <-ctx.Done():
			return list
		}
	}
	return list
}

func localQuery(host string) ([]byte, error) {
	m := new(dns.Msg)
	for _, kind := range []uint16{dns.TypeA, dns.TypeAAAA} {
		m.Question = append(m.Question, dns.Question{Name: dns.Fqdn(host), Qtype: kind, Qclass: dns.ClassINET | unicastWanted})
	}
	b, err := m.Pack()
	if err != nil {
		return nil, fmt.Errorf("write multicast DNS query: %w", err)
	}
	return b, nil
}

// localAddrs reads the addresses of host from an answer. A link-local one is on
// the adapter that the answer came by, and of no use when that is not known.
func localAddrs(b []byte, host string, from netip.Addr) []netip.Addr {
	var m dns.Msg
	if m.Unpack(b) != nil || !m.Response {
		return nil
	}
	var list []netip.Addr
	for _, addr := range addrsOf(append(m.Answer, m.Extra...), dns.Fqdn(host)) {
		if addr.Is6() && addr.IsLinkLocalUnicast() {
			if from.Zone() == "" {
				continue
			}
			addr = addr.WithZone(from.Zone())
		}
		list = append(list, addr)
	}
	return list
}
