package discovery

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestTXTGolden(t *testing.T) {
	got := encodeTXT(sampleCard())
	want := []string{"id=b5bb9d8014a0f9b1d61e21e796d78dcc", "in=w7f3", "n=QsO8cm8gUEM", "p=47820", "os=RGViaWFuIEdOVS9MaW51eCAxMiAoYm9va3dvcm0p", "v=0.1.0"}
	if !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	c, hello, ok := decodeTXT(got)
	if !ok || hello != DefaultPort || c.Name != "Büro PC" || c.Instance != "w7f3" || c.OS != "Debian GNU/Linux 12 (bookworm)" || c.Version != "0.1.0" {
		t.Errorf("read back %+v, port %d, %v", c, hello, ok)
	}
}

func TestTXTFitsInOnePacket(t *testing.T) {
	c := sampleCard()
	c.ID, c.Instance = strings.Repeat("i", maxID), strings.Repeat("j", maxInstance)
	c.Name = strings.Repeat("語", maxName)
	c.OS, c.Version = strings.Repeat("語", maxOS), strings.Repeat("v", maxWord)
	size := 0
	for _, field := range encodeTXT(c) {
		size += 1 + len(field)
	}
	if size > maxTXT {
		t.Errorf("%d bytes, want at most %d", size, maxTXT)
	}
	got, _, ok := decodeTXT(encodeTXT(c))
	if !ok || got.Version != c.Version || got.Name != strings.Repeat("語", maxTXTName/3) {
		t.Errorf("read back %+v", got)
	}
}

func TestInstanceName(t *testing.T) {
	name := instanceName("some/strange ID", "a")
	if !regexp.MustCompile(`^lp-[0-9a-f]{16}-[0-9a-f]{8}$`).MatchString(name) {
		t.Errorf("name %q", name)
	}
	if name == instanceName("some/strange ID", "b") || name != instanceName("some/strange ID", "a") {
		t.Error("the name must differ between instances and be stable for one")
	}
}

func TestTXTWithoutIDIsNobody(t *testing.T) {
	for _, fields := range [][]string{nil, {"n=QsO8cm8gUEM"}, {"id="}, {"id=a b"}, {strings.Repeat("x", maxTXT), "id=abc"}} {
		if c, _, ok := decodeTXT(fields); ok {
			t.Errorf("%q accepted as %+v", fields, c)
		}
	}
}

func FuzzDecodeTXT(f *testing.F) {
	f.Add(strings.Join(encodeTXT(sampleCard()), "\n"))
	f.Add("id=a\nn=!!\np=99999\n=\nid")
	f.Fuzz(func(t *testing.T, text string) {
		c, _, ok := decodeTXT(strings.Split(text, "\n"))
		if !ok {
			return
		}
		c.Port = 1
		back, port, ok := decodeTXT(encodeTXT(c))
		if !ok || port != 1 || back.ID != c.ID || back.Instance != c.Instance || !strings.HasPrefix(c.Name, back.Name) {
			t.Fatalf("%+v comes back as %+v", c, back)
		}
	})
}
