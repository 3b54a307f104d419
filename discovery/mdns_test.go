package discovery

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
	"testing"

	"github.com/grandcat/zeroconf"
	"github.com/miekg/dns"
)

// answerPacket is what zeroconf answers for a card.
func answerPacket(t testing.TB, c card, addrs ...string) []byte {
	t.Helper()
	service := serviceType + "." + domain
	name := instanceName(c.ID, c.Instance) + "." + service
	header := func(name string, kind uint16) dns.RR_Header {
		return dns.RR_Header{Name: name, Rrtype: kind, Class: dns.ClassINET, Ttl: knownTTL}
	}
	m := dns.Msg{MsgHdr: dns.MsgHdr{Response: true}, Compress: true}
	m.Answer = []dns.RR{&dns.PTR{Hdr: header(service, dns.TypePTR), Ptr: name}}
	m.Extra = []dns.RR{
		&dns.SRV{Hdr: header(name, dns.TypeSRV), Port: c.Port, Target: "h.local."},
		&dns.TXT{Hdr: header(name, dns.TypeTXT), Txt: encodeTXT(c)},
	}
	for _, a := range addrs {
		m.Extra = append(m.Extra, &dns.A{Hdr: header("h.local.", dns.TypeA), A: net.ParseIP(a)})
	}
	b, err := m.Pack()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestReadAnswer(t *testing.T) {
	from := netip.MustParseAddr("10.0.0.2")
	got := readAnswer(answerPacket(t, sampleCard(), "172.17.0.1", "10.0.0.2"), from)
	if len(got) != 2 {
		t.Fatalf("%d sightings: %+v", len(got), got)
	}
	if s := got[0]; !s.source || fmt.Sprint(s.addrs) != "[10.0.0.2]" || s.card.Name != "Büro PC" || s.card.Port != DefaultPort || s.via != viaMDNS {
		t.Errorf("the source: %+v", s)
	}
	if s := got[1]; s.source || fmt.Sprint(s.addrs) != "[172.17.0.1 10.0.0.2]" {
		t.Errorf("the addresses: %+v", s)
	}
}

func TestQueryNamesKnownPeers(t *testing.T) {
	b, err := queryFor([]string{"lp-1", "lp-2"})
	if err != nil {
		t.Fatal(err)
	}
	var m dns.Msg
	if err := m.Unpack(b); err != nil {
		t.Fatal(err)
	}
	if len(m.Answer) != 2 || m.Answer[1].(*dns.PTR).Ptr != "lp-2._linkpace._tcp.local." || m.Question[0].Qclass&unicastWanted == 0 {
		t.Errorf("query %v", m.String())
	}
}

func TestFromEntry(t *testing.T) {
	entry := zeroconf.NewServiceEntry("x", serviceType, domain)
	entry.Port, entry.Text = 47821, encodeTXT(card{ID: "abc", Port: 47822})
	entry.AddrIPv4 = []net.IP{net.ParseIP("10.0.0.2"), nil}
	for range 100 {
		entry.AddrIPv6 = append(entry.AddrIPv6, net.ParseIP("fe80::1"))
	}
	s, ok := fromEntry(entry, false)
	if !ok || s.card.Port != 47821 || s.hello != 47822 || len(s.addrs) != maxEndpoints || s.addrs[0].String() != "10.0.0.2" {
		t.Errorf("got %+v, %v", s, ok)
	}
	for _, port := range []int{0, -1, 65536} {
		entry.Port = port
		if _, ok := fromEntry(entry, false); ok {
			t.Errorf("port %d accepted", port)
		}
	}
}

func TestLocalAddrs(t *testing.T) {
	m := dns.Msg{MsgHdr: dns.MsgHdr{Response: true}}
	for _, text := range []string{
		"laptop.local. 120 IN A 10.0.0.2", "Laptop.local. 120 IN AAAA fe80::2", "other.local. 120 IN A 10.0.0.3",
	} {
		record, err := dns.NewRR(text)
		if err != nil {
			t.Fatal(err)
		}
		m.Answer = append(m.Answer, record)
	}
	b, err := m.Pack()
	if err != nil {
		t.Fatal(err)
	}
	got := localAddrs(b, "LAPTOP.local", netip.MustParseAddr("fe80::2%eth0"))
	if fmt.Sprint(got) != "[10.0.0.2 fe80::2%eth0]" {
		t.Errorf("got %v", got)
	}
	if got := localAddrs(b, "laptop.local", netip.MustParseAddr("10.0.0.2")); fmt.Sprint(got) != "[10.0.0.2]" {
		t.Errorf("without a zone: %v", got)
	}
	if got := localAddrs(b[:20], "laptop.local", netip.Addr{}); got != nil {
		t.Errorf("a cut off answer gives %v", got)
	}
}

func FuzzReadAnswer(f *testing.F) {
	f.Add(answerPacket(f, sampleCard(), "10.0.0.2"))
	f.Add([]byte(strings.Repeat("\x00", 12)))
	from := netip.MustParseAddr("10.0.0.2")
	f.Fuzz(func(t *testing.T, b []byte) {
		if n := len(localAddrs(b, "h.local", from)); n > maxEndpoints {
			t.Fatalf("%d addresses", n)
		}
		list := readAnswer(b, from)
		if len(list) > 2*maxEndpoints+1 {
			t.Fatalf("%d sightings from %d bytes", len(list), len(b))
		}
		for _, s := range list {
			if s.card.validate() != nil || s.card.Port == 0 || len(s.addrs) > maxEndpoints {
				t.Fatalf("accepted %+v", s)
			}
		}
	})
}
