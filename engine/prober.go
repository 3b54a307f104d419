package engine

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"runtime"
	"time"

	"linkpace/engine/internal/sock"
	"linkpace/engine/internal/stamp"
	"linkpace/engine/internal/thread"
	"linkpace/engine/protocol/native"
	"linkpace/engine/units"
)

const (
	// knocks and knockEvery are how the UDP path is tried before a test.
	knocks     = 12
	knockEvery = 30 * time.Millisecond
	// maxPending is how many of the last probes may still be answered.
	maxPending = 4096
	// maxProbeErrors ends the probing on a socket that does not work. An error
	// that the system reports for an earlier datagram (port unreachable) ends
	// nothing, but many do.
	maxProbeErrors = 1000
	// glance is how often the prober looks whether the test is over.
	glance = 100 * time.Millisecond
	// lateProbe is what counts as late, a tenth of the usual time between two.
	lateProbe = 2 * time.Millisecond
)

// prober sends delay probes from the initiator and reads their echoes, all in
// one goroutine.
type prober struct {
	party    *party
	conn     sock.PacketConn
	stamped  *stamp.Conn
	token    native.Token
	sequence uint32
	pending  map[uint32]probe
	failures int
	late     int
}

// probe is one that was sent.
type probe struct {
	at   time.Duration // of the run
	sent stamp.Moment
}

// openProber opens the UDP path and knocks until an echo comes; nil when none does.
func (p *party) openProber(ctx context.Context, udpPort uint16) *prober {
	if udpPort == 0 {
		return nil
	}
	conn, err := p.engine.config.network.Packets(netip.AddrPortFrom(p.conn.Local().Addr(), 0))
	if err != nil {
		p.engine.config.Log.Debug("no UDP for delay probes", "err", err)
		return nil
	}
	pr := &prober{
		party: p, conn: conn, token: p.secret.ProbeToken(), pending: map[uint32]probe{},
		stamped: stamp.Connect(conn, netip.AddrPortFrom(p.conn.Remote().Addr(), udpPort)),
	}
	if pr.knock(ctx) {
		return pr
	}
	pr.close()
	return nil
}

func (pr *prober) close() {
	pr.stamped.Close()
	_ = pr.conn.Close()
}

// knock tells whether an echo comes back.
func (pr *prober) knock(ctx context.Context) bool {
	for range knocks {
		pr.send()
		for by := time.Now().Add(knockEvery); time.Now().Before(by); {
			if pr.receive(by) {
				return true
			}
		}
		if ctx.Err() != nil {
			break
		}
	}
	return false
}

// hurry gives the prober a thread of its own that has its turn before others,
// where nobody but the program can tell when a datagram left and came. Where the
// system stamps them it would cost more than it brings: each time Go's scheduler
// looks after a goroutine that keeps to its thread, several threads wake up.
func (pr *prober) hurry() (undo func()) {
	if pr.stamped.Stamped() {
		return func() {}
	}
	runtime.LockOSThread() // the thread ends with the goroutine
	undo, err := thread.Urgent()
	if err != nil {
		pr.party.engine.config.Log.Debug("delay probes without priority", "err", err)
	}
	return undo
}

// run probes until ctx ends.
func (pr *prober) run(ctx context.Context, every time.Duration) {
	defer pr.close()
	defer pr.hurry()()
	first := pr.sequence
	for next := time.Now().Add(every); ctx.Err() == nil && pr.failures < maxProbeErrors; {
		now := time.Now()
		if now.Before(next) {
			pr.receive(earlier(next, now.Add(glance)))
			continue
		}
		if now.Sub(next) >= lateProbe {
			pr.late++
		}
		pr.send()
		if next = next.Add(every); next.Before(now) {
			next = now.Add(every) // what was missed is not made up for
		}
	}
	pr.conclude(int(pr.sequence - first))
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// conclude notes that this computer did not keep the time of its probes.
func (pr *prober) conclude(sent int) {
	if pr.late*20 > sent {
		pr.party.note("delay_timer_late", fmt.Sprintf(
			"This computer was so busy that %d of %d delay probes left more than %v late. Where its system stamps packets, the delay is that of the network all the same; elsewhere it includes some of the waiting here.",
			pr.late, sent, units.Delay(lateProbe)))
	}
}

func (pr *prober) send() {
	pr.sequence++
	delete(pr.pending, pr.sequence-maxPending)
	at := pr.party.clock.Now()
	wire := native.Probe{Token: pr.token, Sequence: pr.sequence, Sent: at}
	sent, err := pr.stamped.Send(wire.Append(make([]byte, 0, native.ProbeSize)))
	if err != nil {
		pr.failures++
		return
	}
	pr.pending[pr.sequence] = probe{at, sent}
}

// receive waits for an echo and logs it. It may return earlier than by without one.
func (pr *prober) receive(by time.Time) bool {
	var buffer [native.ProbeSize + 1]byte
	n, came, err := pr.stamped.Receive(buffer[:], by)
	if err != nil {
		if errors.Is(err, net.ErrClosed) {
			pr.failures = maxProbeErrors
		} else if !errors.Is(err, os.ErrDeadlineExceeded) {
			pr.failures++
		}
		return false
	}
	echo, bad := native.ParseProbe(buffer[:n])
	if bad != nil || !echo.Echo || !echo.Token.Equal(pr.token) {
		return false
	}
	asked, known := pr.pending[echo.Sequence]
	if !known {
		return false
	}
	delete(pr.pending, echo.Sequence)
	network, program := stamp.Trip(asked.sent, came, echo.Held)
	pr.party.delay(asked.at, network, program)
	return true
}
