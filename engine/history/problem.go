package history

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"

	lib "modernc.org/sqlite/lib"

	"linkpace/engine/model"
)

// The causes that callers tell apart with errors.Is.
var (
	// ErrNotFound means that no Result has that ID.
	ErrNotFound = errors.New("no such result")
	// ErrAmbiguous means that several Results have IDs that begin so.
	ErrAmbiguous = errors.New("several results match")
)

// storageProblem says in one sentence what keeps the file from being used.
func storageProblem(op, path string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s: %w", op, err)
	}
	return &model.Problem{Side: model.Local, Op: op, Code: model.CodeStorage, Text: advice(path, err), Cause: err}
}

func advice(path string, err error) string {
	dir := filepath.Dir(path)
	switch code(err) {
	case lib.SQLITE_FULL:
		return "The disk with " + dir + " is full, so the history cannot be written: free some space and try again."
	case lib.SQLITE_READONLY, lib.SQLITE_PERM, lib.SQLITE_CANTOPEN:
		return unwritable(dir)
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return "Another program keeps the history file " + path + " locked: close it and try again."
	}
	switch {
	case isDamage(err):
		return "The history file " + path + " is damaged: start the program again, and it will set the file aside."
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return unwritable(dir)
	case errors.Is(err, errNewer):
		return "The history file " + path + " was written by a newer version of Linkpace: use that version."
	}
	return "The history file " + path + " cannot be used: see that its disk is well, or set LINKPACE_HOME to another folder."
}

func unwritable(dir string) string {
	return "The history cannot be written in " + dir + ": make the folder writable, or set LINKPACE_HOME to another folder."
}

func notFound(prefix string) error {
	return &model.Problem{Side: model.Local, Op: "find result", Code: model.CodeNotFound,
		Text: fmt.Sprintf("No result in the history has an ID that begins with %q.", prefix), Cause: ErrNotFound}
}

func ambiguous(prefix string) error {
	return &model.Problem{Side: model.Local, Op: "find result", Code: model.CodeBadInput,
		Text: fmt.Sprintf("Several results have IDs that begin with %q: give more of the ID.", prefix), Cause: ErrAmbiguous}
}

func tooShort(prefix string) error {
	return &model.Problem{Side: model.Local, Op: "find result", Code: model.CodeBadInput,
		Text: fmt.Sprintf("%q is too short for an ID: give at least its first %d characters.", prefix, MinPrefix), Cause: ErrAmbiguous}
}
