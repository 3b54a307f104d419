// Package sock moves bytes. A Network is one way of doing so on one operating
// system; a protocol decides what is sent (Source) and what becomes of what
// arrives (Sink), the network's streams decide how.
package sock

import (
	"context"
	"net"
	"net/netip"
	"time"
)

// Network opens streams and packet sockets.
type Network interface {
	// Name names the backend in a Result.
	Name() string
	// Dial connects to an address; from is the local address to use and may be
	// the zero Addr. It gives up with ctx.
	Dial(ctx context.Context, to netip.AddrPort, from netip.Addr) (Stream, error)
	// Listen accepts connections at an address; the zero Addr is every address
	// of the computer, port 0 a free port.
	Listen(at netip.AddrPort) (Listener, error)
	// Packets opens a UDP socket in the same manner.
	Packets(at netip.AddrPort) (PacketConn, error)
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

// Stream is one connection. Deadlines end SendBulk and ReceiveBulk as they end
// Read and Write.
type Stream interface {
	net.Conn
	// SendBulk writes what src gives until src gives nothing more or the write
	// deadline passes, which is no error.
	SendBulk(src Source) error
	// ReceiveBulk reads into dst until the other side has closed its
	// direction. A passed read deadline is os.ErrDeadlineExceeded.
	ReceiveBulk(dst Sink) error
	// CloseWrite tells the other side that nothing more comes.
	CloseWrite() error
	// Abort closes the connection at once and drops what is still queued.
	Abort()
	// Unread is how many received bytes the system holds that were not read
	// yet; 0 where it does not tell.
	Unread() int
	// Buffers gives the socket buffers that the system granted, in bytes;
	// 0 is unknown.
	Buffers() (send, receive int64)
}

// Source says what is sent.
type Source interface {
	// Next gives the bytes to write next, and none at the end. They are valid
	// until the following call.
	Next() []byte
	// Sent tells how many of them the system has taken.
	Sent(n int)
}

// Sink says what becomes of received bytes.
type Sink interface {
	// Buffer gives the memory to read into.
	Buffer() []byte
	// Got tells how many bytes of it were filled. An error ends ReceiveBulk
	// with it.
	Got(n int) error
}
