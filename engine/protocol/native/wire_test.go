package native

import (
	"bytes"
	"encoding/hex"
	"testing"
	"time"

	"linkpace/engine/model"
)

func secret() (s Secret) {
	for i := range s {
		s[i] = byte(i)
	}
	return s
}

func TestPreambleBytes(t *testing.T) {
	id := FlowID{Phase: 2, Way: model.Receive, Flow: 300}
	got := Preamble(secret().Token(id))
	const want = "4c504631" + "aca4123e153c5a6c16bd89bdbea4abdc"
	if hex.EncodeToString(got) != want {
		t.Errorf("got  %x\nwant %s", got, want)
	}
	back, err := ParsePreamble(got)
	if err != nil || !back.Equal(secret().Token(id)) {
		t.Errorf("read back %x, %v", back, err)
	}
}

func TestTokensDiffer(t *testing.T) {
	seen := map[Token]FlowID{secret().ProbeToken(): {}}
	for phase := range 3 {
		for _, way := range []model.Direction{model.Send, model.Receive} {
			for flow := range 300 {
				id := FlowID{phase, way, flow}
				token := secret().Token(id)
				if other, taken := seen[token]; taken {
					t.Fatalf("%v and %v have one token", id, other)
				}
				seen[token] = id
			}
		}
	}
}

func TestProbeBytes(t *testing.T) {
	p := Probe{Echo: true, Token: Token{0xaa, 15: 0xbb}, Sequence: 7, Sent: 258 * time.Nanosecond, Held: 65536 * time.Nanosecond}
	const want = "4c505021" + "aa0000000000000000000000000000bb" + "00000007" + "0000000000000102" + "00010000"
	got := p.Append(nil)
	if hex.EncodeToString(got) != want {
		t.Errorf("got  %x\nwant %s", got, want)
	}
	if back, err := ParseProbe(got); err != nil || back != p {
		t.Errorf("read back %+v, %v", back, err)
	}
}

func TestHeldIsBounded(t *testing.T) {
	for _, held := range []time.Duration{-5, time.Hour} {
		back, err := ParseProbe(Probe{Held: held}.Append(nil))
		if err != nil || back.Held < 0 || back.Held > time.Second {
			t.Errorf("%v became %v, %v", held, back.Held, err)
		}
	}
}

func FuzzParseProbe(f *testing.F) {
	f.Add(Probe{Sequence: 1}.Append(nil))
	f.Add([]byte("LPP?"))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := ParseProbe(b)
		if err != nil {
			return
		}
		if again, err := ParseProbe(p.Append(nil)); err != nil || again.Token != p.Token || again.Sequence != p.Sequence {
			t.Errorf("%x does not survive: %+v, %v", b, again, err)
		}
	})
}

func FuzzParsePreamble(f *testing.F) {
	f.Add(Preamble(Token{1}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if token, err := ParsePreamble(b); err == nil && !bytes.Equal(Preamble(token), b) {
			t.Errorf("%x does not survive", b)
		}
	})
}
