package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

//go:embed wine/bcryptprimitives.c
var randomSource []byte

// windowTitle is how the window of Linkpace begins its title.
const windowTitle = "Linkpace"

// prefix is a Windows of its own that wine keeps in a folder.
type prefix struct {
	b    *bench
	dir  string
	env  []string
	wine string
}

// underWine starts the Windows programs and looks at what they do.
func underWine(ctx context.Context, b *bench, out io.Writer) error {
	lpace, err := b.provideProgram(ctx, target{terminal, "windows", "amd64"}, out)
	if err != nil {
		return err
	}
	linkpace, err := b.provideProgram(ctx, target{window, "windows", "amd64"}, out)
	if err != nil {
		return err
	}
	x, err := openScreen(ctx, b.sys, out)
	if err != nil {
		return err
	}
	defer x.close()
	p, err := newPrefix(ctx, b, x, out)
	if err != nil {
		return err
	}
	defer p.close(out)
	return errors.Join(p.packages(ctx, out), p.version(ctx, lpace, out), p.testSelf(ctx, lpace, out), p.window(ctx, x, linkpace, out))
}

// newPrefix makes a Windows in a temporary folder, with what Go needs in it.
func newPrefix(ctx context.Context, b *bench, x *xScreen, out io.Writer) (*prefix, error) {
	dir, err := os.MkdirTemp("", "linkpace-wine-")
	if err != nil {
		return nil, err
	}
	p := &prefix{b: b, dir: dir, wine: b.sys.wine()}
	p.env = append(x.env(), "TMPDIR="+dir, "WINEPREFIX="+filepath.Join(dir, "prefix"), "WINEDEBUG=-all",
		// Neither .NET nor a browser is wanted; wine would offer to fetch them.
		"WINEDLLOVERRIDES=mscoree,mshtml=", "LINKPACE_HOME=Z:"+filepath.Join(dir, "home"))
	err = p.command(3*time.Minute, "wineboot", "-i").run(ctx, out)
	if err == nil {
		err = p.addRandom(ctx, out)
	}
	if err != nil {
		p.close(out)
		return nil, err
	}
	return p, nil
}

// addRandom builds the source of random numbers that Go asks Windows for into
// the prefix.
func (p *prefix) addRandom(ctx context.Context, out io.Writer) error {
	source := filepath.Join(p.dir, "bcryptprimitives.c")
	if err := os.WriteFile(source, randomSource, 0o600); err != nil {
		return err
	}
	library := filepath.Join(p.dir, "prefix", "drive_c", "windows", "system32", "bcryptprimitives.dll")
	return command{
		limit: time.Minute, name: p.b.sys.program("x86_64-w64-mingw32-gcc"),
		args: []string{"-O2", "-s", "-shared", "-o", library, source, "-ladvapi32"},
	}.run(ctx, out)
}

func (p *prefix) command(limit time.Duration, args ...string) command {
	return command{dir: p.dir, env: p.env, limit: limit, name: p.wine, args: args}
}

// packages runs the tests of packages as Windows programs. Only of those that
// write no files: wine 8 does not know the call by which Go removes them.
func (p *prefix) packages(ctx context.Context, out io.Writer) error {
	return p.b.goCommand(append(withoutC("windows"), p.env...), 15*time.Minute, "test", "-tags", "ci", "-exec", p.wine,
		"-skip", strings.Join(notUnderWine(), "|"),
		"./engine/model", "./engine/units", "./engine/verdict", "./engine/plot", "./platform/link", "./platform/load",
		"./engine/internal/clock", "./engine/internal/stamp", "./engine/internal/thread", "./engine/internal/sock", "./engine/protocol/native", "./engine").run(ctx, out)
}

// notUnderWine lists tests of what wine 8 lacks: it closes where Windows
// aborts, has no UDP sockets that package net could open and no largest segment,
// and is too slow for a rate to be checked.
func notUnderWine() []string {
	return []string{
		"TestAbortIsAnError",
		"TestVerifiedTestByUDP/loopback",
		"TestWishesReachTheSockets",
		"TestWholeTestByUDP",
	}
}

// version sees that the program starts and says which version it is.
func (p *prefix) version(ctx context.Context, lpace string, out io.Writer) error {
	meta, err := readMetadata(p.b.root)
	if err != nil {
		return err
	}
	said, err := p.command(time.Minute, lpace, "version").output(ctx, out)
	if err != nil {
		return err
	}
	if !strings.Contains(string(said), meta.version) {
		return fmt.Errorf("lpace.exe version says %q, which does not hold %s", said, meta.version)
	}
	return nil
}

// testSelf runs a whole test of the computer with itself.
func (p *prefix) testSelf(ctx context.Context, lpace string, out io.Writer) error {
	said, err := p.command(2*time.Minute, lpace, "test", "self", "--time", "1s", "--json").output(ctx, out)
	if err != nil {
		return err
	}
	var got struct{ Outcome string }
	if err := json.Unmarshal(said, &got); err != nil {
		return fmt.Errorf("lpace.exe test self --json: %w in %q", err, said)
	}
	if got.Outcome != "completed" {
		return fmt.Errorf("lpace.exe test self --json: the outcome is %q", got.Outcome)
	}
	return nil
}

// window sees that the window opens and shows something.
func (p *prefix) window(ctx context.Context, x *xScreen, linkpace string, out io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- p.command(5*time.Minute, linkpace).run(ctx, out) }()
	err := p.look(ctx, x, out)
	stop()
	if end := <-ended; err != nil {
		return errors.Join(err, end)
	}
	return nil
}

func (p *prefix) look(ctx context.Context, x *xScreen, out io.Writer) error {
	id, err := x.windowNamed(ctx, p.b.sys, windowTitle, time.Minute)
	if err != nil {
		return err
	}
	// The window is there before its first frame is.
	for range 20 {
		picture, failure := x.picture(ctx, p.b.sys, id, out)
		if err = failure; err == nil {
			err = blank(picture)
		}
		if err == nil {
			return keepPicture(picture, "windows.png")
		}
		time.Sleep(500 * time.Millisecond)
	}
	return fmt.Errorf("the window of linkpace.exe: %w", err)
}

// close ends every Windows program of the prefix and removes it.
func (p *prefix) close(out io.Writer) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for _, flag := range []string{"-k", "-w"} {
		server := command{env: p.env, limit: 30 * time.Second, name: p.server(), args: []string{flag}}
		if err := server.run(ctx, out); err != nil {
			fmt.Fprintln(out, err)
		}
	}
	if err := os.RemoveAll(p.dir); err != nil {
		fmt.Fprintln(out, err)
	}
}

// server finds the program that all programs of a prefix share; Debian keeps
// it out of PATH.
func (p *prefix) server() string {
	for _, name := range []string{"wineserver", "wineserver-stable", "/usr/lib/wine/wineserver64", "/usr/lib/wine/wineserver"} {
		if found := p.b.sys.program(name); found != "" {
			return found
		}
	}
	return "wineserver"
}
