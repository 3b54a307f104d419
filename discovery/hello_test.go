package discovery

import (
	"encoding/hex"
	"strings"
	"testing"

	"linkpace/engine/model"
)

func sampleCard() card {
	return card{
		ID: "b5bb9d8014a0f9b1d61e21e796d78dcc", Instance: "w7f3", Name: "Büro PC", OS: "Debian GNU/Linux 12 (bookworm)", Version: "0.1.0", Port: DefaultPort,
		Adapter: model.Adapter{Name: "eth0", Kind: model.Ethernet, Link: 1e9, Duplex: "full", MTU: 1500},
	}
}

// Bytes on the wire are a contract with programs that are already out there:
// these goldens are added to, never changed.
func TestHelloGolden(t *testing.T) {
	reply := "4c504821" + "01" + "0102030405060708" + hex.EncodeToString([]byte(
		`{"id":"b5bb9d8014a0f9b1d61e21e796d78dcc","in":"w7f3","n":"Büro PC","os":"Debian GNU/Linux 12 (bookworm)","v":"0.1.0","p":47820,`+
			`"a":{"name":"eth0","kind":"ethernet","link_bps":1000000000,"duplex":"full","mtu":1500}}`))
	bye := "4c50482e" + "01" + "00000000000000ff" + hex.EncodeToString([]byte(`{"id":"b5bb","in":"w7f3"}`))
	for _, c := range []struct {
		name, golden string
		message      hello
	}{
		{"reply", reply, hello{helloReply, 0x0102030405060708, sampleCard()}},
		{"bye", bye, hello{helloBye, 0xff, card{ID: "b5bb", Instance: "w7f3"}}},
		{"request", strings.Replace(reply, "4c504821", "4c50483f", 1), hello{helloRequest, 0x0102030405060708, sampleCard()}},
	} {
		t.Run(c.name, func(t *testing.T) {
			golden := c.golden
			if c.message.kind == helloRequest {
				golden += strings.Repeat("00", helloSize-len(golden)/2)
			}
			b, err := c.message.encode()
			if err != nil {
				t.Fatal(err)
			}
			if got := hex.EncodeToString(b); got != golden {
				t.Errorf("got  %s\nwant %s", got, golden)
			}
			back, err := decodeHello(b)
			if err != nil || back != c.message {
				t.Errorf("read back %+v, %v", back, err)
			}
		})
	}
}

func TestHelloReplyIsNeverLargerThanRequest(t *testing.T) {
	long := sampleCard()
	long.ID, long.Instance = strings.Repeat("i", maxID), strings.Repeat("j", maxInstance)
	long.Name = strings.Repeat("\U0001F5A5", maxName)
	long.OS, long.Version = strings.Repeat("o", maxWord), strings.Repeat("v", maxWord)
	long.Adapter.Name = strings.Repeat("ü", maxWord)
	request, err := hello{helloRequest, 1, long}.encode()
	if err != nil {
		t.Fatal(err)
	}
	reply, err := hello{helloReply, 1, long}.encode()
	if err != nil {
		t.Fatal(err)
	}
	if len(reply) > len(request) || len(request) != helloSize {
		t.Errorf("reply of %d bytes to a request of %d", len(reply), len(request))
	}
	got, err := decodeHello(reply)
	if err != nil || got.card.ID != long.ID || !strings.HasPrefix(long.Name, got.card.Name) || got.card.Name == "" {
		t.Errorf("read back %+v, %v", got.card, err)
	}
}

func TestHelloRefuses(t *testing.T) {
	good, err := hello{helloReply, 7, sampleCard()}.encode()
	if err != nil {
		t.Fatal(err)
	}
	change := func(at int, to byte) []byte {
		b := append([]byte(nil), good...)
		b[at] = to
		return b
	}
	for name, b := range map[string][]byte{
		"empty":         nil,
		"other magic":   change(0, 'X'),
		"other kind":    change(3, 'x'),
		"other version": change(4, 9),
		"cut off":       good[:len(good)-1],
		"short request": change(3, '?'),
		"too long":      append(good, make([]byte, helloSize)...),
		"no ID":         append([]byte("LPH!\x01\x00\x00\x00\x00\x00\x00\x00\x00"), `{"n":"x"}`...),
		"bad ID":        append([]byte("LPH!\x01\x00\x00\x00\x00\x00\x00\x00\x00"), `{"id":"a/b"}`...),
	} {
		if h, err := decodeHello(b); err == nil {
			t.Errorf("%s: accepted as %+v", name, h)
		}
	}
}

func TestCardIsCleaned(t *testing.T) {
	c := sampleCard()
	c.Name = "  My\x1b[31m \u202ePC\u200b\t\nhere \xff" + strings.Repeat("x", 100)
	c.OS = "li nux\x00<b>"
	c.Adapter = model.Adapter{Name: "e\x07th0", Kind: "evil", Link: -1, Duplex: "odd", MTU: -5, WiFi: &model.WiFiFacts{SSID: "home"}}
	got, ok := c.cleaned()
	if !ok {
		t.Fatal("refused")
	}
	if want := "My[31m PC here " + strings.Repeat("x", maxName-15); got.Name != want {
		t.Errorf("name %q, want %q", got.Name, want)
	}
	if got.OS != "li nux<b>" {
		t.Errorf("system %q", got.OS)
	}
	if want := (model.Adapter{Name: "eth0"}); got.Adapter != want {
		t.Errorf("adapter %+v, want %+v", got.Adapter, want)
	}
}

func FuzzDecodeHello(f *testing.F) {
	for _, kind := range []helloKind{helloRequest, helloReply, helloBye} {
		b, err := hello{kind, 99, sampleCard()}.encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := decodeHello(b)
		if err != nil {
			return
		}
		out, err := h.encode()
		if err != nil {
			t.Fatalf("%+v was read but cannot be written: %v", h, err)
		}
		if len(out) > helloSize {
			t.Fatalf("%d bytes", len(out))
		}
		if again, ok := h.card.cleaned(); !ok || again != h.card {
			t.Fatalf("cleaning %+v again gives %+v", h.card, again)
		}
	})
}
