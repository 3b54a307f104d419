package main

import (
	"context"
	"errors"
	"fmt"

	"linkpace/engine/history"
	"linkpace/engine/model"
)

// Exit codes; scripts rely on them.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitUnreachable = 3
	exitRefused     = 4
	exitPartial     = 5
	exitInterrupted = 130
)

// usageError is a mistake in the command line.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usage(err error) error { return &usageError{err} }

// exitError ends the program with a code after everything was said.
type exitError struct{ code int }

func (e *exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// exitCode tells what an error means to a script.
func exitCode(err error) int {
	var exit *exitError
	var bad *usageError
	var problem *model.Problem
	switch {
	case errors.As(err, &exit):
		return exit.code
	case errors.As(err, &bad), errors.Is(err, history.ErrAmbiguous):
		return exitUsage
	case errors.As(err, &problem):
		return problemCode(problem.Code)
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	}
	return exitFailed
}

func problemCode(code model.Code) int {
	switch code {
	case model.CodeBadInput, model.CodeUnsupported:
		return exitUsage
	case model.CodeNotFound, model.CodeUnreachable, model.CodeNotLinkpace:
		return exitUnreachable
	case model.CodeDeclined, model.CodeBusy, model.CodePolicy, model.CodeTooOld, model.CodeTooNew, model.CodePeerStopped:
		return exitRefused
	case model.CodeCancelled:
		return exitInterrupted
	}
	return exitFailed
}

// resultCode tells what a Result means to a script.
func resultCode(r *model.Result) int {
	switch {
	case r.Outcome == model.Completed:
		return exitDone
	case r.Outcome == model.Cancelled:
		return exitInterrupted
	case r.Outcome == model.Partial:
		return exitPartial
	case r.Problem != nil:
		return problemCode(r.Problem.Code)
	}
	return exitFailed
}
