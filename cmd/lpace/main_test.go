package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"linkpace/engine/export"
	"linkpace/engine/model"
)

// lpace runs a command line in this process, with everything kept in home.
func lpace(t *testing.T, home string, args ...string) (out, errOut string, code int) {
	t.Helper()
	t.Setenv("LINKPACE_HOME", home)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var stdout, stderr bytes.Buffer
	code = run(ctx, args, &stdout, &stderr)
	return stdout.String(), stderr.String(), code
}

func TestBadInput(t *testing.T) {
	for line, code := range map[string]int{
		"frob": exitUsage, "test": exitUsage, "test self extra": exitUsage, "test self --frob": exitUsage,
		"test self --time 0": exitUsage, "test self --time -1s": exitUsage, "test self --time 1e9h": exitUsage,
		"test self --streams 0": exitUsage, "test self --streams 100000": exitUsage, "test self --streams x": exitUsage,
		"test self --rate fast": exitUsage, "test self --block 99G": exitUsage, "test self --direction up": exitUsage,
		"test self --interval 0": exitUsage, "test self --mode fast": exitUsage, "test self --bind nowhere0": exitUsage,
		"test self --time 1s --warmup 2s": exitUsage, "test 127.0.0.1:0": exitUsage, "test 127.0.0.1:70000": exitUsage,
		"test iperf3://nas": exitUsage, "test 127.0.0.1:1": exitUnreachable, "test fe80::1%nowhere0": exitUnreachable,
		"test self -4 -6": exitUsage, "test self -6": exitUsage, "test self --udp --verify": exitUsage, "test self --udp --mss 1400": exitUsage,
		"test self --plain-datagrams": exitUsage, "test self --udp --block 31": exitUsage, "test self --endless --time 3s": exitUsage,
		"test self --cpu 0-4000000000": exitUsage, "test self --dscp 64": exitUsage, "test self --congestion ../x": exitUsage,
		"test self --buffer 2G": exitUsage, "test self --cooldown 4s": exitUsage, "test self --endless --interval 100ms": exitUsage,
		"test self --csv /nonexistent/x.csv": exitFailed, "serve --port 0": exitUsage, "serve --port 70000": exitUsage, "serve --allow all": exitUsage,
		"peers --wait 0": exitUsage, "peers forget nobody": exitUnreachable, "history show 3fa9": exitFailed, "history show": exitUsage,
		"history export 3fa9 --format xml": exitUsage, "history frob": exitUsage,
	} {
		out, errOut, got := lpace(t, t.TempDir(), strings.Fields(line)...)
		if got != code {
			t.Errorf("lpace %s: exit code %d, want %d\n%s", line, got, code, errOut)
		}
		first, _, _ := strings.Cut(errOut, "\n")
		if out != "" || len(first) < 20 || len(first) > 400 || strings.Contains(errOut, "goroutine") || strings.Contains(errOut, "panic") {
			t.Errorf("lpace %s said %q and %q, want one sentence on standard error", line, out, errOut)
		}
	}
}

func TestBadValuesNameFlagAndValue(t *testing.T) {
	for _, line := range []string{"--streams 0", "--time 1e9h", "--rate fast", "--block x", "--direction up", "--bytes 0",
		"--cpu 9999", "--dscp AF44", "--congestion a/b", "--send-buffer 2G", "--mss 87", "--threads 257", "--outstanding 65", "--backend native", "--syscalls raw", "--cooldown x"} {
		words := strings.Fields(line)
		_, errOut, _ := lpace(t, t.TempDir(), "test", "self", words[0], words[1])
		if !strings.Contains(errOut, words[0]) || !strings.Contains(errOut, words[1]) || !strings.Contains(errOut, "use ") {
			t.Errorf("%s: %q names not all of flag, value and what is accepted", line, errOut)
		}
	}
}

func TestSelfAsJSON(t *testing.T) {
	home := t.TempDir()
	csv, picture := filepath.Join(home, "x.csv"), filepath.Join(home, "x.png")
	out, errOut, code := lpace(t, home, "test", "self", "--time", "300ms", "--streams", "2", "--json", "--csv", csv, "--save-picture", picture)
	if code != exitDone {
		t.Fatalf("exit code %d\n%s", code, errOut)
	}
	r, err := export.Load(strings.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome != model.Completed || !r.SameMachine || r.Effective.Streams != 2 || len(r.Summaries()) != 4 {
		t.Errorf("%s, same machine %v, %d streams, %d summaries", r.Outcome, r.SameMachine, r.Effective.Streams, len(r.Summaries()))
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal([]byte(out), &raw); err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"schema", "id", "started", "role", "protocol", "transport", "mode", "asked", "effective", "local", "remote", "phases", "samples", "summaries", "findings", "notes", "outcome"} {
		if raw[field] == nil {
			t.Errorf("the JSON has no %q", field)
		}
	}
	if strings.ContainsAny(out+errOut, "\x1b\r") {
		t.Error("control characters without a terminal")
	}
	for _, path := range []string{csv, picture} {
		if info, err := os.Stat(path); err != nil || info.Size() < 500 {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}

	list, _, _ := lpace(t, home, "history", "list", "--json")
	if !strings.Contains(list, r.ID) {
		t.Errorf("not in the history: %s", list)
	}
	for format, want := range map[string]string{"json": `"id": "` + r.ID, "csv": "at_ns", "text": "talking to itself"} {
		if out, _, code := lpace(t, home, "history", "export", r.ID[:6], "--format", format); code != exitDone || !strings.Contains(out, want) {
			t.Errorf("export as %s: exit code %d, %.200q", format, code, out)
		}
	}
	if _, _, code := lpace(t, home, "history", "delete", r.ID); code != exitDone {
		t.Errorf("delete: exit code %d", code)
	}
	if list, _, _ := lpace(t, home, "history", "list", "--json"); strings.TrimSpace(list) != "[]" {
		t.Errorf("after deleting: %s", list)
	}
}

func TestUnreachableAsJSON(t *testing.T) {
	for peer, want := range map[string]model.Code{"127.0.0.1:1": model.CodeUnreachable, "127.0.0.1:0": model.CodeBadInput} {
		out, _, code := lpace(t, t.TempDir(), "test", peer, "--json")
		r, err := export.Load(strings.NewReader(out))
		if err != nil || code == exitDone || r.Problem == nil || r.Problem.Code != want || r.Outcome != model.Failed {
			t.Errorf("%s: exit code %d, %v, %.300q", peer, code, err, out)
		}
	}
}

func TestAnotherProgramAnswers(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.Read(make([]byte, 100))
			c.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n"))
			c.Close()
		}
	}()
	_, errOut, code := lpace(t, t.TempDir(), "test", l.Addr().String())
	if code != exitUnreachable || !strings.Contains(errOut, "not Linkpace") {
		t.Errorf("exit code %d, %q", code, errOut)
	}
}

func TestDamagedFiles(t *testing.T) {
	for name, content := range map[string]string{"settings.json": "{", "pins.json": "{", "identity.pem": "x"} {
		home := t.TempDir()
		path := filepath.Join(home, "config", name)
		os.MkdirAll(filepath.Dir(path), 0o700)
		os.WriteFile(path, []byte(content), 0o600)
		_, errOut, code := lpace(t, home, "history", "list")
		if code != exitFailed || !strings.Contains(errOut, name) {
			t.Errorf("%s: exit code %d, %q", name, code, errOut)
		}
		if kept, _ := os.ReadFile(path); string(kept) != content {
			t.Errorf("%s was changed", name)
		}
	}
}

func TestHomeThatIsNoFolder(t *testing.T) {
	home := filepath.Join(t.TempDir(), "file")
	os.WriteFile(home, nil, 0o600) // a file where the folder should be stops root, too
	_, errOut, code := lpace(t, home, "test", "self", "--time", "200ms")
	if code != exitFailed || !strings.Contains(errOut, home) {
		t.Errorf("exit code %d, %q", code, errOut)
	}
}

func TestHistoryThatCannotBeWrittenCostsNoResult(t *testing.T) {
	home := t.TempDir()
	os.MkdirAll(filepath.Join(home, "data", "history.db"), 0o700) // a folder where the file should be
	out, errOut, code := lpace(t, home, "test", "self", "--time", "200ms", "--direction", "send")
	if code != exitDone || !strings.Contains(out, "sending") || !strings.Contains(errOut, "history") {
		t.Errorf("exit code %d, %q, %q", code, out, errOut)
	}
}

func TestServeOnce(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_, port, _ := net.SplitHostPort(address)
	l.Close()
	homeA, homeB := t.TempDir(), t.TempDir()
	t.Setenv("LINKPACE_HOME", homeA)
	ended := make(chan int, 1)
	var stdout, stderr bytes.Buffer
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	started := make(chan struct{})
	go func() {
		ended <- run(ctx, []string{"serve", "--once", "--port", port, "--name", "NAS"}, &signalWriter{w: &stdout, first: started}, &stderr)
	}()
	<-started
	_, errOut, code := lpace(t, homeB, "test", address, "--time", "200ms", "--json")
	if code != exitDone {
		t.Errorf("test: exit code %d\n%s", code, errOut)
	}
	if code := <-ended; code != exitDone || !strings.Contains(stdout.String(), "tests with this computer") {
		t.Errorf("serve: exit code %d, %q %q", code, stdout.String(), stderr.String())
	}
}

// signalWriter tells of the first write.
type signalWriter struct {
	w     *bytes.Buffer
	first chan struct{}
	done  bool
}

func (s *signalWriter) Write(b []byte) (int, error) {
	if !s.done {
		s.done = true
		close(s.first)
	}
	return s.w.Write(b)
}

func TestEveryCommandHasHelpWithExamples(t *testing.T) {
	a := &app{}
	root := a.command()
	for _, path := range []string{"serve", "peers", "peers forget", "test", "history", "history list", "history show", "history compare", "history export", "history delete", "version"} {
		cmd, _, err := root.Find(strings.Fields(path))
		if err != nil || cmd.Short == "" || !strings.Contains(cmd.Example, "lpace "+strings.Fields(path)[0]) {
			t.Errorf("%s: %v, help %q, example %q", path, err, cmd.Short, cmd.Example)
		}
	}
	out, _, code := lpace(t, t.TempDir(), "completion", "bash")
	if code != exitDone || !strings.Contains(out, "lpace") {
		t.Errorf("completion: exit code %d", code)
	}
	if out, _, _ := lpace(t, t.TempDir(), "version"); !strings.HasPrefix(out, "lpace ") {
		t.Errorf("version said %q", out)
	}
}
