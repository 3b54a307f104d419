// Package discovery finds the other computers that run Linkpace, and the other
// Linkpace programs on this one. It knows nothing of tests.
//
// Several ways of looking feed one table, each by sightings: multicast DNS
// (zeroconf in browse cycles, and an own query for what zeroconf leaves out),
// hello datagrams to the broadcast address of each network and to port
// DefaultPort of this computer, peers remembered from earlier, and typed
// addresses. A sighting is only a hint. A peer counts as there when it answers
// a hello with its ID, and as gone when it says goodbye or stops answering for
// deadAfter.
//
// One goroutine owns the table. Everything that arrives is untrusted: it is
// limited in size and number, cleaned of control characters before anybody
// shows it, and never makes this program send more than it received.
package discovery

import (
	"context"
	"log/slog"
	"net/netip"
	"time"

	"linkpace/engine/model"
)

// DefaultPort is the control port (TCP) and the hello port (UDP) of a program
// that found it free.
const DefaultPort = 47820

// Words for model.Peer.Via.
const (
	viaMDNS       = "mdns"
	viaBroadcast  = "broadcast"
	viaRemembered = "remembered"
	viaTyped      = "typed"
)

// Datagrams is the UDP socket on which hello messages travel. The caller owns
// it, and may share its port with other messages: hello messages begin with
// HelloMagic. Receive returns when a message came, when ctx ends or when the
// socket fails.
type Datagrams interface {
	Send(b []byte, to netip.AddrPort) error
	Receive(ctx context.Context, b []byte) (n int, from netip.AddrPort, err error)
}

// Options say who looks and by which means.
type Options struct {
	// ID is this installation's ID, the hash of its public key: 1 to 64 letters,
	// digits or any of "-_.:=+".
	ID string
	// Instance tells apart several programs of one installation: a random word
	// of up to 32 such characters for each process.
	Instance string
	// Name is how people call this computer; OS and Version say what it runs.
	Name, OS, Version string
	// Port is the control port that is announced. 0 only looks and announces
	// nothing, for programs that end soon.
	Port uint16
	// Datagrams is the path for hello messages. Without it peers are listed as
	// multicast DNS names them, unverified.
	Datagrams Datagrams
	// Adapter gives the facts of the adapter that owns a local address; may be
	// nil.
	Adapter func(local netip.Addr) model.Adapter
	// Store is the file of remembered peers and typed addresses; "" keeps none.
	Store string
	// Quiet is true while a test runs: nothing is sent but answers, and nobody is
	// taken for gone. May be nil.
	Quiet func() bool
	// Log takes what happens, for developers; nil discards it.
	Log *slog.Logger

	seams
}

// seams are the parts of the world that tests replace.
type seams struct {
	links    func() ([]link, error)
	backends []backend
	wall     func() time.Time // without the monotonic clock, which stops in sleep
}

// State says how looking goes, in words for a person.
type State struct {
	// Interfaces are the names of the network adapters in use.
	Interfaces []string
	// Addresses are the addresses of this computer that others can type.
	Addresses []netip.Addr
	// Network is false when no adapter but the loopback has an address.
	Network bool
	// Problems are sentences on what does not work; empty when all does.
	Problems []string
}
