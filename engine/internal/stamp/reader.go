package stamp

import (
	"net/netip"
	"time"
)

// Reader reads what anybody sends to a socket. It is for one goroutine.
type Reader struct {
	packets Packets
	stamped stampedReader
}

// NewReader makes a reader of a socket that others may send by.
func NewReader(packets Packets) *Reader {
	return &Reader{packets: packets, stamped: newStampedReader(packets)}
}

// Read waits for a datagram, copies it into b and tells when it came and from
// where.
func (r *Reader) Read(b []byte) (n int, from netip.AddrPort, at Moment, err error) {
	if r.stamped.ready() {
		return r.stamped.read(b)
	}
	n, from, err = r.packets.ReadFromUDPAddrPort(b)
	return n, from, Moment{Program: time.Now()}, err
}

// Now reads the clock of Moment.Program.
func (r *Reader) Now() time.Time {
	if r.stamped.ready() {
		return r.stamped.now()
	}
	return time.Now()
}

// Stamp says whether the system is to stamp what comes, where it can. While any
// socket asks for that, the system stamps every packet of the computer, so it is
// asked only as long as somebody needs the stamps. Any goroutine may call it.
func (r *Reader) Stamp(on bool) { r.stamped.switchTo(on) }
