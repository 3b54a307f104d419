package discovery

import (
	"log/slog"
	"time"
)

// keeper writes the file of remembered peers apart from the owner, who must not
// wait for a disk.
type keeper struct {
	path  string
	log   *slog.Logger
	books chan kept
	done  chan struct{}
}

// kept is a book to be written, and what a person forgot since the last one,
// which the file may still name.
type kept struct {
	book      book
	forgotten []string // IDs
	untyped   []string // addresses
}

// newKeeper starts writing to path; nil keeps nothing.
func newKeeper(path string, log *slog.Logger) *keeper {
	if path == "" {
		return nil
	}
	k := &keeper{path: path, log: log, books: make(chan kept, 8), done: make(chan struct{})}
	go k.work()
	return k
}

func (k *keeper) work() {
	defer close(k.done)
	for one := range k.books {
		if err := k.write(one); err != nil {
			k.log.Warn("remembered peers not written", "error", err)
		}
	}
}

func (k *keeper) write(one kept) error {
	// Another program of this installation may have written meanwhile.
	other, setAside, err := loadBook(k.path, time.Now())
	if err != nil {
		return err
	}
	if setAside != "" {
		k.log.Warn("damaged file of remembered peers set aside", "file", setAside)
	}
	for _, id := range one.forgotten {
		other.forget(id, nil)
	}
	for _, text := range one.untyped {
		other.untype(text)
	}
	one.book.merge(other)
	return saveBook(k.path, one.book)
}

// keep queues a book; false when the disk is too slow and it should be tried
// again.
func (k *keeper) keep(one kept) bool {
	select {
	case k.books <- one:
		return true
	default:
		return false
	}
}

// close writes what is queued and ends.
func (k *keeper) close() {
	if k != nil {
		close(k.books)
		<-k.done
	}
}
