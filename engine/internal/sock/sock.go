// Package sock moves bytes. A Network is one way of doing so on one operating
// system; a protocol decides what is sent (Source) and what becomes of what
// arrives (Sink), the network's Workers decide how.
package sock

import (
	"cmp"
	"context"
	"net"
	"net/netip"
	"time"

	"linkpace/engine/model"
)

// Network opens streams and packet sockets, and hires who moves payload over
// them.
type Network interface {
	// Name names the backend in a Result.
	Name() string
	// Dial connects to an address; from is the local address to use and may be
	// the zero Addr. It gives up with ctx.
	Dial(ctx context.Context, to netip.AddrPort, from netip.Addr, t Tuning) (Stream, error)
	// Listen accepts connections at an address; the zero Addr is every address
	// of the computer, port 0 a free port.
	Listen(at netip.AddrPort) (Listener, error)
	// Packets opens a UDP socket in the same manner.
	Packets(at netip.AddrPort) (PacketConn, error)
	// Join opens a UDP socket for datagrams to and from one remote address alone.
	// Port 0 is a free one; SharedPorts says whether it may be that of Packets.
	Join(local, remote netip.AddrPort, t Tuning) (Datagrams, error)
	// Hire starts those who move the payload of one phase.
	Hire(t Terms) Workers
	// HireCarriers prepares those who move the datagrams of one phase.
	HireCarriers(t Terms) Carriers
}

// Listener hands out the connections that others open.
type Listener interface {
	Accept() (Stream, error)
	Addr() netip.AddrPort
	Close() error
}

// PacketConn is a UDP socket.
type PacketConn interface {
	ReadFromUDPAddrPort(b []byte) (n int, from netip.AddrPort, err error)
	WriteToUDPAddrPort(b []byte, to netip.AddrPort) (int, error)
	SetReadDeadline(t time.Time) error
	Close() error
}

// Stream is one connection. Once workers have moved payload over it, it is good
// for asking, CloseWrite, Abort and Close only.
type Stream interface {
	net.Conn
	// CloseWrite tells the other side that nothing more comes.
	CloseWrite() error
	// Abort closes the connection at once and drops what is still queued.
	Abort()
	// Unread is how many received bytes the system holds that were not read
	// yet; 0 where it does not tell.
	Unread() int
	// Tune asks the system for what a connection that is there already can still
	// be given. The error joins what was refused; the rest is granted.
	Tune(t Tuning) error
	// Granted reads back what the system granted.
	Granted() Granted
	// TCPInfo gives the kernel's own figures; false where it does not tell.
	TCPInfo() (model.TCPInfo, bool)
}

// Tuning is what is asked of a socket. Zero fields are left to the system.
type Tuning struct {
	SendBuffer, ReceiveBuffer int // bytes
	// NoDelay switches Nagle's algorithm off.
	NoDelay bool
	// MSS is the largest segment in bytes of payload; only Dial can ask for it.
	MSS int
	// DSCP marks the packets (RFC 2474).
	DSCP int
	// Congestion names the congestion control algorithm.
	Congestion string
}

// Granted is what a system granted; zero is unknown.
type Granted struct {
	SendBuffer, ReceiveBuffer int64 // bytes, as the system counts them
	MSS                       int
	Congestion                string
}

// Terms say how the payload of a phase is to be moved.
type Terms struct {
	// Streams is how many connections the phase has in all.
	Streams int
	// Link allows what a program that needs the data could not do: to send from
	// shared memory, and to have the kernel discard what arrives.
	Link bool
	// Block is the most that one call moves; 0 leaves it to the backend.
	Block int
	// Threads is how many threads share the work; 0 leaves it to the backend.
	Threads int
	// CPUs are the processors that those threads keep to.
	CPUs []int
	// Plain does without system calls that bypass Go's scheduler.
	Plain bool
	// Outstanding is how many reads and writes are in the system's hands at once
	// for each stream, where the backend works that way.
	Outstanding int
	// PlainDatagrams does without the kernel's segmentation and coalescing.
	PlainDatagrams bool
}

// Methods say how payload was moved, for the Result; empty is not at all.
type Methods struct {
	Send, Receive string
	// Syscalls is SyscallsRaw or SyscallsPlain.
	Syscalls string
	// Refused is what the system said against a wish about the threads.
	Refused error
}

// Merge adds what m says; where both say something, the later word counts.
func (all *Methods) Merge(m Methods) {
	all.Send = cmp.Or(m.Send, all.Send)
	all.Receive = cmp.Or(m.Receive, all.Receive)
	all.Syscalls = cmp.Or(m.Syscalls, all.Syscalls)
	if m.Refused != nil {
		all.Refused = m.Refused
	}
}

// The words of Methods that more than one backend uses.
const (
	MethodWrite    = "write"
	MethodVmsplice = "vmsplice"
	MethodRead     = "read"
	MethodDiscard  = "discard"
	SyscallsRaw    = "raw"
	SyscallsPlain  = "plain"
)

// Workers move the payload of one phase. Several streams may be worked on at
// once, each by a call of its own.
type Workers interface {
	// Send writes what o says to s until o ends or its time is up, which is no
	// error. When ctx ends it breaks the connection and returns the cause.
	Send(ctx context.Context, s Stream, o Outgoing) error
	// Receive reads from s until the other side has closed its direction. Time
	// that is up is os.ErrDeadlineExceeded; ctx as in Send.
	Receive(ctx context.Context, s Stream, in Incoming) error
	// Methods says how it was done; ask when it is.
	Methods() Methods
	// Close lets the workers go. Nothing may be under way.
	Close()
}
