package export

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"linkpace/engine/model"
)

// columns are the header of CSV. Names end in their unit, as in JSON; a ratio
// of 1 is all.
func columns() []string {
	return []string{
		"at_ns", "phase", "phase_direction", "side", "dir", "flow", "bytes", "packets", "lost_packets", "late_packets",
		"tcp_rtt_ns", "tcp_rttvar_ns", "tcp_retransmits", "tcp_cwnd_bytes", "ping_ns",
		"cpu_mean_ratio", "cpu_busiest_core_ratio", "cpu_own_cores", "adapter_rx_bytes", "adapter_tx_bytes",
	}
}

// CSV writes one row for each sample of r under a header, as RFC 4180 has it.
// Cells that a sample has no figure for are empty.
func CSV(w io.Writer, r *model.Result) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	// The writer keeps its first error for Error.
	_ = out.Write(columns())
	for i := range r.Samples {
		_ = out.Write(row(r, &r.Samples[i]))
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("writing the samples as CSV: %w", err)
	}
	return nil
}

func row(r *model.Result, s *model.Sample) []string {
	cells := []string{number(s.At), number(s.Phase), phaseDirection(r, s.Phase), word(s.Side), word(s.Dir), number(s.Flow)}
	cells = append(cells, payloadCells(s)...)
	cells = append(cells, tcpCells(s.TCP)...)
	cells = append(cells, present(s.Ping > 0, number(s.Ping)))
	return append(cells, hostCells(s.Host)...)
}

func payloadCells(s *model.Sample) []string {
	if s.Dir == "" {
		return make([]string, 4)
	}
	counted := s.Packets > 0 || s.Lost > 0 || s.Late > 0
	return []string{
		number(s.Bytes), present(counted, natural(s.Packets)), present(counted, natural(s.Lost)), present(counted, natural(s.Late)),
	}
}

func tcpCells(t *model.TCPInfo) []string {
	if t == nil {
		return make([]string, 4)
	}
	return []string{number(t.RTT), number(t.RTTVar), natural(t.Retransmits), number(t.Window)}
}

func hostCells(h *model.Host) []string {
	if h == nil {
		return make([]string, 5)
	}
	return []string{share(h.Mean()), share(h.Busiest()), share(h.Own), number(h.AdapterRx), number(h.AdapterTx)}
}

func phaseDirection(r *model.Result, phase int) string {
	if phase < 0 || phase >= len(r.Phases) {
		return ""
	}
	return word(r.Phases[phase].Direction)
}

func number[N ~int | ~int64](n N) string { return strconv.FormatInt(int64(n), 10) }

func natural(n uint64) string { return strconv.FormatUint(n, 10) }

func share(f float64) string { return strconv.FormatFloat(f, 'f', 4, 64) }

func present(there bool, cell string) string {
	if !there {
		return ""
	}
	return cell
}

// word keeps text that another computer sent from being run as a formula by
// the spreadsheet that opens the file.
func word[S ~string](s S) string {
	if text := string(s); strings.ContainsAny(text[:min(1, len(text))], "=+-@\t\r") {
		return "'" + text
	}
	return string(s)
}
