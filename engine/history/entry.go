package history

import (
	"context"
	"database/sql"
	"time"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// Entry is what a list shows of a Result.
type Entry struct {
	ID      string
	Started time.Time
	Role    model.Role
	// Local and Remote are the names of the two computers.
	Local, Remote string
	// SameMachine marks a test with this computer itself, which is never
	// compared with one of a link.
	SameMachine bool
	Outcome     model.Outcome
	// Send and Receive are the rates of the ways on their own, Both the sum of
	// both ways at once; 0 where it was not measured.
	Send, Receive, Both units.BitRate
}

// Filter chooses a part of the list.
type Filter struct {
	// Limit is the most entries to give; 0 is all.
	Limit int
	// Offset is how many of the newest to leave out.
	Offset int
}

// List gives entries, the newest first.
func (s *Store) List(ctx context.Context, f Filter) ([]Entry, error) {
	entries, err := list(ctx, s.db, f)
	if err != nil {
		return nil, storageProblem("list history", s.path, err)
	}
	return entries, nil
}

func list(ctx context.Context, db *sql.DB, f Filter) ([]Entry, error) {
	const everything = -1
	limit := f.Limit
	if limit <= 0 {
		limit = everything
	}
	rows, err := db.QueryContext(ctx, `SELECT id, started, role, local, remote, same_machine, outcome, send_bps, receive_bps, both_bps
		FROM entries ORDER BY started DESC, id LIMIT ? OFFSET ?`, limit, max(0, f.Offset))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var entries []Entry
	for rows.Next() {
		var e Entry
		var started int64
		if err := rows.Scan(&e.ID, &started, &e.Role, &e.Local, &e.Remote, &e.SameMachine, &e.Outcome, &e.Send, &e.Receive, &e.Both); err != nil {
			return nil, err
		}
		e.Started = time.Unix(0, started)
		entries = append(entries, e)
	}
	return entries, rows.Err()
}

func entryOf(r *model.Result) Entry {
	e := Entry{
		ID: r.ID, Started: r.Started, Role: r.Role, Local: r.Local.Name, Remote: r.Remote.Name,
		SameMachine: r.SameMachine, Outcome: r.Outcome,
	}
	for _, s := range r.Summaries() {
		switch s.Direction {
		case model.Send:
			e.Send = max(e.Send, s.Rate)
		case model.Receive:
			e.Receive = max(e.Receive, s.Rate)
		case model.Both:
			e.Both += s.Rate
		}
	}
	return e
}

func putEntry(ctx context.Context, tx *sql.Tx, e Entry) error {
	_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO entries
		(id, started, role, local, remote, same_machine, outcome, send_bps, receive_bps, both_bps) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		e.ID, e.Started.UnixNano(), string(e.Role), e.Local, e.Remote, e.SameMachine, string(e.Outcome), float64(e.Send), float64(e.Receive), float64(e.Both))
	return err
}
