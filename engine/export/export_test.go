package export_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"linkpace/engine/export"
	"linkpace/engine/model"
)

var (
	write   = flag.Bool("write", false, "write the expected output anew")
	writeV2 = flag.Bool("write-v2", false, "write testdata/result-v2.json anew; once it was released it is never changed")
)

type form func(io.Writer, *model.Result) error

func render(t *testing.T, f form, r *model.Result) string {
	t.Helper()
	var out bytes.Buffer
	if err := f(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func golden(t *testing.T, name, got string, rewrite bool) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if rewrite {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs:\n%s", name, got)
	}
}

func TestForms(t *testing.T) {
	for name, f := range map[string]form{"output.json": export.JSON, "output.csv": export.CSV, "output.txt": export.Text} {
		golden(t, name, render(t, f, fixture()), *write)
	}
	golden(t, "output-udp.txt", render(t, export.Text, datagrams()), *write)
}

// A file of an earlier version must mean the same for ever.
func TestFilesOfEverySchema(t *testing.T) {
	if *writeV2 {
		golden(t, "result-v2.json", render(t, export.JSON, fixture()), true)
	}
	for name, want := range map[string]*model.Result{"result-v1.json": fixtureV1(), "result-v2.json": fixture()} {
		file, err := os.Open(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := export.Load(file)
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", name, got, want)
		}
	}
}

// Schema 1 had no kernel figures for all connections together.
func TestTextOfSchema1(t *testing.T) {
	golden(t, "output-v1.txt", render(t, export.Text, fixtureV1()), *write)
}

func TestJSONHasItsFieldsInOrder(t *testing.T) {
	text := render(t, export.JSON, &model.Result{Schema: 1, ID: "x", Notes: nil})
	if !strings.HasSuffix(text, "}\n") {
		t.Errorf("no line end: %q", text)
	}
	fields := json.NewDecoder(strings.NewReader(text))
	if _, err := fields.Token(); err != nil {
		t.Fatal(err)
	}
	var names []string
	for fields.More() {
		name, err := fields.Token()
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name.(string))
		var value json.RawMessage
		if err := fields.Decode(&value); err != nil || string(value) == "null" {
			t.Errorf("%v is %s (%v)", name, value, err)
		}
	}
	want := []string{"schema", "id", "started", "role", "protocol", "transport", "mode", "asked", "effective", "local", "remote",
		"phases", "samples", "summaries", "findings", "notes", "outcome"}
	if !slices.Equal(names, want) {
		t.Errorf("got  %v\nwant %v", names, want)
	}
}

func TestRoundTrip(t *testing.T) {
	first := render(t, export.JSON, fixture())
	r, err := export.Load(strings.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	if second := render(t, export.JSON, r); second != first {
		t.Errorf("got %s", second)
	}
}

func TestLoadRefuses(t *testing.T) {
	good := render(t, export.JSON, fixture())
	swap := func(old, replacement string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("the fixture has no %s", old)
		}
		return strings.Replace(good, old, replacement, 1)
	}
	// Phases stand in what was asked and granted, too; those that are judged by
	// come last.
	swapLast := func(old, replacement string) string {
		at := strings.LastIndex(good, old)
		if at < 0 {
			t.Fatalf("the fixture has no %s", old)
		}
		return good[:at] + replacement + good[at+len(old):]
	}
	for name, c := range map[string]struct{ text, want string }{
		"nothing":          {"", "no result of Linkpace"},
		"not JSON":         {"Result: 941", "no result of Linkpace"},
		"something else":   {`{"speed":1}`, "no schema"},
		"newer":            {swap(`"schema": 2`, `"schema": 3`), "use a newer version"},
		"newer and other":  {`{"schema": 7, "samples": "packed"}`, "use a newer version"},
		"cut off":          {good[:len(good)/2], "no result"},
		"more at the end":  {good + "{}", "more after the end"},
		"no id":            {swap(`"id": "3f9a2c417be05d68"`, `"id": ""`), "id is"},
		"id with a path":   {swap(`3f9a2c417be05d68`, `../../etc`), "id is"},
		"role":             {swap(`"role": "initiator"`, `"role": "boss"`), `role is "boss"`},
		"outcome":          {swap(`"outcome": "partial"`, `"outcome": ""`), "outcome is"},
		"negative bytes":   {swap(`"bytes": 23525000`, `"bytes": -1`), "bytes is -1"},
		"direction":        {swap(`"dir": "send"`, `"dir": "up"`), `dir is "up"`},
		"side":             {swap(`"side": "local"`, `"side": "left"`), `side is "left"`},
		"time":             {swap(`"at_ns": 700000000`, `"at_ns": 9223372036854775807`), "time is"},
		"cool-down":        {swapLast(`"duration_ns": 1000000000`, `"duration_ns": 1000000000, "cooldown_ns": 900000000`), "cool-down 900ms"},
		"program's ping":   {swap(`"ping_program_ns": 5410000`, `"ping_program_ns": -1`), "ping is"},
		"jitter":           {swap(`"ping_program_ns": 5410000`, `"jitter_ns": -1`), "jitter is"},
		"number too large": {swap(`"at_ns": 700000000`, `"at_ns": 1e300`), "damaged"},
	} {
		r, err := export.Load(strings.NewReader(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %+v, %v; want %q", name, r, err, c.want)
		}
	}
}

func TestLoadRefusesTooManyPhases(t *testing.T) {
	r := fixture()
	for len(r.Phases) <= model.MaxPhases {
		r.Phases = append(r.Phases, model.Phase{Direction: model.Idle})
	}
	if _, err := export.Load(strings.NewReader(render(t, export.JSON, r))); err == nil || !strings.Contains(err.Error(), "9 phases") {
		t.Errorf("got %v", err)
	}
}

func TestCSVReadsBack(t *testing.T) {
	r := fixture()
	r.Samples[0].Side = "=2+3\n\"x\","
	text := render(t, export.CSV, r)
	if strings.Count(text, "\r\n") < len(r.Samples) {
		t.Error("lines do not end as RFC 4180 has it")
	}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) != len(r.Samples)+1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if got := rows[1][3]; got != "'=2+3\n\"x\"," {
		t.Errorf("a formula came through: %q", got)
	}
	head := rows[0]
	if first := rows[1]; first[slices.Index(head, "ping_ns")] != "410000" || first[slices.Index(head, "bytes")] != "" || first[slices.Index(head, "flow")] != "-1" {
		t.Errorf("got %v", first)
	}
}

func TestTextIsSafeAndNarrow(t *testing.T) {
	r := fixture()
	r.Local.Name = strings.Repeat("very long name ", 5)
	r.Remote.Name = "evil\x1b[2J\r\nname\u202e"
	r.Notes[0].Text = strings.Repeat("x", 250) + " " + strings.Repeat("word ", 60)
	r.Problem.Text = "bad\x07 thing"
	text := render(t, export.Text, r)
	for _, c := range text {
		if c < ' ' && c != '\n' || c == '\u202e' || c == 0x7f {
			t.Errorf("control character %q came through", c)
		}
	}
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 100 {
			t.Errorf("%d characters: %s", n, line)
		}
		if strings.TrimRight(line, " \n") != strings.TrimSuffix(line, "\n") {
			t.Errorf("spaces at the end: %q", line)
		}
	}
}

func TestTextOfNothing(t *testing.T) {
	text := render(t, export.Text, &model.Result{Outcome: model.Failed, Problem: &model.Problem{Text: "Nobody answers at 10.0.0.9."}})
	for _, want := range []string{"The test with the other computer failed. (certain)", "Nobody answers at 10.0.0.9."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestWriteErrorsAreTold(t *testing.T) {
	for name, f := range map[string]form{"json": export.JSON, "csv": export.CSV, "text": export.Text} {
		if err := f(brokenPipe{}, fixture()); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func FuzzLoad(f *testing.F) {
	var good bytes.Buffer
	small := fixture()
	small.Samples = small.Samples[:12]
	if err := export.JSON(&good, small); err != nil {
		f.Fatal(err)
	}
	f.Add(good.Bytes())
	f.Add([]byte(`{"schema":1,"id":"x","role":"responder","protocol":"iperf3","transport":"udp","mode":"app","outcome":"failed","phases":[{"direction":"both","duration_ns":9}],"samples":[{"side":"local","phase":-7,"flow":99,"host":{"cores":[1e308,-1e308],"own":1e308}}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := export.Load(bytes.NewReader(text))
		if err != nil {
			return
		}
		first := render(t, export.JSON, r)
		again, err := export.Load(strings.NewReader(first))
		if err != nil {
			t.Fatalf("own output is refused: %v", err)
		}
		if second := render(t, export.JSON, again); second != first {
			t.Errorf("got %s\nwant %s", second, first)
		}
		render(t, export.CSV, r)
		render(t, export.Text, r)
	})
}
