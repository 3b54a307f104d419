package main

import (
	"context"
	"io"
	"path/filepath"
	"runtime"
	"time"
)

// Names of the two programs.
const (
	window   = "linkpace"
	terminal = "lpace"
)

// target is one program for one system.
type target struct {
	program string
	goos    string
	goarch  string
}

func here(program string) target {
	return target{program: program, goos: runtime.GOOS, goarch: runtime.GOARCH}
}

// needs is what building the target takes beyond Go.
func (t target) needs() []need {
	switch {
	case t.program == terminal:
		return nil
	case t.goos == "windows" && runtime.GOOS != "windows":
		return []need{mingw()}
	default:
		return windowBuild(t.goos)
	}
}

// file is the name of the program on the system it is for.
func (t target) file() string {
	if t.goos == "windows" {
		return t.program + ".exe"
	}
	return t.program
}

// env is the same for every build of a target, whoever asks for it: other flags
// would mean to compile the graphics library again, which takes minutes.
func (t target) env() []string {
	env := []string{"GOOS=" + t.goos, "GOARCH=" + t.goarch}
	if t.program == terminal {
		return append(env, "CGO_ENABLED=0")
	}
	env = append(env, "CGO_ENABLED=1")
	if t.goos != "windows" {
		return env
	}
	// The two macros keep windows.h out of the OpenGL bindings, where it
	// doubles the time that cgo takes.
	env = append(env, "CGO_CFLAGS=-O2 -g -DWINAPI=__stdcall -DAPIENTRY=WINAPI")
	if runtime.GOOS != "windows" {
		env = append(env, "CC=x86_64-w64-mingw32-gcc")
	}
	return env
}

// build compiles the target into the file out, smaller when small is set.
func (t target) build(ctx context.Context, root, out string, small bool, log io.Writer) error {
	flags := ""
	if small {
		flags = "-s -w"
	}
	if t.program == window && t.goos == "windows" {
		flags += " -H=windowsgui"
	}
	return command{
		dir: root, env: t.env(), limit: 45 * time.Minute, name: "go",
		args: []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=" + flags, "-o", out, "./cmd/" + t.program},
	}.run(ctx, log)
}

// bin is the place of the target among the programs built for this computer.
func (h house) bin(t target) string { return filepath.Join(h.root, "bin", t.file()) }
