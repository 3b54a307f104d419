package stamp

import (
	"net/netip"
	"syscall"
	"time"
)

// stampedReader reads the fine counter of Windows as soon as a datagram is there.
type stampedReader struct {
	packets Packets // nil for fakes, whose time may be a fake as well
	counter counter
}

func newStampedReader(packets Packets) stampedReader {
	counter, ok := newCounter()
	if _, is := packets.(syscall.Conn); !is || !ok {
		return stampedReader{}
	}
	return stampedReader{packets, counter}
}

func (r *stampedReader) ready() bool { return r.packets != nil }

func (r *stampedReader) now() time.Time { return r.counter.now() }

func (r *stampedReader) read(b []byte) (n int, from netip.AddrPort, at Moment, err error) {
	n, from, err = r.packets.ReadFromUDPAddrPort(b)
	return n, from, Moment{Program: r.counter.now()}, err
}

func (*stampedReader) switchTo(bool) {}
