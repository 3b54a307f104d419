package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"linkpace/engine/model"
)

// MinPrefix is how many characters of an ID are needed at least to name a
// Result.
const MinPrefix = 4

// Put keeps a Result; when it returns without an error the Result is on the
// disk. A Result of the same ID is replaced, except that the initiator's copy
// wins over the responder's: both reach one file when a computer tests itself.
func (s *Store) Put(ctx context.Context, r *model.Result) error {
	const op = "keep result"
	if r.ID == "" {
		return &model.Problem{Side: model.Local, Op: op, Code: model.CodeInternal, Text: "A result without an ID cannot be kept."}
	}
	body, err := encode(r)
	if err != nil {
		return &model.Problem{Side: model.Local, Op: op, Code: model.CodeStorage, Text: "The result cannot be kept.", Cause: err}
	}
	if err := s.inTx(ctx, func(tx *sql.Tx) error { return put(ctx, tx, r, body) }); err != nil {
		return storageProblem(op, s.path, err)
	}
	return nil
}

// Get gives the Result whose ID is or uniquely begins with prefix.
func (s *Store) Get(ctx context.Context, prefix string) (*model.Result, error) {
	const op = "read result"
	id, err := s.find(ctx, prefix)
	if err != nil {
		return nil, err
	}
	var body []byte
	err = s.db.QueryRowContext(ctx, `SELECT body FROM results WHERE id = ?`, id).Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, notFound(prefix)
	}
	if err != nil {
		return nil, storageProblem(op, s.path, err)
	}
	r, err := decode(body)
	if err != nil {
		return nil, &model.Problem{Side: model.Local, Op: op, Code: model.CodeStorage, Text: fmt.Sprintf("The stored result %s cannot be read.", id), Cause: err}
	}
	return r, nil
}

// Delete removes the Result whose ID is or uniquely begins with prefix.
func (s *Store) Delete(ctx context.Context, prefix string) error {
	id, err := s.find(ctx, prefix)
	if err != nil {
		return err
	}
	err = s.inTx(ctx, func(tx *sql.Tx) error {
		for _, text := range []string{`DELETE FROM entries WHERE id = ?`, `DELETE FROM results WHERE id = ?`} {
			if _, err := tx.ExecContext(ctx, text, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return storageProblem("delete result", s.path, err)
	}
	return nil
}

// put writes the Result and its entry unless a better copy is there.
func put(ctx context.Context, tx *sql.Tx, r *model.Result, body []byte) error {
	done, err := tx.ExecContext(ctx, `INSERT INTO results (id, role, started, body) VALUES (?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET role = excluded.role, started = excluded.started, body = excluded.body
		WHERE excluded.role = ? OR results.role <> ?`,
		r.ID, string(r.Role), r.Started.UnixNano(), body, string(model.Initiator), string(model.Initiator))
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return err
	}
	return putEntry(ctx, tx, entryOf(r))
}

// find completes the beginning of an ID.
func (s *Store) find(ctx context.Context, prefix string) (string, error) {
	ids, err := s.matches(ctx, prefix)
	switch {
	case err != nil:
		return "", storageProblem("find result", s.path, err)
	case len(ids) > 0 && ids[0] == prefix:
		return prefix, nil
	case len(prefix) < MinPrefix:
		return "", tooShort(prefix)
	case len(ids) == 0:
		return "", notFound(prefix)
	case len(ids) > 1:
		return "", ambiguous(prefix)
	}
	return ids[0], nil
}

// matches gives the first two IDs that begin with prefix; prefix itself, being
// the shortest, comes first.
func (s *Store) matches(ctx context.Context, prefix string) ([]string, error) {
	return idsOf(s.db.QueryContext(ctx, `SELECT id FROM results WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT 2`, prefix))
}

// idsOf collects the IDs that a query found.
func idsOf(rows *sql.Rows, err error) ([]string, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

func (s *Store) inTx(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
