package stamp

import (
	"net/netip"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// messages is what *net.UDPConn has and a fake need not.
type messages interface {
	ReadMsgUDPAddrPort(b, oob []byte) (n, oobn, flags int, from netip.AddrPort, err error)
}

// stampedReader reads control messages with the datagrams.
type stampedReader struct {
	messages messages
	raw      syscall.RawConn
	oob      []byte
}

func newStampedReader(packets Packets) (r stampedReader) {
	m, can := packets.(messages)
	s, is := packets.(syscall.Conn)
	if !can || !is {
		return r
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return r
	}
	return stampedReader{messages: m, raw: raw, oob: make([]byte, oobSize)}
}

func (r *stampedReader) ready() bool { return r.raw != nil }

func (*stampedReader) now() time.Time { return time.Now() }

func (r *stampedReader) read(b []byte) (n int, from netip.AddrPort, at Moment, err error) {
	n, oobn, _, from, err := r.messages.ReadMsgUDPAddrPort(b, r.oob)
	at.Program = time.Now()
	if err == nil {
		at.Kernel, _ = softwareStamp(r.oob[:oobn])
	}
	return n, from, at, err
}

func (r *stampedReader) switchTo(on bool) {
	if !r.ready() {
		return
	}
	wish := 0
	if on {
		wish = incoming
	}
	_ = r.raw.Control(func(fd uintptr) {
		_ = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_TIMESTAMPING, wish)
	})
}
