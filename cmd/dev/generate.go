package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

func generateVerb() verb {
	return verb{
		name: "generate", short: "write the files that are made from others",
		long: `Writes the files that are made from FyneApp.toml and from the drawing of the icon:
the version and metadata in Go, the icon as SVG, PNG and ICO, and the Windows
resources of both programs. A test compares them with what they are made from.`,
		example: "go run ./cmd/dev generate",
		run:     generate,
	}
}

// generated is a file that this program writes.
type generated struct {
	name string
	data []byte
}

func generate(ctx context.Context, h house, v verb, args []string) error {
	if err := v.noArguments(newFlags(v.name), args); err != nil {
		return err
	}
	m, err := readMetadata(h.root)
	if err != nil {
		return err
	}
	all, err := generatedFiles(m)
	if err != nil {
		return err
	}
	for _, g := range all {
		if err := h.write(g); err != nil {
			return err
		}
	}
	return h.resources(ctx, m)
}

// generatedFiles makes all files that take no other program.
func generatedFiles(m metadata) ([]generated, error) {
	metadataFile, err := m.windowFile()
	if err != nil {
		return nil, err
	}
	png, err := iconPNG(512)
	if err != nil {
		return nil, err
	}
	ico, err := iconICO()
	if err != nil {
		return nil, err
	}
	return []generated{
		{"cmd/linkpace/metadata.go", metadataFile},
		{"cmd/internal/build/version.go", m.versionFile()},
		{"assets/icon.svg", iconSVG()},
		{"assets/icon.png", png},
		{"assets/icon.ico", ico},
	}, nil
}

// write changes a file only when it differs, so that nothing is built again
// for nothing.
func (h house) write(g generated) error {
	file := filepath.Join(h.root, filepath.FromSlash(g.name))
	if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, g.data) {
		return nil
	}
	fmt.Fprintln(h.out, "writing", g.name)
	return os.WriteFile(file, g.data, 0o644)
}

// resources makes what Windows reads from the programs: icon, version and
// manifest.
func (h house) resources(ctx context.Context, m metadata) error {
	if h.sys.goos == "linux" {
		if err := h.sys.provide([]need{mingw()}); err != nil {
			return err
		}
	}
	compiler := h.sys.program("x86_64-w64-mingw32-windres")
	if compiler == "" {
		fmt.Fprintln(h.out, "There is no windres here, so the Windows resources stay as they are.")
		return nil
	}
	for _, program := range []string{window, terminal} {
		if err := h.resource(ctx, compiler, program, m); err != nil {
			return err
		}
	}
	return nil
}

func (h house) resource(ctx context.Context, compiler, program string, m metadata) error {
	dir, err := os.MkdirTemp("", "linkpace-resources-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	script, object := filepath.Join(dir, "app.rc"), filepath.Join(dir, "app.syso")
	if err := os.WriteFile(script, resourceScript(program, m), 0o600); err != nil {
		return err
	}
	// The script names its files relative to the repository.
	c := command{dir: h.root, limit: time.Minute, name: compiler, args: []string{script, "-O", "coff", "-o", object}}
	if err := c.run(ctx, h.out); err != nil {
		return err
	}
	data, err := os.ReadFile(object)
	if err != nil {
		return err
	}
	return h.write(generated{resourceFile(program), data})
}
