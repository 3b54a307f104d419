package model

import "time"

// Schema is the version of the Result that this program writes.
//
// History: 1 (2026-11) first version. 2 (2026-11) fields were added: sockets and
// threads in asked and effective, datagrams, kernel figures, the programs' view
// of delay and interrupts in samples. Nothing changed its meaning, so a file of
// schema 1 is read as it is.
const Schema = 2

// Result is what came of a test. Everything that can be computed from it
// (rates, delays, findings) is computed when it is shown or exported, not kept.
type Result struct {
	Schema    int       `json:"schema"`
	ID        string    `json:"id"`
	Started   time.Time `json:"started"`
	Role      Role      `json:"role"`
	Protocol  Protocol  `json:"protocol"`
	Transport Transport `json:"transport"`
	Mode      Mode      `json:"mode"`
	// Asked is what was wanted, Effective what was granted and used, both seen
	// from this computer.
	Asked     Spec      `json:"asked"`
	Effective Effective `json:"effective"`
	Local     Endpoint  `json:"local"`
	Remote    Endpoint  `json:"remote"`
	// SameMachine is true when both ends are this computer: such a result says
	// nothing of a link and is never compared with one that does.
	SameMachine bool     `json:"same_machine,omitempty"`
	Phases      []Phase  `json:"phases"`
	Samples     []Sample `json:"samples"`
	Notes       []Note   `json:"notes"`
	Outcome     Outcome  `json:"outcome"`
	Problem     *Problem `json:"problem,omitempty"`
}

// Effective is a Spec as it was carried out, with what the systems granted.
type Effective struct {
	Spec
	// Backend names the socket backend of this computer.
	Backend string `json:"backend"`
	// SendMethod and ReceiveMethod say how this computer moved the payload
	// ("write", "vmsplice", "read", "discard" and so on); empty where it did not.
	SendMethod    string `json:"send_method,omitempty"`
	ReceiveMethod string `json:"receive_method,omitempty"`
	// PeerSendMethod and PeerReceiveMethod say it of the other computer.
	PeerSendMethod    string `json:"peer_send_method,omitempty"`
	PeerReceiveMethod string `json:"peer_receive_method,omitempty"`
	// Syscalls is "raw" where the threads that move payload bypassed the
	// scheduler of the language, "plain" where not.
	Syscalls string `json:"syscalls,omitempty"`
	// What the system granted to the first connection; zero is unknown.
	SendBuffer    int64  `json:"send_buffer_bytes,omitempty"`
	ReceiveBuffer int64  `json:"receive_buffer_bytes,omitempty"`
	MSS           int    `json:"mss_bytes,omitempty"`
	Congestion    string `json:"congestion,omitempty"`
	// DelayPath is how delay was probed: "udp" or "control".
	DelayPath string `json:"delay_path,omitempty"`
}

// Note is something a reader of the figures should know, for instance a wish
// that the system did not grant.
type Note struct {
	At   time.Duration `json:"at_ns"`
	Side Side          `json:"side"`
	Code string        `json:"code"`
	Text string        `json:"text"`
}

// Measured reports whether any payload phase has at least two samples.
func (r *Result) Measured() bool {
	for i := range r.Samples {
		if r.Samples[i].Bytes > 0 {
			return true
		}
	}
	return false
}
