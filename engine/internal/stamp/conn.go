package stamp

import (
	"net/netip"
	"os"
	"syscall"
	"time"
)

// Conn exchanges datagrams with one other computer. It is for one goroutine: where
// the system allows, sending and waiting are system calls without a scheduler in
// between. Close it before the socket.
type Conn struct {
	packets Packets
	to      netip.AddrPort
	system  *systemConn // nil where package net has to do
}

// Connect prepares a socket for exchanging datagrams with to. Nobody may read
// the socket or send by it any other way afterwards.
func Connect(packets Packets, to netip.AddrPort) *Conn {
	c := &Conn{packets: packets, to: to}
	if s, ok := packets.(syscall.Conn); ok {
		if raw, err := s.SyscallConn(); err == nil {
			c.system = connectSystem(raw, to)
		}
	}
	return c
}

// Stamped reports whether the system tells when datagrams left and came, so that
// it does not matter how soon the program has its turn.
func (c *Conn) Stamped() bool { return c.system != nil && c.system.stamped() }

// Close gives back what waiting needs. The socket stays the caller's.
func (c *Conn) Close() {
	if c.system != nil {
		c.system.close()
	}
}

// Send sends one datagram and tells when it left.
func (c *Conn) Send(b []byte) (Moment, error) {
	if c.system != nil {
		return c.system.send(b)
	}
	m := Moment{Program: time.Now()}
	_, err := c.packets.WriteToUDPAddrPort(b, c.to)
	return m, err
}

// Receive waits for a datagram of the other computer, copies it into b and tells
// when it came. At by it gives up with os.ErrDeadlineExceeded. After another
// error, such as the other system's word that nobody listens there, it can be
// called again.
func (c *Conn) Receive(b []byte, by time.Time) (int, Moment, error) {
	if c.system != nil {
		return c.system.receive(b, by)
	}
	if err := c.packets.SetReadDeadline(by); err != nil {
		return 0, Moment{}, err
	}
	for {
		n, from, err := c.packets.ReadFromUDPAddrPort(b)
		m := Moment{Program: time.Now()}
		if err != nil || c.peer(from) {
			return n, m, err
		}
		if !m.Program.Before(by) { // however many others send
			return 0, Moment{}, os.ErrDeadlineExceeded
		}
	}
}

// peer tells whether a datagram comes from the other computer. Zones have two
// forms, a name and a number, and are left out; the token is the proof.
func (c *Conn) peer(from netip.AddrPort) bool {
	return from.Port() == c.to.Port() && from.Addr().Unmap().WithZone("") == c.to.Addr().Unmap().WithZone("")
}
