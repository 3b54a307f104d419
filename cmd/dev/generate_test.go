package main

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"
	"unicode/utf16"
)

// TestGeneratedFiles compares the files in the repository with what they are
// made from, so that a changed version reaches all of them.
func TestGeneratedFiles(t *testing.T) {
	root, m := repository(t)
	all, err := generatedFiles(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range all {
		if !same(t, g, readFile(t, root, g.name)) {
			t.Errorf("%s is not what it is made from; run: go run ./cmd/dev generate", g.name)
		}
	}
}

// TestResourcesHoldTheirSources looks into the Windows resources for what
// windres was given: the tool itself is not on every computer.
func TestResourcesHoldTheirSources(t *testing.T) {
	root, m := repository(t)
	manifest := readFile(t, root, "assets/app.manifest")
	for _, program := range []string{window, terminal} {
		resources := readFile(t, root, resourceFile(program))
		if !bytes.Contains(resources, manifest) {
			t.Errorf("%s does not hold assets/app.manifest; run: go run ./cmd/dev generate", resourceFile(program))
		}
		for _, text := range []string{m.version, m.name, program + ".exe"} {
			if !bytes.Contains(resources, wide(text)) {
				t.Errorf("%s does not say %q; run: go run ./cmd/dev generate", resourceFile(program), text)
			}
		}
	}
}

func TestGeneratedFilesFollowTheMetadata(t *testing.T) {
	_, m := repository(t)
	before, err := generatedFiles(m)
	if err != nil {
		t.Fatal(err)
	}
	m.version = "9.8.7"
	after, err := generatedFiles(m)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"cmd/linkpace/metadata.go", "cmd/internal/build/version.go"} {
		if after[i].name != name || same(t, after[i], before[i].data) || !bytes.Contains(after[i].data, []byte(`"9.8.7"`)) {
			t.Errorf("%s is the same with another version", name)
		}
	}
	if !bytes.Contains(resourceScript(window, m), []byte("FILEVERSION 9,8,7,1")) {
		t.Error("the Windows resources have the same version")
	}
}

func TestMetadataMistakes(t *testing.T) {
	const good = "[Details]\nID = \"a.b\"\nName = \"A\"\nVersion = \"1.2.3\"\nBuild = 4\n[Migrations]\nfyneDo = true\n"
	if m, err := parseMetadata(good); err != nil || m.build != 4 || !m.migrations["fyneDo"] {
		t.Fatalf("got %+v, %v", m, err)
	}
	for _, change := range [][2]string{
		{`"1.2.3"`, `"1.2"`},
		{`"1.2.3"`, `1.2.3`},
		{"Build = 4", "Build = 0"},
		{"Build = 4", "Build"},
		{"Build = 4", "Built = 4"},
		{`Name = "A"`, ""},
		{"true", "yes"},
	} {
		if m, err := parseMetadata(strings.Replace(good, change[0], change[1], 1)); err == nil {
			t.Errorf("with %q for %q there is no error and %+v", change[1], change[0], m)
		}
	}
}

func repository(t *testing.T) (string, metadata) {
	t.Helper()
	root, err := findRoot()
	if err != nil {
		t.Fatal(err)
	}
	m, err := readMetadata(root)
	if err != nil {
		t.Fatal(err)
	}
	return root, m
}

func wide(text string) []byte {
	var out []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		out = append(out, byte(unit), byte(unit>>8))
	}
	return out
}

// same compares a generated file with the one that is there. Pictures are
// compared by what they show: processors round the last digit differently.
func same(t *testing.T, g generated, got []byte) bool {
	switch {
	case strings.HasSuffix(g.name, ".png"):
		return samePicture(decode(t, g.data), decode(t, got))
	case strings.HasSuffix(g.name, ".ico"):
		return len(got) > 6 && bytes.Equal(got[:6], g.data[:6])
	default:
		return bytes.Equal(g.data, got)
	}
}

func decode(t *testing.T, data []byte) image.Image {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

func samePicture(a, b image.Image) bool {
	if a.Bounds() != b.Bounds() {
		return false
	}
	const rounding = 2 * 0x101
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r1, g1, b1, a1 := a.At(x, y).RGBA()
			r2, g2, b2, a2 := b.At(x, y).RGBA()
			for _, pair := range [][2]uint32{{r1, r2}, {g1, g2}, {b1, b2}, {a1, a2}} {
				if max(pair[0], pair[1])-min(pair[0], pair[1]) > rounding {
					return false
				}
			}
		}
	}
	return true
}
