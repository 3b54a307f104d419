// Package stamp sends and receives datagrams with the times at which they left
// and came, as near to the wire as the system tells.
//
// Two clocks are involved. A program's own reading is monotonic, but counts the
// time that its thread waits for a processor. A kernel's stamp does not, but is of
// the wall clock, which may be set in between. Only differences of readings of
// one clock are used, and one that cannot be is replaced by the other clock's.
package stamp

import (
	"net/netip"
	"time"
)

// Packets is the UDP socket that is used. Where it is one of the system, which
// shows by a SyscallConn method, the system is asked for more than these methods
// give.
type Packets interface {
	ReadFromUDPAddrPort(b []byte) (n int, from netip.AddrPort, err error)
	WriteToUDPAddrPort(b []byte, to netip.AddrPort) (int, error)
	SetReadDeadline(t time.Time) error
}

// Moment is when a datagram left or came.
type Moment struct {
	// Program is the program's reading, just before it sent or just after it
	// received, of the finest clock that it has; only differences of two mean
	// anything.
	Program time.Time
	// Kernel is the system's stamp, of the wall clock; zero where there is none.
	Kernel time.Time
}

// Held is how long a datagram that came at m has been here; now is what
// Reader.Now says.
func (m Moment) Held(now time.Time) time.Duration {
	program := now.Sub(m.Program)
	if m.Kernel.IsZero() {
		return program
	}
	held := now.Round(0).Sub(m.Kernel)
	if held < program || held > program+maxWait {
		return program // the wall clock was set
	}
	return held
}

// maxWait is more than a datagram waits in a socket for a program that lives.
const maxWait = time.Second

// Trip gives the round trip of a datagram that left at sent and whose echo came at
// came: program as this program saw it, network without the time that both
// programs took, held being what the other one says it took.
func Trip(sent, came Moment, held time.Duration) (network, program time.Duration) {
	program = came.Program.Sub(sent.Program)
	network = program
	if !sent.Kernel.IsZero() && !came.Kernel.IsZero() {
		// The kernel's two stamps lie between the program's two readings.
		if kernel := came.Kernel.Sub(sent.Kernel); kernel >= 0 && kernel <= program {
			network = kernel
		}
	}
	if held >= 0 && held <= network { // else the other wall clock was set
		network -= held
	}
	return network, program
}
