package link

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	psnet "github.com/shirou/gopsutil/v3/net"
)

// Watch reads the counters of one adapter. It keeps their files open: opening
// them anew takes most of the time of a reading (BenchmarkCounters).
type Watch struct {
	root    sysfs
	adapter string
	rx, tx  *os.File // nil until they are read, and after an error
}

func newWatch(adapter string) *Watch { return &Watch{root: systemSysfs, adapter: adapter} }

// Read reads the counters. An adapter that went away may come back.
func (w *Watch) Read() (Counters, error) {
	if c, err := w.fromSysfs(); err == nil {
		return c, nil
	}
	// A program that entered another network namespace still sees the sysfs of
	// the old one; /proc/net follows it.
	return procCounters(w.adapter)
}

// Close closes the files. Reading opens them again.
func (w *Watch) Close() error {
	var err error
	for _, file := range []*os.File{w.rx, w.tx} {
		if file != nil {
			err = errors.Join(err, file.Close())
		}
	}
	w.rx, w.tx = nil, nil
	return err
}

// fromSysfs reads the open files, and opens them where there are none or where
// they are those of an adapter that is gone.
func (w *Watch) fromSysfs() (Counters, error) {
	if w.rx != nil && w.tx != nil {
		if c, err := w.kept(); err == nil {
			return c, nil
		}
	}
	if err := w.open(); err != nil {
		return Counters{}, err
	}
	return w.kept()
}

func (w *Watch) open() (err error) {
	if w.adapter == "" || w.adapter != filepath.Base(w.adapter) || !filepath.IsLocal(w.adapter) {
		return fmt.Errorf("%q is not the name of an adapter", w.adapter)
	}
	_ = w.Close()
	folder := filepath.Join(string(w.root), w.adapter, "statistics")
	if w.rx, err = os.Open(filepath.Join(folder, "rx_bytes")); err != nil {
		return err
	}
	if w.tx, err = os.Open(filepath.Join(folder, "tx_bytes")); err != nil {
		_ = w.Close()
	}
	return err
}

// kept reads the open files, and closes them when that fails.
func (w *Watch) kept() (c Counters, err error) {
	if c.Rx, err = readCounter(w.rx); err == nil {
		c.Tx, err = readCounter(w.tx)
	}
	if err != nil {
		_ = w.Close()
		return Counters{}, err
	}
	return c, nil
}

// readCounter reads a file that holds one number, from its beginning.
func readCounter(file *os.File) (uint64, error) {
	var text [32]byte
	n, err := file.ReadAt(text[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	return strconv.ParseUint(string(bytes.TrimSpace(text[:n])), 10, 64)
}

func procCounters(adapter string) (Counters, error) {
	all, err := psnet.IOCounters(true)
	if err != nil {
		return Counters{}, fmt.Errorf("reading the counters of adapter %q: %w", adapter, err)
	}
	i := slices.IndexFunc(all, func(c psnet.IOCountersStat) bool { return c.Name == adapter })
	if i < 0 {
		return Counters{}, fmt.Errorf("this computer has no adapter %q", adapter)
	}
	return Counters{Rx: all[i].BytesRecv, Tx: all[i].BytesSent}, nil
}
