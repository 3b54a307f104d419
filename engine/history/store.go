// Package history keeps Results in an SQLite file. The Results themselves are
// the truth; what a list shows is a cache beside them that migrations rebuild.
package history

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// FileName is the file's usual name inside the data folder.
const FileName = "history.db"

// busyWait is how long to wait for another program that writes.
const busyWait = 5 * time.Second

// Store is an open history. Several Stores, also of several processes, may
// have the same file open. All methods may be called from any goroutine.
type Store struct {
	db     *sql.DB
	path   string
	notice string
}

// Open opens the history in the file path, or begins one. A damaged file is
// set aside under another name, never overwritten: the Store is then new and
// Notice says what happened. The error is a *model.Problem.
func Open(ctx context.Context, path string) (*Store, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, storageProblem("open history", path, err)
	}
	return open(ctx, abs)
}

func open(ctx context.Context, path string, pragmas ...string) (*Store, error) {
	s, err := tryOpen(ctx, path, pragmas)
	if !isDamage(err) {
		return s, err
	}
	aside, err := setAside(path, time.Now())
	if err != nil {
		return nil, storageProblem("open history", path, err)
	}
	if s, err = tryOpen(ctx, path, pragmas); err != nil {
		return nil, err
	}
	s.notice = "The history file was damaged. It is kept as " + aside + ", and a new history begins in " + path + "."
	return s, nil
}

// Notice is a sentence for the user when the file was found damaged, else
// empty.
func (s *Store) Notice() string { return s.notice }

// Close closes the file.
func (s *Store) Close() error {
	if err := s.db.Close(); err != nil {
		return storageProblem("close history", s.path, err)
	}
	return nil
}

func tryOpen(ctx context.Context, path string, pragmas []string) (*Store, error) {
	if err := checkHeader(path); err != nil {
		return nil, storageProblem("open history", path, err)
	}
	db, err := sql.Open("sqlite", source(path, pragmas))
	if err != nil {
		return nil, storageProblem("open history", path, err)
	}
	// One connection is enough for a list and a write per test, and spares this
	// process from waiting for its own locks.
	db.SetMaxOpenConns(1)
	if err := prepare(ctx, db); err != nil {
		// What matters is why the file cannot be used.
		_ = db.Close()
		return nil, storageProblem("open history", path, err)
	}
	return &Store{db: db, path: path}, nil
}

func prepare(ctx context.Context, db *sql.DB) error {
	if err := enterWAL(ctx, db); err != nil {
		return err
	}
	if err := checkFile(ctx, db); err != nil {
		return err
	}
	return migrate(ctx, db, steps())
}

// source names the file and how to open it. A write-ahead log lets readers and
// one writer of other processes go on side by side, and whatever was committed
// survives a killed process. synchronous=FULL also has each commit reach the
// disk before Put returns, so that not even a power cut takes an acknowledged
// result; a few milliseconds once per test buy that.
func source(path string, pragmas []string) string {
	query := url.Values{
		"_busy_timeout": {"5000"},
		"_txlock":       {"immediate"},
		"_pragma":       append([]string{"synchronous(FULL)"}, pragmas...),
	}
	slashed := filepath.ToSlash(path)
	if filepath.VolumeName(path) != "" {
		slashed = "/" + slashed
	}
	escaped := (&url.URL{Path: slashed}).EscapedPath()
	return "file:" + escaped + "?" + query.Encode()
}

// enterWAL switches the journal. SQLite does not wait for others here as it
// does elsewhere, so two programs that begin the file at once retry.
func enterWAL(ctx context.Context, db *sql.DB) error {
	const pause = 20 * time.Millisecond
	for deadline := time.Now().Add(busyWait); ; {
		_, err := db.ExecContext(ctx, "PRAGMA journal_mode=WAL")
		if code(err) != lib.SQLITE_BUSY || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// checkFile has SQLite look over the whole file once.
func checkFile(ctx context.Context, db *sql.DB) error {
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return &damage{verdict}
	}
	return nil
}

// code is SQLite's primary result code of an error, and 0 for other errors.
func code(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}
