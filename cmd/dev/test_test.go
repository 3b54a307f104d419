package main

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"io"
	"slices"
	"strings"
	"testing"
)

func TestSummaryCountsAndComesLast(t *testing.T) {
	var out bytes.Buffer
	err := summarise(&out, []result{
		{layer: "a", outcome: passed}, {layer: "b", outcome: failed, reason: "one\ntwo"}, {layer: "c", outcome: skipped, reason: "why"},
	})
	if !errors.Is(err, exitError(exitFailed)) {
		t.Errorf("the error is %v", err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if last := lines[len(lines)-1]; last != "1 passed, 1 failed, 1 skipped" {
		t.Errorf("the last line is %q", last)
	}
	if !strings.Contains(out.String(), "one two") {
		t.Errorf("a reason of two lines is not on the one line of its layer: %s", out.String())
	}
	if err := summarise(io.Discard, []result{{outcome: passed}, {outcome: skipped}}); err != nil {
		t.Errorf("without a failure the error is %v", err)
	}
}

func TestLayerThatCannotRun(t *testing.T) {
	l := layer{
		name: "x", cannot: func() string { return "no reason" },
		run: func(context.Context, *bench, io.Writer) error { return errors.New("it ran") },
	}
	b := &bench{}
	t.Setenv("CI", "")
	if r := b.runLayer(t.Context(), l, io.Discard); r.outcome != skipped || r.reason != "no reason" {
		t.Errorf("got %+v", r)
	}
	t.Setenv("CI", "true")
	if r := b.runLayer(t.Context(), l, io.Discard); r.outcome != failed || !strings.Contains(r.reason, "no reason") {
		t.Errorf("in CI got %+v", r)
	}
}

func TestFailedLayerShowsWhatItPrinted(t *testing.T) {
	l := layer{name: "x", run: func(_ context.Context, _ *bench, out io.Writer) error {
		_, err := io.WriteString(out, "the whole story")
		return errors.Join(err, errors.New("bad"))
	}}
	var out bytes.Buffer
	b := &bench{house: house{out: &out}}
	if r := b.report(t.Context(), l, false); r.outcome != failed || !strings.Contains(out.String(), "the whole story") {
		t.Errorf("got %+v and %q", r, out.String())
	}
}

func TestLayerNames(t *testing.T) {
	if got, err := layerNames("vet, two hosts,"); err != nil || !slices.Equal(got, []string{"vet", "two hosts"}) {
		t.Errorf("got %q, %v", got, err)
	}
	var usage usageError
	if _, err := layerNames("vet,nothing"); !errors.As(err, &usage) {
		t.Errorf("an unknown layer gives %v", err)
	}
}

func TestAllPassed(t *testing.T) {
	tests := []testFunc{{"a", "TestNetnsBoth"}, {"b", "TestNetnsCut"}}
	for printed, ok := range map[string]bool{
		"--- PASS: TestNetnsBoth (1.00s)\nok\n--- PASS: TestNetnsCut (1.00s)\n":                       true,
		"testing: warning: no tests to run\nPASS\n":                                                   false,
		"--- PASS: TestNetnsBoth (1.00s)\n--- PASS: TestNetnsCutShort (1.00s)\n":                      false,
		"--- PASS: TestNetnsBoth (1.00s)\n--- SKIP: TestNetnsCut (0.00s)\n":                           false,
		"--- PASS: TestNetnsBoth (1.0s)\n--- PASS: TestNetnsCut (1.0s)\n    --- SKIP: TestX/a (0s)\n": false,
	} {
		if err := allPassed(printed, tests); (err == nil) != ok {
			t.Errorf("%q gives %v", printed, err)
		}
	}
}

func TestFuzzersAreFound(t *testing.T) {
	r := plant(t, map[string]string{
		"a/a_test.go": "package a\n\nfunc FuzzA(f *testing.F) {}\n\nfunc Fuzz(f *testing.F) {}\n\nfunc (x) FuzzB(f *testing.F) {}\n\nfunc FuzzC() {}\n",
		"a/b.go":      "package a\n\nfunc FuzzD(f *testing.F) {}\n",
		"go.mod":      "module x\n",
	})
	got, err := findTests(r.root, isFuzzer)
	if want := []testFunc{{"a", "FuzzA"}, {"a", "Fuzz"}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
}

func TestBlankPicture(t *testing.T) {
	empty := image.NewRGBA(image.Rect(0, 0, 100, 100))
	if blank(empty) == nil {
		t.Error("an empty picture is not blank")
	}
	drawn := image.NewRGBA(empty.Rect)
	for i := range 1000 {
		drawn.Set(i%100, i/100, color.RGBA{uint8(i), uint8(i / 4), 7, 255})
	}
	if err := blank(drawn); err != nil {
		t.Errorf("a drawn picture is blank: %v", err)
	}
}

func TestFormatNamesTheFile(t *testing.T) {
	r := plant(t, map[string]string{"a/a.go": "package a\nvar  x=1\n", "a/b.go": "package a\n"})
	var out bytes.Buffer
	err := format(t.Context(), &bench{house: house{root: r.root}}, &out)
	if err == nil || !strings.Contains(out.String(), "a/a.go") || strings.Contains(out.String(), "a/b.go") {
		t.Errorf("got %v and %q", err, out.String())
	}
}
