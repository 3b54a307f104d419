package control

import (
	"fmt"

	"linkpace/engine/model"
)

// Version is the version of the conversation that this program speaks, Oldest
// the oldest it understands.
//
// History: 1 (2026-11) first version.
const (
	Version = 1
	Oldest  = 1
)

// Hello is the first message of both sides.
type Hello struct {
	Version int `json:"version"`
	Oldest  int `json:"min"`
	// App is the version of the program, for people.
	App string `json:"app"`
	// Endpoint describes the computer. Its ID is taken from TLS, its address
	// from the connection, never from here.
	Endpoint model.Endpoint `json:"endpoint"`
}

// Negotiate gives the version that both sides speak. The error is a
// *model.Problem that says which of the two programs has to be updated.
func Negotiate(ours, theirs Hello) (int, error) {
	switch {
	case theirs.Version < ours.Oldest:
		return 0, &model.Problem{Side: model.Remote, Op: "hello", Code: model.CodeTooOld,
			Text: fmt.Sprintf("Linkpace on %s is too old (version %s) for this one (%s). Update it there and try again.", called(theirs), theirs.App, ours.App)}
	case ours.Version < theirs.Oldest:
		return 0, &model.Problem{Side: model.Local, Op: "hello", Code: model.CodeTooNew,
			Text: fmt.Sprintf("Linkpace on %s is newer (version %s) and no longer understands this one (%s). Update it here and try again.", called(theirs), theirs.App, ours.App)}
	}
	return min(ours.Version, theirs.Version), nil
}

func called(h Hello) string {
	if h.Endpoint.Name == "" {
		return "the other computer"
	}
	return h.Endpoint.Name
}
