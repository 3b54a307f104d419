package control_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"

	"linkpace/engine/control"
)

func TestFrameBytes(t *testing.T) {
	frame, err := control.AppendFrame(nil, control.KindPing, control.Ping{ID: 7})
	if err != nil {
		t.Fatal(err)
	}
	want := "0000001f" + hex.EncodeToString([]byte(`{"kind":"ping","body":{"id":7}}`))
	if got := hex.EncodeToString(frame); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	m, err := control.ReadFrame(bytes.NewReader(frame))
	if err != nil || m.Kind != control.KindPing {
		t.Fatalf("read back %v, %v", m, err)
	}
	var ping control.Ping
	if err := m.Into(&ping); err != nil || ping.ID != 7 {
		t.Errorf("body %+v, %v", ping, err)
	}
}

func TestBadFrames(t *testing.T) {
	for name, c := range map[string]struct {
		bytes string
		want  error
	}{
		"nothing":        {"", io.EOF},
		"half a length":  {"\x00\x00", io.ErrUnexpectedEOF},
		"empty":          {"\x00\x00\x00\x00", control.ErrFrameSize},
		"oversized":      {"\x00\x01\x00\x01", control.ErrFrameSize},
		"gigantic":       {"\xff\xff\xff\xff", control.ErrFrameSize},
		"cut":            {"\x00\x00\x00\x09{\"kind\"", io.ErrUnexpectedEOF},
		"not JSON":       {"\x00\x00\x00\x04GET ", nil},
		"kind is absent": {"\x00\x00\x00\x02{}", nil},
	} {
		m, err := control.ReadFrame(strings.NewReader(c.bytes))
		if err == nil {
			t.Errorf("%s: read %v", name, m)
		}
		if c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
}

func TestLargestFrame(t *testing.T) {
	// {"kind":"x","body":"..."} around the text
	const around = len(`{"kind":"x","body":""}`)
	fits := strings.Repeat("a", control.MaxFrame-around)
	frame, err := control.AppendFrame(nil, "x", fits)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := control.ReadFrame(bytes.NewReader(frame)); err != nil {
		t.Errorf("a frame of the largest size: %v", err)
	}
	if _, err := control.AppendFrame(nil, "x", fits+"a"); !errors.Is(err, control.ErrFrameSize) {
		t.Errorf("a frame one byte larger: %v", err)
	}
}

func FuzzReadFrame(f *testing.F) {
	frame, _ := control.AppendFrame(nil, control.KindHello, control.Hello{Version: 1})
	f.Add(frame)
	f.Add([]byte("\x00\x00\x00\x02{}"))
	f.Add([]byte("\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := control.ReadFrame(bytes.NewReader(b))
		if err != nil {
			return
		}
		if len(m.Body) > control.MaxFrame || m.Kind == "" {
			t.Errorf("accepted %d bytes of %q", len(m.Body), m.Kind)
		}
		for _, body := range []any{
			&control.Hello{}, &control.Propose{}, &control.Answer{}, &control.Begin{}, &control.Samples{},
			&control.Done{}, &control.Final{}, &control.Stop{}, &control.Pong{}, &control.Pending{},
		} {
			_ = m.Into(body) // must not panic
		}
	})
}
