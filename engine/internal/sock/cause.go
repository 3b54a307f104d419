package sock

import (
	"errors"
	"slices"
)

// Refused reports whether the other side is there and nothing listens.
func Refused(err error) bool { return isOneOf(err, refusedErrors) }

// Broken reports whether the other side, or a device on the way, ended the
// connection without closing it.
func Broken(err error) bool { return isOneOf(err, brokenErrors) }

// TimedOut reports whether the system gave up waiting for the other side.
func TimedOut(err error) bool { return isOneOf(err, timedOutErrors) }

// InUse reports whether a port is not to be had because something else has it.
func InUse(err error) bool { return isOneOf(err, inUseErrors) }

func isOneOf(err error, known []error) bool {
	return slices.ContainsFunc(known, func(one error) bool { return errors.Is(err, one) })
}
