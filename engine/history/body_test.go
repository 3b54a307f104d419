package history

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
)

func packed(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestDecodeRefuses(t *testing.T) {
	good, err := encode(sample("aaaa", noon))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		body []byte
		want string
	}{
		"nothing":      {nil, "damaged"},
		"cut off":      {good[:len(good)-9], "damaged"},
		"not a result": {packed(t, `[1]`), "damaged"},
		"no schema":    {packed(t, `{}`), "schema 0"},
		"newer schema": {packed(t, `{"schema":99}`), "newer version"},
		"too large":    {make([]byte, maxBody+1), "too large"},
	} {
		if r, err := decode(c.body); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, %v", name, r, err)
		}
	}
}

func TestReadWithin(t *testing.T) {
	if text, err := readWithin(strings.NewReader("12345"), 5); err != nil || string(text) != "12345" {
		t.Errorf("got %q, %v", text, err)
	}
	if text, err := readWithin(strings.NewReader("123456"), 5); err == nil {
		t.Errorf("got %q", text)
	}
}

func FuzzDecode(f *testing.F) {
	good, err := encode(sample("aaaa", noon))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add(packed(f, `{"schema":1,"id":"x","phases":[{"direction":"both","start_ns":-9223372036854775808,"duration_ns":9223372036854775807}],"samples":[{"phase":-1,"ping_ns":1,"host":{"cores":[1e308]}},{"at_ns":9223372036854775807,"host":{}}]}`))
	f.Add([]byte("\x1f\x8b"))
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := decode(body)
		if err != nil {
			return
		}
		if e := entryOf(r); e.ID != r.ID || e.Send < 0 || e.Receive < 0 || e.Both < 0 {
			t.Errorf("got %+v", e)
		}
	})
}

// FuzzDecodeText fuzzes below the compression, which random bytes rarely pass.
func FuzzDecodeText(f *testing.F) {
	f.Add(`{"schema":1,"id":"x","phases":[{"direction":"send","duration_ns":1000}],"samples":[{"side":"remote","dir":"send","flow":-1},{"at_ns":9,"side":"remote","dir":"send","flow":-1,"bytes":5,"tcp":{}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		if r, err := decode(packed(t, text)); err == nil && entryOf(r).ID != r.ID {
			t.Errorf("got %+v", r)
		}
	})
}
