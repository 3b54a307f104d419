package stamp

import (
	"net/netip"
	"syscall"
	"time"

	"linkpace/engine/internal/clock"
)

// stampedReader reads the fine counter of Windows as soon as a datagram is there.
type stampedReader struct {
	packets Packets // nil for fakes, whose time may be a fake as well
	clock   func() time.Time
}

func newStampedReader(packets Packets) stampedReader {
	if _, is := packets.(syscall.Conn); !is {
		return stampedReader{}
	}
	return stampedReader{packets, clock.Finest()}
}

func (r *stampedReader) ready() bool { return r.packets != nil }

func (r *stampedReader) now() time.Time { return r.clock() }

func (r *stampedReader) read(b []byte) (n int, from netip.AddrPort, at Moment, err error) {
	n, from, err = r.packets.ReadFromUDPAddrPort(b)
	return n, from, Moment{Program: r.clock()}, err
}

func (*stampedReader) switchTo(bool) {}
