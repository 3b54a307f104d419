// Package model holds the values of a test: what is asked for (Spec), who takes
// part (Peer, Endpoint), what is read while it runs (Sample) and what came of it
// (Result). It has no behaviour beyond checking and deriving values from one
// another, opens nothing and knows no clock.
//
// Values that travel or are stored are words, never bare numbers. Every type
// that has JSON names is a contract with other people's scripts: fields are
// added, never renamed or removed.
package model

// Protocol names the conversation a test speaks.
type Protocol string

// The protocols of a Result.
const (
	Linkpace   Protocol = "linkpace"
	IPerf3     Protocol = "iperf3"
	NTttcp     Protocol = "ntttcp"
	CTSTraffic Protocol = "ctstraffic"
)

// Transport names the transport protocol that carries the payload.
type Transport string

// The transports of a test.
const (
	TCP Transport = "tcp"
	UDP Transport = "udp"
)

// Mode says what happens to received bytes.
type Mode string

// In ModeLink the kernel may discard received bytes, so that a weak computer
// can measure a fast link. In ModeApp every byte is copied to user memory, as a
// program that uses the data would.
const (
	ModeLink Mode = "link"
	ModeApp  Mode = "app"
)

// Direction is the way payload goes. In a Spec and in everything that travels
// between two programs it is the initiator's view; in a Result it is the view
// of the computer that keeps the Result.
type Direction string

// The directions of a phase. A Sample of payload is always Send or Receive.
const (
	Send    Direction = "send"
	Receive Direction = "receive"
	Both    Direction = "both"
	Idle    Direction = "idle"
)

// Flip gives the same direction as the other side sees it.
func (d Direction) Flip() Direction {
	switch d {
	case Send:
		return Receive
	case Receive:
		return Send
	}
	return d
}

// Has reports whether payload goes in direction way (Send or Receive) while
// the phase has direction d.
func (d Direction) Has(way Direction) bool { return d == way || d == Both && way != Idle }

// Role says who started the test.
type Role string

// The roles of a Result.
const (
	Initiator Role = "initiator"
	Responder Role = "responder"
)

// Side says which of the two computers read a figure, seen from the computer
// that keeps the Result.
type Side string

// The sides of a Sample.
const (
	Local  Side = "local"
	Remote Side = "remote"
)

// Flip gives the same side as the other computer names it.
func (s Side) Flip() Side {
	switch s {
	case Local:
		return Remote
	case Remote:
		return Local
	}
	return s
}

// Receiver gives the side that receives the payload of direction way.
func Receiver(way Direction) Side {
	if way == Send {
		return Remote
	}
	return Local
}

// Outcome says how a test ended.
type Outcome string

// The outcomes of a Result. Partial and Cancelled keep what was measured;
// Failed measured nothing.
const (
	Completed Outcome = "completed"
	Partial   Outcome = "partial"
	Cancelled Outcome = "cancelled"
	Failed    Outcome = "failed"
)
