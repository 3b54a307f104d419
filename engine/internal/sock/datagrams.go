package sock

import (
	"context"
	"net"
	"time"

	"linkpace/engine/units"
)

// Datagrams is a UDP socket joined to one remote address: it sends only there
// and gets only what comes from there. Read and Write move single datagrams.
type Datagrams interface {
	net.Conn
	// MaxPayload is the largest datagram that goes through in one piece, as far
	// as the system knows the path.
	MaxPayload() int
	// Dropped is how many packets found the socket's buffer full; false where the
	// system does not tell.
	Dropped() (uint64, bool)
	// Granted reads back what the system granted.
	Granted() Granted
}

// Carriers move the datagrams of one phase. Several sockets may be worked on at
// once, each by a call of its own.
type Carriers interface {
	// Send sends what o says by d until its time or its limit is up. When ctx ends
	// it returns the cause.
	Send(ctx context.Context, d Datagrams, o OutgoingDatagrams) error
	// Receive hands what comes to the sink until that has enough. Time that is up
	// is os.ErrDeadlineExceeded; ctx as in Send.
	Receive(ctx context.Context, d Datagrams, in IncomingDatagrams) error
	// Methods says how it was done; ask when it is.
	Methods() Methods
}

// OutgoingDatagrams says what to send by one socket.
type OutgoingDatagrams struct {
	// Size is the payload of each datagram in bytes.
	Size int
	// Stamper makes each datagram its own.
	Stamper Stamper
	// Until is when to stop.
	Until time.Time
	// Rate is the most to send, in payload; 0 is as fast as possible.
	Rate units.BitRate
	// Limit is how many bytes to send at most, rounded up to whole datagrams; 0 is
	// no limit.
	Limit units.Bytes
}

// Stamper writes into datagrams what tells them apart.
type Stamper interface {
	// Stamp writes into the next datagrams, which lie in b one after another, each
	// of size bytes and with the content that it had before. They leave together.
	Stamp(b []byte, size int)
	// Sent tells how many of them the system took. The others are stamped again.
	Sent(n int)
}

// IncomingDatagrams says what to do with what comes to one socket.
type IncomingDatagrams struct {
	Sink DatagramSink
	// Until is when to give up.
	Until time.Time
}

// DatagramSink looks at datagrams.
type DatagramSink interface {
	// Got is given datagrams that came together. They lie in b one after another,
	// each of size bytes but the last, which may be shorter; b is valid during the
	// call. done ends receiving, an error ends it with itself.
	Got(b []byte, size int, a Arrival) (done bool, err error)
}

// Arrival is what is known of datagrams that came together.
type Arrival struct {
	// At is when they came, on a clock that goes evenly and has any zero; 0 is
	// unknown.
	At time.Duration
	// Dropped is how many packets the full socket had thrown away when these were
	// put into it, modulo 2^32; known only where Counted.
	Dropped uint32
	Counted bool
}

// maxPathMTU is the largest packet that datagrams are fitted to: what jumbo
// frames carry. The loopback adapter would take 64 KB, which says nothing of
// any network.
const maxPathMTU = 9000

// The headers before the payload of a datagram (RFC 768, 791, 8200).
const (
	headers4 = 20 + 8
	headers6 = 40 + 8
)

// usualMTU is assumed where a path's is not known (RFC 894).
const usualMTU = 1500

// PayloadFor is the payload of the largest datagram that a path with an MTU
// carries in one piece, 0 being unknown.
func PayloadFor(mtu int, ipv6 bool) int {
	headers := headers4
	if ipv6 {
		headers = headers6
	}
	switch {
	case mtu == 0:
		mtu = usualMTU
	case mtu < headers+minPayload:
		mtu = headers + minPayload
	}
	return min(mtu, maxPathMTU) - headers
}

// minPayload is the least that anybody is told to send.
const minPayload = 32

// receiveRoom is the receive buffer of a socket that nobody asked to have
// another: the usual 200 KB hold a millisecond of a fast link, and a reader that
// waits for its processor any longer would be taken for a network that loses.
const receiveRoom = 4 << 20

// maxRun is the largest run of datagrams that one call sends or receives.
const maxRun = 65507
