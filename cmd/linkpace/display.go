package main

import "errors"

// errNoDisplay says what to do where no window can open.
var errNoDisplay = errors.New("there is no display to open a window on: start linkpace from a desktop, or use lpace in a terminal")

// display checks that there is something to open a window on: the toolkit would
// end the program with a stack trace.
func display(goos string, getenv func(string) string) error {
	if goos == "linux" && getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == "" {
		return errNoDisplay
	}
	return nil
}
