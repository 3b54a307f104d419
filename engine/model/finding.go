package model

// Certainty says how sure a Finding is.
type Certainty string

// The degrees of certainty.
const (
	Certain  Certainty = "certain"
	Likely   Certainty = "likely"
	Possible Certainty = "possible"
)

// Finding is one thing that a Result says in words. The first finding of a
// Result is the verdict.
type Finding struct {
	// Code is a stable word for programs.
	Code      string    `json:"code"`
	Certainty Certainty `json:"certainty"`
	// Headline is one plain sentence, Detail the figures behind it, and Fix what
	// to do; the last two may be empty.
	Headline string `json:"headline"`
	Detail   string `json:"detail,omitempty"`
	Fix      string `json:"fix,omitempty"`
}
