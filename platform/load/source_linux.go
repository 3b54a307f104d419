package load

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// source keeps /proc/stat open and reads it in place: opening and reading it
// anew takes several times as long (BenchmarkOpenEachTime), too long for ten
// readings a second while the processor is what is being measured.
type source struct {
	stat   *os.File
	failed error
	text   []byte
	start  time.Time
}

// Of /proc/stat only the lines of the cores are read; one is about 60 bytes.
const (
	firstStatSize = 2 << 10
	maxStatSize   = 1 << 20
)

func openSource() source {
	file, err := os.Open("/proc/stat")
	return source{stat: file, failed: err, text: make([]byte, firstStatSize), start: time.Now()}
}

func (s *source) now() time.Duration { return time.Since(s.start) }

// own is the processor time of all threads of this process, ended ones included.
// It is the sum that getrusage splits into user and system time, but to the
// nanosecond.
func (s *source) own() (time.Duration, error) {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		return 0, err
	}
	return time.Duration(t.Nano()), nil
}

func (s *source) cores() ([]core, error) {
	if s.failed != nil {
		return nil, s.failed
	}
	for {
		n, err := s.stat.ReadAt(s.text, 0)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		cores, whole, err := parseStat(s.text[:n])
		if err != nil || whole || n < len(s.text) {
			return cores, err
		}
		if len(s.text) >= maxStatSize {
			return nil, fmt.Errorf("/proc/stat: more than %d bytes about cores", maxStatSize)
		}
		s.text = make([]byte, 2*len(s.text))
	}
}

// parseStat reads the lines "cpuN ..." at the beginning of /proc/stat. whole is
// false when the text may end before they do.
func parseStat(text []byte) (cores []core, whole bool, err error) {
	cores = make([]core, 0, bytes.Count(text, []byte("\ncpu")))
	for {
		line, rest, ended := bytes.Cut(text, []byte("\n"))
		name, figures, _ := bytes.Cut(line, []byte(" "))
		id, isCPU := bytes.CutPrefix(name, []byte("cpu"))
		switch {
		case !ended:
			return cores, false, nil
		case !isCPU:
			return cores, true, nil
		case len(id) > 0: // the line without a number is the sum
			c, err := parseCore(id, figures)
			if err != nil {
				return nil, true, fmt.Errorf("/proc/stat: %q: %w", line, err)
			}
			cores = append(cores, c)
		}
		text = rest
	}
}

// The figures of a core in /proc/stat, see proc_stat(5); old kernels have fewer.
// The two about guests are included in user and nice.
const (
	user = iota
	nice
	system
	idle
	iowait
	irq
	softirq
	steal
	figureCount
)

func parseCore(id, figures []byte) (core, error) {
	n, err := strconv.Atoi(string(id))
	if err != nil {
		return core{}, err
	}
	var t [figureCount]float64
	for i := range t {
		var figure []byte
		figure, figures, _ = bytes.Cut(bytes.TrimLeft(figures, " "), []byte(" "))
		if len(figure) == 0 {
			break
		}
		ticks, err := strconv.ParseUint(string(figure), 10, 64)
		if err != nil {
			return core{}, err
		}
		t[i] = float64(ticks)
	}
	return core{
		id:         n,
		busy:       t[user] + t[nice] + t[system] + t[irq] + t[softirq] + t[steal],
		idle:       t[idle] + t[iowait],
		interrupts: t[irq] + t[softirq],
	}, nil
}
