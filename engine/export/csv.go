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
		// Since schema 2; programs that read columns by number find the old ones
		// where they were.
		"duplicated_packets", "dropped_packets", "jitter_ns",
		"tcp_min_rtt_ns", "tcp_peer_window_bytes", "tcp_in_flight_bytes", "tcp_mss_bytes", "tcp_delivery_bps", "tcp_busy_ns",
		"tcp_receiver_limited_ns", "tcp_send_buffer_limited_ns", "tcp_congestion_limited_ns", "tcp_reordered",
		"ping_program_ns", "cpu_interrupts_mean_ratio",
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
	cells = append(cells, hostCells(s.Host)...)
	cells = append(cells, fateCells(s)...)
	cells = append(cells, limitCells(s.TCP)...)
	cells = append(cells, present(s.PingProgram > 0, number(s.PingProgram)))
	return append(cells, interruptCell(s.Host))
}

func payloadCells(s *model.Sample) []string {
	if s.Dir == "" {
		return make([]string, 4)
	}
	counted := countsDatagrams(s)
	return []string{
		number(s.Bytes), present(counted, natural(s.Packets)), present(counted, natural(s.Lost)), present(counted, natural(s.Late)),
	}
}

func countsDatagrams(s *model.Sample) bool { return s.Packets > 0 || s.Lost > 0 || s.Late > 0 }

// fateCells say what became of datagrams.
func fateCells(s *model.Sample) []string {
	if s.Dir == "" || !countsDatagrams(s) {
		return make([]string, 3)
	}
	return []string{natural(s.Duplicated), natural(s.Dropped), number(s.Jitter)}
}

// limitCells are what schema 2 added to the figures of the kernel.
func limitCells(t *model.TCPInfo) []string {
	if t == nil {
		return make([]string, 10)
	}
	return []string{
		number(t.MinRTT), number(t.PeerWindow), number(t.InFlight), number(t.MSS), strconv.FormatFloat(float64(t.Delivery), 'f', 0, 64),
		number(t.Busy), number(t.ReceiverLimited), number(t.SendBufferLimited), number(t.CongestionLimited), natural(t.Reordered),
	}
}

func interruptCell(h *model.Host) string {
	if h == nil || len(h.Interrupts) == 0 {
		return ""
	}
	return share(h.InterruptMean())
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
