package main

import "testing"

func TestEndedBusy(t *testing.T) {
	const head = "fuzz: elapsed: 3s, execs: 8 (3/sec), new interesting: 0 (total: 6)\n--- FAIL: FuzzX (4.03s)\n"
	for name, c := range map[string]struct {
		output string
		want   bool
	}{
		"nothing found":     {head + "    context deadline exceeded\nFAIL\nexit status 1\n", true},
		"input found":       {head + "    context deadline exceeded\n    Failing input written to testdata/fuzz/FuzzX/1\nFAIL\n", false},
		"a finding":         {head + "    --- FAIL: FuzzX (0.00s)\n        x_test.go:9: wrong\n    Failing input written to testdata/fuzz/FuzzX/1\n", false},
		"a failing seed":    {head + "        x_test.go:9: context deadline exceeded while reading\nFAIL\n", false},
		"does not compile":  {"x.go:1: expected declaration\nFAIL\n", false},
		"ended as it ought": {"PASS\n", false},
	} {
		if got := endedBusy(c.output); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
