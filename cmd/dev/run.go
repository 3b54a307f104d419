package main

import (
	"context"
	"fmt"
	"os"
	"slices"
)

func runVerb() verb {
	return verb{
		name: "run", args: "[-- linkpace|lpace [arguments]]",
		short: "build Linkpace and open its window",
		long: `Installs what the system lacks (it says what, and uses sudo when needed), builds
both programs into bin/ and opens the window. Where no display can be reached it
says so and tests this computer in the terminal instead.

After -- the name of a program and its arguments may follow: that program is
built and run, and its exit code is passed on. (go run prints an exit code that
is not 0, and ends with 1 itself; scripts call bin/lpace.)`,
		example: "go run ./cmd/dev run\ngo run ./cmd/dev run -- lpace test self --json",
		run:     run,
	}
}

func run(ctx context.Context, h house, v verb, args []string) error {
	words, err := v.parse(newFlags(v.name), args)
	if err != nil {
		return err
	}
	if len(words) > 0 {
		return h.runNamed(ctx, v, words[0], words[1:])
	}
	if err := reachable(ctx, h.sys.goos, os.Getenv); err != nil {
		fmt.Fprintf(h.out, "No window can be opened here: %v.\nTesting this computer in the terminal instead: lpace test self\n", err)
		return h.runProgram(ctx, terminal, []string{"test", "self"})
	}
	if err := h.provideAndBuild(ctx, terminal); err != nil {
		return err
	}
	return h.runProgram(ctx, window, nil)
}

func (h house) runNamed(ctx context.Context, v verb, program string, args []string) error {
	if !slices.Contains([]string{window, terminal}, program) {
		return usageError(fmt.Sprintf("there is no program %q: it is %s or %s\n\n%s", program, window, terminal, v.help()))
	}
	return h.runProgram(ctx, program, args)
}

func (h house) runProgram(ctx context.Context, program string, args []string) error {
	if err := h.provideAndBuild(ctx, program); err != nil {
		return err
	}
	return command{name: h.bin(here(program)), args: args}.attach()
}

// provideAndBuild builds one program for this computer into bin/.
func (h house) provideAndBuild(ctx context.Context, program string) error {
	t := here(program)
	needs := t.needs()
	if program == window {
		needs = append(needs, windowShow(t.goos)...)
	}
	if err := h.sys.provide(needs); err != nil {
		return err
	}
	if _, err := os.Stat(h.bin(t)); err != nil {
		fmt.Fprintf(os.Stderr, "Building %s; the first time that takes some minutes.\n", program)
	}
	return t.build(ctx, h.root, h.bin(t), false, os.Stderr)
}
