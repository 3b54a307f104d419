package history

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	lib "modernc.org/sqlite/lib"
)

// damage is what SQLite's check of the file found.
type damage struct{ found string }

func (d *damage) Error() string { return "the file is damaged: " + d.found }

func isDamage(err error) bool {
	var d *damage
	return errors.As(err, &d) || code(err) == lib.SQLITE_CORRUPT || code(err) == lib.SQLITE_NOTADB
}

// checkHeader looks whether the file is of SQLite at all, before SQLite touches
// it and what lies beside it. No file, and an empty one, are a new history.
func checkHeader(path string) error {
	const magic = "SQLite format 3\x00"
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	header := make([]byte, len(magic))
	switch n, err := io.ReadFull(file, header); {
	case n == 0 && errors.Is(err, io.EOF):
		return nil
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return err
	case string(header[:n]) != magic:
		return &damage{"it is not an SQLite database"}
	}
	return nil
}

// setAside moves a damaged file, and what SQLite keeps beside it, to a free
// name. The companions go first: without its log the file alone is found
// damaged again should this be interrupted, while a log without its file would
// be taken for that of the new one and deleted.
func setAside(path string, now time.Time) (string, error) {
	aside, err := freeName(path + ".damaged-" + now.Format("20060102-150405"))
	if err != nil {
		return "", err
	}
	for _, suffix := range []string{"-wal", "-shm", ""} {
		err := os.Rename(path+suffix, aside+suffix)
		if suffix != "" && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("setting the damaged file aside: %w", err)
		}
	}
	return aside, nil
}

// freeName adds a number to base until no file has that name: a rename would
// replace what an earlier accident left.
func freeName(base string) (string, error) {
	const most = 1000
	name := base
	for n := 2; n < most; n++ {
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name, nil
		}
		name = fmt.Sprintf("%s-%d", base, n)
	}
	return "", fmt.Errorf("too many damaged files named %s", base)
}
