package model

import "fmt"

// Code is a stable word for a kind of failure, for programs; Problem.Text is
// for people.
type Code string

// The codes of a Problem.
const (
	CodeBadInput        Code = "bad_input"
	CodeNotFound        Code = "not_found"
	CodeUnreachable     Code = "unreachable"
	CodeNotLinkpace     Code = "not_linkpace"
	CodeTooOld          Code = "peer_too_old"
	CodeTooNew          Code = "peer_too_new"
	CodeIdentityChanged Code = "identity_changed"
	CodeDeclined        Code = "declined"
	CodeBusy            Code = "busy"
	CodePolicy          Code = "policy"
	CodeUnsupported     Code = "unsupported"
	CodePeerLost        Code = "peer_lost"
	CodePeerStopped     Code = "peer_stopped"
	CodeCancelled       Code = "cancelled"
	CodeCorrupt         Code = "corrupt_data"
	CodePortInUse       Code = "port_in_use"
	CodeStorage         Code = "storage"
	CodeInternal        Code = "internal"
)

// Problem is a failure: who met it, doing what, a code for programs and a
// sentence for people that says what to do next. It is an error.
type Problem struct {
	Side  Side   `json:"side"`
	Op    string `json:"op"`
	Code  Code   `json:"code"`
	Text  string `json:"text"`
	Cause error  `json:"-"`
}

// Error gives operation, sentence and cause.
func (p *Problem) Error() string {
	if p.Cause == nil {
		return fmt.Sprintf("%s: %s", p.Op, p.Text)
	}
	return fmt.Sprintf("%s: %s (%v)", p.Op, p.Text, p.Cause)
}

// Unwrap gives the cause.
func (p *Problem) Unwrap() error { return p.Cause }
