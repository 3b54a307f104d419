package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// verb is one thing this program can do.
type verb struct {
	name    string
	args    string
	short   string
	long    string
	example string
	flags   func() *flag.FlagSet // nil when there are none
	run     func(ctx context.Context, h house, v verb, args []string) error
}

func verbs() []verb {
	return []verb{
		runVerb(), testVerb(), benchVerb(), lintVerb(), generateVerb(), packageVerb(),
		{
			name: "help", args: "[verb]", short: "say what there is, or more about one verb",
			long:    "Lists the verbs, or explains one of them.",
			example: "go run ./cmd/dev help test",
			run:     help,
		},
	}
}

// dispatch finds the verb and runs it.
func dispatch(ctx context.Context, h house, args []string) error {
	if len(args) == 0 {
		return usageError(overview())
	}
	switch args[0] {
	case "-h", "-help", "--help":
		fmt.Fprint(h.out, overview())
		return nil
	}
	v, err := findVerb(args[0])
	if err != nil {
		return err
	}
	err = v.run(ctx, h, v, args[1:])
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(h.out, v.help())
		return nil
	}
	return err
}

func findVerb(name string) (verb, error) {
	for _, v := range verbs() {
		if v.name == name {
			return v, nil
		}
	}
	return verb{}, usageError(fmt.Sprintf("there is no verb %q\n\n%s", name, overview()))
}

func help(_ context.Context, h house, _ verb, args []string) error {
	if len(args) == 0 {
		fmt.Fprint(h.out, overview())
		return nil
	}
	v, err := findVerb(args[0])
	if err != nil {
		return err
	}
	fmt.Fprint(h.out, v.help())
	return nil
}

func overview() string {
	var b strings.Builder
	b.WriteString("go run ./cmd/dev VERB\n\n")
	for _, v := range verbs() {
		fmt.Fprintf(&b, "  %-10s %s\n", v.name, v.short)
	}
	b.WriteString("\nFor example:\n  go run ./cmd/dev run\n\nMore about a verb: go run ./cmd/dev help VERB\n")
	return b.String()
}

func (v verb) help() string {
	text := fmt.Sprintf("go run ./cmd/dev %s %s\n\n%s\n", v.name, v.args, strings.TrimSpace(v.long))
	if flags := v.flagHelp(); flags != "" {
		text += "\nFlags:\n" + flags
	}
	return text + "\nFor example:\n  " + strings.ReplaceAll(v.example, "\n", "\n  ") + "\n"
}

// flagHelp lists the flags of the verb, which are declared in the same place
// that reads them.
func (v verb) flagHelp() string {
	var b strings.Builder
	declared := func(f *flag.Flag) {
		name, text := flag.UnquoteUsage(f)
		fmt.Fprintf(&b, "  %-18s %s\n", strings.TrimSpace("--"+f.Name+" "+name), text)
	}
	if v.flags != nil {
		v.flags().VisitAll(declared)
	}
	return b.String()
}

// newFlags gives a set of flags that leaves the words about a mistake to this
// program.
func newFlags(name string) *flag.FlagSet {
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.Usage = func() {}
	return set
}

// parse reads the flags of a verb; whatever is left over is returned.
func (v verb) parse(set *flag.FlagSet, args []string) ([]string, error) {
	if err := set.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil, err
		}
		return nil, usageError(fmt.Sprintf("%v\n\n%s", err, v.help()))
	}
	return set.Args(), nil
}

// noArguments reads the flags of a verb that takes nothing else.
func (v verb) noArguments(set *flag.FlagSet, args []string) error {
	rest, err := v.parse(set, args)
	if err == nil && len(rest) > 0 {
		return usageError(fmt.Sprintf("%q is more than %s takes\n\n%s", rest[0], v.name, v.help()))
	}
	return err
}
