package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// errNewer means that the file has seen steps that this program does not know.
var errNewer = errors.New("the file is of a newer version")

// step brings the file from one version to the next.
type step func(ctx context.Context, tx *sql.Tx) error

// steps are all versions in order; the file's user_version counts those that it
// has seen. A step is never changed once it was released. One that changes what
// a list shows drops the entries and fills them anew from the Results.
func steps() []step {
	return []step{
		statement(`CREATE TABLE results (
			id TEXT PRIMARY KEY NOT NULL,
			role TEXT NOT NULL,
			started INTEGER NOT NULL,
			body BLOB NOT NULL
		)`),
		rebuildEntries,
	}
}

// migrate carries out the steps that are missing, all or none.
func migrate(ctx context.Context, db *sql.DB, steps []step) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	// After a commit this does nothing.
	defer func() { _ = tx.Rollback() }()
	var version int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version == len(steps) {
		return nil
	}
	if version < 0 || version > len(steps) {
		return fmt.Errorf("%w: %d instead of %d", errNewer, version, len(steps))
	}
	for i, migrate := range steps[version:] {
		if err := migrate(ctx, tx); err != nil {
			return fmt.Errorf("bringing the history to version %d: %w", version+i+1, err)
		}
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version=%d", len(steps))); err != nil {
		return err
	}
	return tx.Commit()
}

func statement(text string) step {
	return func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, text)
		return err
	}
}

// rebuildEntries makes the cache for lists from the Results.
func rebuildEntries(ctx context.Context, tx *sql.Tx) error {
	for _, text := range []string{
		`DROP TABLE IF EXISTS entries`,
		`CREATE TABLE entries (
			id TEXT PRIMARY KEY NOT NULL REFERENCES results(id),
			started INTEGER NOT NULL,
			role TEXT NOT NULL,
			local TEXT NOT NULL,
			remote TEXT NOT NULL,
			same_machine INTEGER NOT NULL,
			outcome TEXT NOT NULL,
			send_bps REAL NOT NULL,
			receive_bps REAL NOT NULL,
			both_bps REAL NOT NULL
		)`,
		`CREATE INDEX entries_by_time ON entries (started DESC, id)`,
	} {
		if err := statement(text)(ctx, tx); err != nil {
			return err
		}
	}
	ids, err := resultIDs(ctx, tx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := rebuildEntry(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}

// rebuildEntry reads one Result at a time: all of them may not fit in memory.
// A Result that cannot be read stays in the file without an entry.
func rebuildEntry(ctx context.Context, tx *sql.Tx, id string) error {
	var body []byte
	if err := tx.QueryRowContext(ctx, `SELECT body FROM results WHERE id = ?`, id).Scan(&body); err != nil {
		return err
	}
	if result, err := decode(body); err == nil {
		return putEntry(ctx, tx, entryOf(result))
	}
	return nil
}

func resultIDs(ctx context.Context, tx *sql.Tx) ([]string, error) {
	return idsOf(tx.QueryContext(ctx, `SELECT id FROM results`))
}
