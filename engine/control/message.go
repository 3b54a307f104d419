package control

import (
	"strings"
	"time"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// Kind names a message.
type Kind string

// The kinds of message. See the package's documentation for their order.
const (
	KindHello   Kind = "hello"
	KindPropose Kind = "propose"
	KindPending Kind = "pending"
	KindAnswer  Kind = "answer"
	KindPrepare Kind = "prepare"
	KindReady   Kind = "ready"
	KindPing    Kind = "ping"
	KindPong    Kind = "pong"
	KindBegin   Kind = "begin"
	KindSamples Kind = "samples"
	KindAlive   Kind = "alive"
	KindDone    Kind = "done"
	KindFinal   Kind = "final"
	KindStop    Kind = "stop"
)

// Optional reports whether a receiver that does not know the kind may skip it.
func (k Kind) Optional() bool { return strings.HasPrefix(string(k), "x-") }

// Propose asks for a test. Directions are the sender's.
type Propose struct {
	Run  string     `json:"run"`
	Spec model.Spec `json:"spec"`
}

// Pending says why there is no answer yet.
type Pending struct {
	// Why is PendingAsk or PendingBusy.
	Why string `json:"why"`
}

// The reasons of Pending.
const (
	PendingAsk  = "ask"
	PendingBusy = "busy"
)

// Answer accepts a proposal, or refuses it with a Code.
type Answer struct {
	Code model.Code `json:"code,omitempty"`
	Text string     `json:"text,omitempty"`
	// Spec is what is granted, with the directions of the proposal.
	Spec model.Spec `json:"spec"`
	// Secret is the run's token in hexadecimal.
	Secret string `json:"secret,omitempty"`
	// UDPPort is where delay probes are echoed and flows of datagrams opened; 0 is
	// nowhere.
	UDPPort uint16 `json:"udp_port,omitempty"`
}

// Prepare and Ready name the phase whose connections are to be there.
type Prepare struct {
	Phase int `json:"phase"`
}

// Ping asks for a Pong at once.
type Ping struct {
	ID int64 `json:"id"`
}

// Pong answers a Ping with the answering side's own clock reading.
type Pong struct {
	ID    int64         `json:"id"`
	Clock time.Duration `json:"clock_ns"`
}

// Begin starts a phase at a moment of the run's time. Offset is how far the
// receiver's clock reading is ahead of the run's time.
type Begin struct {
	Phase  int           `json:"phase"`
	At     time.Duration `json:"at_ns"`
	Offset time.Duration `json:"offset_ns"`
}

// Samples carries readings. Side and Dir are the sender's view.
type Samples struct {
	Samples []model.Sample `json:"samples"`
}

// Total is what one flow carried, counted by the sender of the message. Way is
// his view.
type Total struct {
	Way   model.Direction `json:"way"`
	Flow  int             `json:"flow"`
	Bytes units.Bytes     `json:"bytes"`
	// Packets are the datagrams that were sent or that came, as in model.Sample.
	Packets uint64 `json:"packets,omitempty"`
	// Whole is true when the flow ended cleanly: a sender's that sent all it
	// wanted, a receiver's that saw the end.
	Whole bool `json:"whole"`
}

// Done ends a phase on one side.
type Done struct {
	Phase  int     `json:"phase"`
	Totals []Total `json:"totals"`
	// Ended is the moment of the run's time at which the phase was over there,
	// which is before its time when it ends by an amount of bytes.
	Ended time.Duration `json:"ended_ns,omitempty"`
}

// Final ends a test that went to its end.
type Final struct {
	Notes []model.Note `json:"notes"`
	// SendMethod and ReceiveMethod say how the sender of the message moved the
	// payload.
	SendMethod    string `json:"send_method,omitempty"`
	ReceiveMethod string `json:"receive_method,omitempty"`
}

// Stop ends a test early.
type Stop struct {
	Code model.Code `json:"code"`
	Text string     `json:"text"`
}
