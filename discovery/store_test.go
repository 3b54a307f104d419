package discovery

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

var storeNow = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func TestBookRemembers(t *testing.T) {
	var b book
	for i := range maxRemembered + 5 {
		b.remember(storeNow.Add(time.Duration(i)*time.Second), card{ID: fmt.Sprint("id", i)}, netip.MustParseAddrPort("10.0.0.1:47820"))
	}
	if len(b.Peers) != maxRemembered || b.Peers[0].ID != "id36" || b.Peers[maxRemembered-1].ID != "id5" {
		t.Errorf("%d peers, from %s to %s", len(b.Peers), b.Peers[0].ID, b.Peers[len(b.Peers)-1].ID)
	}
	var changed []bool
	for _, addr := range []string{"10.0.0.1:1", "10.0.0.1:1", "10.0.0.2:1", "10.0.0.3:1", "10.0.0.4:1", "10.0.0.5:1"} {
		changed = append(changed, b.remember(storeNow.Add(time.Hour), card{ID: "x"}, netip.MustParseAddrPort(addr)))
	}
	if want := []bool{true, false, true, true, true, true}; !slices.Equal(changed, want) {
		t.Errorf("changed %v, want %v", changed, want)
	}
	if got := fmt.Sprint(b.Peers[0].Addrs); got != "[10.0.0.5:1 10.0.0.4:1 10.0.0.3:1 10.0.0.2:1]" {
		t.Errorf("addresses %s", got)
	}
}

func TestStoreRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "peers.json")
	var b book
	b.remember(storeNow, card{ID: "abc", Name: "Büro"}, netip.MustParseAddrPort("[fe80::1%eth0]:47820"))
	b.addTyped("192.168.1.20")
	if err := saveBook(path, b.clone()); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	got, setAside, err := loadBook(path, storeNow)
	if err != nil || setAside != "" || fmt.Sprint(got.Peers) != fmt.Sprint(b.Peers) || !slices.Equal(got.Typed, b.Typed) {
		t.Errorf("read back %+v, %q, %v", got, setAside, err)
	}
	later, _, err := loadBook(path, storeNow.Add(rememberFor))
	if err != nil || len(later.Peers) != 0 {
		t.Errorf("after 90 days: %+v, %v", later, err)
	}
	if left, _ := filepath.Glob(path + ".*"); len(left) != 0 {
		t.Errorf("files left behind: %v", left)
	}
}

func TestStoreSetsDamagedFileAside(t *testing.T) {
	for name, content := range map[string]string{
		"cut off":       `{"version":1,"peers":[{"id":"ab`,
		"other version": `{"version":99}`,
		"too large":     strings.Repeat(" ", maxStore+1),
	} {
		path := filepath.Join(t.TempDir(), "peers.json")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		b, setAside, err := loadBook(path, storeNow)
		if err != nil || len(b.Peers) != 0 {
			t.Errorf("%s: %+v, %v", name, b, err)
		}
		if kept, err := os.ReadFile(setAside); err != nil || string(kept) != content {
			t.Errorf("%s: the damaged file was not kept: %v", name, err)
		}
	}
}

func TestKeeperMergesWithOtherProgram(t *testing.T) {
	path := filepath.Join(t.TempDir(), "peers.json")
	known := func(id string) record {
		return record{ID: id, Addrs: []netip.AddrPort{netip.MustParseAddrPort("10.0.0.1:1")}, Seen: time.Now()}
	}
	theirs := book{Version: storeVersion, Peers: []record{known("theirs"), known("forgotten")}, Typed: []string{"a", "b"}}
	if err := saveBook(path, theirs); err != nil {
		t.Fatal(err)
	}
	k := newKeeper(path, discardLog())
	ours := book{Version: storeVersion, Peers: []record{known("ours")}, Typed: []string{"c"}}
	if !k.keep(kept{book: ours, forgotten: []string{"forgotten"}, untyped: []string{"b"}}) {
		t.Fatal("an idle keeper has no room")
	}
	k.close()
	got, _, err := loadBook(path, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, r := range got.Peers {
		ids = append(ids, r.ID)
	}
	slices.Sort(ids)
	if !slices.Equal(ids, []string{"ours", "theirs"}) || !slices.Equal(got.Typed, []string{"c", "a"}) {
		t.Errorf("peers %v, typed %v", ids, got.Typed)
	}
}

func FuzzDecodeBook(f *testing.F) {
	f.Add([]byte(`{"version":1,"peers":[{"id":"abc","name":"x","addrs":["10.0.0.1:1","[fe80::1%eth0]:2"],"seen":"2026-11-01T11:00:00Z"}],"typed":["a:1"]}`))
	f.Add([]byte(`{"version":1,"peers":[{"addrs":[""]}],"typed":[" "]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := decodeBook(b, storeNow)
		if err != nil {
			return
		}
		if len(got.Peers) > maxRemembered || len(got.Typed) > maxTyped {
			t.Fatalf("%d peers, %d typed", len(got.Peers), len(got.Typed))
		}
		for _, r := range got.Peers {
			if len(r.Addrs) == 0 || len(r.Addrs) > maxAddrs || !isToken(r.ID, maxID) {
				t.Fatalf("kept %+v", r)
			}
		}
	})
}
