package main

import (
	"os"
	"syscall"

	"linkpace/engine/units"
)

// peakMemory is the most resident memory of an ended process. Linux counts it
// in KiB (getrusage(2)), and not below what this program had when it started
// the other one.
func peakMemory(state *os.ProcessState) units.Bytes {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return units.Bytes(usage.Maxrss) << 10
}
