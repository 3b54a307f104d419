//go:build !linux && !windows

package sock

import (
	"net"
)

// What the program does not know how to ask of this system is left to it.

// SharedPorts says whether Join may be given a port that Packets has opened.
const SharedPorts = false

func share(*net.UDPConn) {}

func prepare(fd uintptr, _ bool, t Tuning) { _, _, _ = setBuffers(fd, t.SendBuffer, t.ReceiveBuffer) }

func allowFragments(Datagrams) {}

func pathMTU(uintptr, bool) int { return 0 }

func droppedPackets(uintptr) (uint64, bool) { return 0, false }

func reuse(uintptr) {}
