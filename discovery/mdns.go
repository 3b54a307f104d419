package discovery

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"time"

	"github.com/grandcat/zeroconf"
)

const (
	firstCycle   = 2 * time.Second
	longestCycle = time.Minute
	quietPoll    = time.Second
	// settle is how long a fresh zeroconf server is kept at least: it starts its
	// receivers on its own and must not be shut down before they run.
	settle = 100 * time.Millisecond
)

// announcer is the backend that answers multicast DNS queries for this program
// and says goodbye at the end.
func announcer(own card) backend {
	return backend{
		name:    "announce",
		trouble: "Other computers may not see this one by themselves, because multicast DNS could not be started. Type this computer's address there.",
		run: func(ctx context.Context, n *network, _ func(sighting)) error {
			return announce(ctx, own, n)
		},
	}
}

// announce registers under an own host name: the computer's name belongs to the
// system's responder, whose address records our goodbye would delete.
func announce(ctx context.Context, own card, n *network) error {
	ifaces := n.searched()
	if len(ifaces) == 0 {
		<-ctx.Done()
		return nil
	}
	instance := instanceName(own.ID, own.Instance)
	server, err := zeroconf.RegisterProxy(instance, serviceType, domain, int(own.Port), instance+"."+domain, announced(n), encodeTXT(own), ifaces)
	if err != nil {
		return fmt.Errorf("announce by multicast DNS: %w", err)
	}
	started := time.Now()
	<-ctx.Done()
	time.Sleep(settle - time.Since(started))
	server.Shutdown()
	return nil
}

// announced are the addresses to announce. None means that zeroconf answers
// with those of the adapter that asked, as they are then. Windows does not tell
// which adapter that was, and on the loopback zeroconf finds none.
func announced(n *network) []string {
	if len(n.links) == 0 {
		return []string{"127.0.0.1"}
	}
	if runtime.GOOS == "linux" {
		return nil
	}
	var list []string
	for _, addr := range n.addresses() {
		list = append(list, addr.String())
	}
	return list
}

// browser is the backend that looks by zeroconf.
func browser(quiet func() bool) backend {
	return backend{
		name:     "browse",
		searches: true,
		trouble:  "Other computers cannot be found by themselves, because multicast DNS could not be started. Add them by address.",
		run: func(ctx context.Context, n *network, found func(sighting)) error {
			return browse(ctx, n, quiet, found)
		},
	}
}

// browse looks in cycles that get longer. zeroconf v1.0.0 stops asking at the
// first entry it sees and never tells of a change, so each cycle is a new
// resolver that asks afresh.
func browse(ctx context.Context, n *network, quiet func() bool, found func(sighting)) error {
	if len(n.searched()) == 0 {
		<-ctx.Done()
		return nil
	}
	for length := firstCycle; ctx.Err() == nil; length = min(2*length, longestCycle) {
		if !waitLoud(ctx, quiet) {
			return nil
		}
		if err := cycle(ctx, n, length, quiet, found); err != nil {
			return err
		}
	}
	return nil
}

// waitLoud waits for the end of a test; false when ctx ended.
func waitLoud(ctx context.Context, quiet func() bool) bool {
	for quiet() {
		if sleep(ctx, quietPoll) != nil {
			return false
		}
	}
	return ctx.Err() == nil
}

// cycle browses once for length, or until a test begins.
func cycle(ctx context.Context, n *network, length time.Duration, quiet func() bool, found func(sighting)) error {
	resolver, err := newResolver(n)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	entries := make(chan *zeroconf.ServiceEntry, 16)
	browseErr := resolver.Browse(ctx, serviceType, domain, entries)
	poll := time.NewTicker(quietPoll)
	defer poll.Stop()
	// The channel must be read until zeroconf closes it, or its goroutines and
	// sockets stay for ever.
	for {
		select {
		case entry, open := <-entries:
			if !open {
				return browseErr
			}
			if s, ok := fromEntry(entry, len(n.links) == 0); ok {
				found(s)
			}
		case <-poll.C:
			if quiet() {
				cancel()
			}
		}
	}
}

// newResolver uses both families, or the one that this computer has.
func newResolver(n *network) (*zeroconf.Resolver, error) {
	var errs []error
	for _, family := range []zeroconf.IPType{zeroconf.IPv4AndIPv6, zeroconf.IPv4, zeroconf.IPv6} {
		resolver, err := zeroconf.NewResolver(zeroconf.SelectIfaces(n.searched()), zeroconf.SelectIPTraffic(family))
		if err == nil {
			return resolver, nil
		}
		errs = append(errs, err)
	}
	return nil, fmt.Errorf("listen for multicast DNS: %w", errors.Join(errs...))
}

// fromEntry turns what zeroconf found into a sighting.
func fromEntry(entry *zeroconf.ServiceEntry, loopback bool) (sighting, bool) {
	if entry.Port < 1 || entry.Port > 65535 {
		return sighting{}, false
	}
	c, hello, ok := decodeTXT(entry.Text)
	if !ok {
		return sighting{}, false
	}
	c.Port = uint16(entry.Port)
	s := sighting{card: c, via: viaMDNS, hello: hello, loopback: loopback}
	for _, ip := range append(entry.AddrIPv4, entry.AddrIPv6...) {
		if addr, ok := netip.AddrFromSlice(ip); ok && len(s.addrs) < maxEndpoints {
			s.addrs = append(s.addrs, addr.Unmap())
		}
	}
	return s, len(s.addrs) > 0
}
