package main

import (
	"net/netip"
	"slices"
	"testing"

	"linkpace/engine/model"
)

func TestCPULists(t *testing.T) {
	for text, want := range map[string][2][]int{
		"0": {{0}, nil}, "0,2-3": {{0, 2, 3}, nil}, "0,2-3/1": {{0, 2, 3}, {1}}, "/0-1": {nil, {0, 1}}, "3,1,3,0-1": {{3, 1, 0}, nil},
		"4095": {{4095}, nil}, "0-255": {upTo(256), nil}, "1, 2": {{1, 2}, nil},
	} {
		var here, there []int
		v := cpusValue{&here, &there}
		if err := v.Set(text); err != nil || !slices.Equal(here, want[0]) || !slices.Equal(there, want[1]) {
			t.Errorf("%q: got %v and %v, %v", text, here, there, err)
		}
		again := cpusValue{new([]int), new([]int)}
		if err := again.Set(v.String()); err != nil || !slices.Equal(*again.here, here) || !slices.Equal(*again.there, there) {
			t.Errorf("%q is written as %q, which reads as %v and %v", text, v.String(), *again.here, *again.there)
		}
	}
	for _, text := range []string{"", "/", "0/", "x", "-1", "3-1", "0-", "4096", "0-256", "0-4000000000", "99999999999999999999", "0-255,300-400", "0,,1", "0/1/2", "1.5", "+1"} {
		var here, there []int
		if err := (cpusValue{&here, &there}).Set(text); err == nil || here != nil || there != nil {
			t.Errorf("%q: got %v and %v, %v", text, here, there, err)
		}
	}
}

func upTo(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}

func TestDSCPNames(t *testing.T) {
	for text, want := range map[string]int{
		"0": 0, "63": 63, "EF": 46, "ef": 46, "CS0": 0, "CS1": 8, "CS7": 56, "AF11": 10, "AF41": 34, "AF43": 38, "VA": 44, "LE": 1, "BE": 0, "DF": 0,
	} {
		got := -1
		if err := (dscpValue{&got}).Set(text); err != nil || got != want {
			t.Errorf("%q: got %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "64", "-1", "CS8", "CS", "AF", "AF01", "AF51", "AF14", "AF10", "AF111", "0x2e", "best"} {
		got := 7
		if err := (dscpValue{&got}).Set(text); err == nil || got != 7 {
			t.Errorf("%q: got %d, %v", text, got, err)
		}
	}
}

func TestOfFamily(t *testing.T) {
	four, six := netip.MustParseAddrPort("192.168.1.20:1"), netip.MustParseAddrPort("[fe80::1%eth0]:1")
	mapped := netip.MustParseAddrPort("[::ffff:10.0.0.1]:1")
	all := model.Peer{Name: "NAS", Addrs: []netip.AddrPort{six, four, mapped}}
	for family, want := range map[model.Family][]netip.AddrPort{"": all.Addrs, model.IPv4: {four, mapped}, model.IPv6: {six}} {
		if got, err := ofFamily(all, family); err != nil || !slices.Equal(got.Addrs, want) {
			t.Errorf("%s: got %v, %v", family, got.Addrs, err)
		}
	}
	if all.Addrs[1] != four {
		t.Error("the peer was changed")
	}
	if _, err := ofFamily(model.Peer{Name: "NAS", Addrs: []netip.AddrPort{four}}, model.IPv6); exitCode(err) != exitUsage {
		t.Errorf("got %v", err)
	}
}

func FuzzCPUs(f *testing.F) {
	for _, s := range []string{"0,2-3/1", "/0", "0-4000000000", "0-255,0-255", "-", ","} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		spec := model.DefaultSpec()
		v := cpusValue{&spec.CPUs, &spec.PeerCPUs}
		if v.Set(s) != nil {
			return
		}
		if err := spec.Validate(); err != nil || len(spec.CPUs)+len(spec.PeerCPUs) == 0 {
			t.Errorf("%q gave %v and %v: %v", s, spec.CPUs, spec.PeerCPUs, err)
		}
		if err := (cpusValue{new([]int), new([]int)}).Set(v.String()); err != nil {
			t.Errorf("%q is written as %q: %v", s, v.String(), err)
		}
	})
}

func FuzzDSCP(f *testing.F) {
	for _, s := range []string{"EF", "CS1", "AF41", "63", "64", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if n, ok := parseDSCP(s); ok && (n < 0 || n > model.MaxDSCP) {
			t.Errorf("%q gave %d", s, n)
		}
	})
}
