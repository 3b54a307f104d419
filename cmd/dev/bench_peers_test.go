package main

import (
	"math"
	"strings"
	"testing"

	"linkpace/engine/units"
)

// The files are what the programs printed after transfers between two network
// namespaces; that of lpace has lost most of its samples.
func TestBenchReadsWhatTheProgramsReport(t *testing.T) {
	tcp := workload{mode: modeLink}
	for _, c := range []struct {
		file   string
		read   func([]byte) (reading, error)
		rate   units.BitRate
		bytes  units.Bytes
		loss   float64 // -1 is unknown
		window float64
	}{
		{"lpace.json", func(b []byte) (reading, error) { return readLpace(b, tcp) }, 58279062044, 3992977408, -1, 0.15409},
		{"iperf3-3.12.json", func(b []byte) (reading, error) { return readIperf3(b, false) }, 42388546823.6818, 5301207040, -1, 0.3089593},
		{"iperf3-3.21-udp.json", func(b []byte) (reading, error) { return readIperf3(b, true) }, 40125967674.77876, 5023314720, 0.00272951890612266, 0.3972691},
		{"ntttcp-1.4.3.xml", readNtttcp, 90113957593, 11271667712, -1, 0},
		{"ethr.txt", readEthr, 36.45e9, 9112500000, -1, 0},
	} {
		got, err := c.read(readFile(t, "testdata/bench", c.file))
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		loss := -1.0
		if got.loss != nil {
			loss = *got.loss
		}
		if !near(float64(got.rate), float64(c.rate)) || !near(float64(got.bytes), float64(c.bytes)) || !near(loss, c.loss) || !near(got.window, c.window) {
			t.Errorf("%s: %+v with loss %v, want %+v", c.file, got, loss, c)
		}
	}
}

// near allows for the digits that a program leaves out.
func near(got, want float64) bool { return math.Abs(got-want) <= 1e-6*math.Abs(want)+1e-6 }

func TestBenchReadsTheMethodOfLpace(t *testing.T) {
	got, err := readLpace(readFile(t, "testdata/bench", "lpace.json"), workload{mode: modeLink, backend: "epoll"})
	if err != nil || got.method != "vmsplice to discard" {
		t.Errorf("%q, %v", got.method, err)
	}
}

func TestBenchRefusesAMeasurementOfSomethingElse(t *testing.T) {
	text := readFile(t, "testdata/bench", "lpace.json")
	for want, w := range map[string]workload{
		"transport": {mode: modeLink, udp: true}, "mode": {mode: modeApp}, "backend": {mode: modeLink, backend: "portable"},
	} {
		if _, err := readLpace(text, w); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", w, err)
		}
	}
}

func TestBenchReportsWhatAProgramComplainsOf(t *testing.T) {
	for want, read := range map[string]func() (reading, error){
		"server is busy":   func() (reading, error) { return readIperf3([]byte(`{"error":"the server is busy"}`), false) },
		"nobody there":     func() (reading, error) { return readLpace([]byte(`{"problem":{"text":"nobody there"}}`), workload{}) },
		"0 summaries":      func() (reading, error) { return readLpace([]byte(`{}`), workload{}) },
		"result of lpace":  func() (reading, error) { return readLpace([]byte(`Usage:`), workload{}) },
		"result of iperf3": func() (reading, error) { return readIperf3(nil, false) },
		"result of ntttcp": func() (reading, error) { return readNtttcp([]byte("<a")) },
		"no throughput":    func() (reading, error) { return readNtttcp([]byte("<ntttcpr><realtime>1</realtime></ntttcpr>")) },
		"of ntttcp: strco": func() (reading, error) {
			return readNtttcp([]byte(`<ntttcpr><throughput metric="Bps">x</throughput></ntttcpr>`))
		},
		"reported nothing": func() (reading, error) { return readEthr([]byte("Error: connection refused")) },
	} {
		if _, err := read(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
}

func TestBenchReadsEthrWithOneStream(t *testing.T) {
	got, err := readEthr([]byte("[    5]     TCP      000-001 sec     900M\n[    5]     TCP      001-002 sec     1.1G\n"))
	if err != nil || got.rate != 1e9 || got.bytes != 250e6 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestBenchVersions(t *testing.T) {
	for said, want := range map[string]string{"iperf 3.21+ (cJSON 1.7.15)\nLinux": "3.21+", "": "of unknown version"} {
		if got := named(said, `iperf (\S+)`); got != want {
			t.Errorf("%q: %q", said, got)
		}
	}
	if got := numbers("3.21+"); len(got) != 2 || got[0] != 3 || got[1] != 21 {
		t.Errorf("%v", got)
	}
}

func TestBenchComparesLpaceAsBareAsItsPeersOnSlowLinks(t *testing.T) {
	all, err := chooseContests("shaped-1g")
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	for _, c := range all[0].who(field{lpace: "lpace"}) {
		if c.role == oursMain || strings.Contains(c.name, "--probe") {
			asked = append(asked, strings.Join(c.duel(all[0].work, place{}).sender.words, " "))
		}
	}
	if len(asked) != 2 {
		t.Fatalf("got %d rows, want the usual test and the bare one", len(asked))
	}
	const bare = "--probe 0 --idle 0"
	if strings.Contains(asked[0], bare) || !strings.Contains(asked[1], bare) || !strings.Contains(asked[1], "--interval 1s") {
		t.Errorf("got\n%s\n%s", asked[0], asked[1])
	}
}
