//go:build !linux && !windows

package stamp

import (
	"net/netip"
	"syscall"
	"time"
)

// stampedReader is of systems that stamp what comes.
type stampedReader struct{}

func newStampedReader(Packets) stampedReader { return stampedReader{} }

func (stampedReader) ready() bool { return false }

func (stampedReader) now() time.Time { return time.Now() }

func (stampedReader) read([]byte) (int, netip.AddrPort, Moment, error) {
	return 0, netip.AddrPort{}, Moment{}, syscall.ENOSYS
}

func (stampedReader) switchTo(bool) {}
