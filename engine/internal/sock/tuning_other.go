//go:build !linux && !windows

package sock

import (
	"errors"
	"fmt"
)

// What the program does not know how to ask of this system is refused by name.

func grantedMSS(uintptr) int { return 0 }

func grantedCongestion(uintptr) string { return "" }

func setNoDelay(uintptr, bool) error { return unknownHere("no-delay") }

func setMSS(uintptr, int) (int, error) { return 0, unknownHere("the largest segment") }

func setDSCP(uintptr, int) (int, error) { return 0, unknownHere("DSCP") }

func setCongestion(uintptr, string) (string, error) { return "", unknownHere("congestion control") }

func setBuffers(fd uintptr, _, _ int) (gotSend, gotReceive int64, err error) {
	gotSend, gotReceive = grantedBuffers(fd)
	return gotSend, gotReceive, unknownHere("buffers")
}

func unknownHere(what string) error {
	return fmt.Errorf("set %s: %w on this system", what, errors.ErrUnsupported)
}
