package discovery

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"linkpace/engine/model"
)

func TestParseAddress(t *testing.T) {
	for _, c := range []struct {
		text, host string
		port       uint16
	}{
		{"laptop", "laptop", DefaultPort},
		{"  laptop.local ", "laptop.local", DefaultPort},
		{"laptop:5000", "laptop", 5000},
		{"192.168.1.20", "192.168.1.20", DefaultPort},
		{"192.168.1.20:65535", "192.168.1.20", 65535},
		{"fe80::1%eth0", "fe80::1%eth0", DefaultPort},
		{"[fe80::1%eth0]:47821", "fe80::1%eth0", 47821},
		{"[2001:db8::1]", "2001:db8::1", DefaultPort},
		{"2001:db8::1", "2001:db8::1", DefaultPort},
		{"::1", "::1", DefaultPort},
		{"büro", "büro", DefaultPort},
	} {
		host, port, err := ParseAddress(c.text)
		if err != nil || host != c.host || port != c.port {
			t.Errorf("%q: %q %d %v, want %q %d", c.text, host, port, err, c.host, c.port)
		}
	}
}

func TestParseAddressRefuses(t *testing.T) {
	for text, names := range map[string]string{
		"":                       "empty",
		"   ":                    "empty",
		"my laptop":              "my laptop",
		"laptop:0":               `"0"`,
		"laptop:70000":           `"70000"`,
		"laptop:":                "1 to 65535",
		"laptop:-1":              `"-1"`,
		"laptop:http":            `"http"`,
		":47820":                 "names no computer",
		"[fe80::1":               "brackets",
		"[fe80::1]47820":         "brackets",
		"[192.168.1.1]:47820":    "no IPv6 address",
		"[]:47820":               "no IPv6 address",
		"[fe80::1]:":             "1 to 65535",
		"fe80::zz":               "no IPv6 address",
		"1.2.3":                  "four numbers",
		"256.1.1.1":              "four numbers",
		"http://laptop":          "http://laptop",
		"laptop\x1b[31m":         `\x1b`,
		"a..b":                   "neither",
		"[fe80::1%eth0]:70000":   `"70000"`,
		strings.Repeat("a", 254): "neither",
		strings.Repeat("a", 999): "too long",
	} {
		host, port, err := ParseAddress(text)
		switch {
		case err == nil:
			t.Errorf("%q accepted as %q %d", text, host, port)
		case !strings.Contains(err.Error(), names):
			t.Errorf("%q: the error %q does not name %q", text, err, names)
		}
	}
}

func TestResolve(t *testing.T) {
	p, err := Resolve(t.Context(), "192.168.1.20")
	if err != nil {
		t.Fatal(err)
	}
	want := netip.MustParseAddrPort("192.168.1.20:47820")
	if len(p.Addrs) != 1 || p.Addrs[0] != want || p.Via != viaTyped || p.Name != "192.168.1.20" || p.Verified {
		t.Errorf("got %+v", p)
	}
	for text, code := range map[string]model.Code{
		"laptop:0":             model.CodeBadInput,
		"nobody.invalid":       model.CodeNotFound,
		"nobody.invalid:47821": model.CodeNotFound,
	} {
		_, err := Resolve(t.Context(), text)
		var problem *model.Problem
		if !errors.As(err, &problem) || problem.Code != code || !strings.HasSuffix(problem.Text, ".") {
			t.Errorf("%q: %v, want a problem with the code %s", text, err, code)
		}
	}
}

func FuzzParseAddress(f *testing.F) {
	for _, text := range []string{"laptop", "[fe80::1%eth0]:1", "1.2.3.4:5", "::", "[", "a:b:c", "%"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		host, port, err := ParseAddress(text)
		if err != nil {
			if len(err.Error()) > 600 {
				t.Fatalf("the sentence has %d bytes", len(err.Error()))
			}
			return
		}
		if host == "" || port == 0 {
			t.Fatalf("%q gives %q %d", text, host, port)
		}
		again, samePort, err := ParseAddress(typedText(host, port))
		if err != nil || again != host || samePort != port {
			t.Fatalf("%q gives %q %d, and that %q %d %v", text, host, port, again, samePort, err)
		}
	})
}
