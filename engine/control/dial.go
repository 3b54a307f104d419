package control

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strconv"
	"time"

	"linkpace/engine/internal/sock"
	"linkpace/engine/model"
)

// Dialer opens conversations.
type Dialer struct {
	Network  sock.Network
	Identity *Identity
	// Hello makes our hello for a connection from a local address.
	Hello func(local netip.Addr) Hello
	// From is the local address to use; the zero Addr leaves it to the route.
	From netip.Addr
}

const (
	connectTime = 3 * time.Second        // for one address to answer at all
	stagger     = 150 * time.Millisecond // before the next address is tried beside it
)

// Dial tries the peer's addresses, best first and soon side by side, until one
// proves to be the peer. expect is the ID it must have; empty accepts any. The
// error is a *model.Problem about the most telling of the failures.
func (d Dialer) Dial(ctx context.Context, peer model.Peer, expect string) (*Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type outcome struct {
		conn *Conn
		err  error
	}
	outcomes := make(chan outcome, len(peer.Addrs))
	for i, at := range peer.Addrs {
		go func() {
			conn, err := d.attempt(ctx, at, time.Duration(i)*stagger, expect)
			outcomes <- outcome{conn, err}
		}()
	}
	var worst *model.Problem
	for i := range peer.Addrs {
		o := <-outcomes
		if o.err == nil {
			cancel()
			go func() { // close those that won a moment later
				for range len(peer.Addrs) - i - 1 {
					if late := <-outcomes; late.conn != nil {
						_ = late.conn.Close()
					}
				}
			}()
			return o.conn, nil
		}
		worst = moreTelling(worst, explain(peer, peer.Addrs[0], o.err))
	}
	if worst == nil {
		return nil, &model.Problem{Side: model.Local, Op: "connect", Code: model.CodeNotFound, Text: fmt.Sprintf("No address of %s is known.", peer.Name)}
	}
	return nil, worst
}

func (d Dialer) attempt(ctx context.Context, at netip.AddrPort, after time.Duration, expect string) (*Conn, error) {
	select {
	case <-time.After(after):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	connecting, done := context.WithTimeout(ctx, connectTime)
	stream, err := d.Network.Dial(connecting, at, d.From, sock.Tuning{})
	done()
	if err != nil {
		return nil, &connectError{at, err}
	}
	shaking, done := context.WithTimeout(ctx, HandshakeTime)
	defer done()
	conn, err := converse(shaking, tls.Client(stream, d.Identity.config()), d.Hello(addrPort(stream.LocalAddr()).Addr()))
	if err == nil && expect != "" && conn.PeerID != expect {
		err = &model.Problem{Side: model.Remote, Op: "connect", Code: model.CodeIdentityChanged,
			Text: fmt.Sprintf("The computer at %v is not the one that was known here: its key is %s, expected was %s. If Linkpace was installed anew there, forget the old key (lpace peers forget) and try again. If not, somebody may be posing as it.", at, ShortCode(conn.PeerID), ShortCode(expect))}
	}
	if err != nil {
		stream.Abort()
		return nil, &conversationError{at, err}
	}
	return conn, nil
}

// connectError says that no connection came about, conversationError that one
// did but not with a Linkpace that we can talk to.
type (
	connectError struct {
		at  netip.AddrPort
		err error
	}
	conversationError struct {
		at  netip.AddrPort
		err error
	}
)

func (e *connectError) Error() string      { return fmt.Sprintf("connect to %v: %v", e.at, e.err) }
func (e *connectError) Unwrap() error      { return e.err }
func (e *conversationError) Error() string { return fmt.Sprintf("talk to %v: %v", e.at, e.err) }
func (e *conversationError) Unwrap() error { return e.err }

// explain turns a failure to connect into a sentence with what to do next.
func explain(peer model.Peer, first netip.AddrPort, err error) *model.Problem {
	p := &model.Problem{Side: model.Remote, Op: "connect", Cause: err}
	var known *model.Problem
	var connect *connectError
	var talk *conversationError
	at := first
	switch {
	case errors.As(err, &connect):
		at = connect.at
	case errors.As(err, &talk):
		at = talk.at
	}
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, context.Canceled):
		p.Side, p.Code, p.Text = model.Local, model.CodeCancelled, "The test was cancelled before it began."
	case connect != nil && sock.Refused(err):
		p.Code, p.Text = model.CodeUnreachable, fmt.Sprintf("The computer at %v is there, but Linkpace does not run on port %d. Open Linkpace on it, or start: lpace serve", at.Addr(), at.Port())
	case connect != nil && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) || sock.TimedOut(err) || isTimeout(err)):
		p.Code, p.Text = model.CodeUnreachable, fmt.Sprintf("Nothing answers at %v. Check that %s is on, that the address is right, and that a firewall there lets Linkpace through (TCP and UDP port %d).", at, whom(peer), at.Port())
	case connect != nil && at.Addr().Zone() != "" && !zoneKnown(at.Addr().Zone()):
		p.Side, p.Code, p.Text = model.Local, model.CodeUnreachable, fmt.Sprintf("This computer has no adapter %q, which the address %v names after the %% sign.", at.Addr().Zone(), at.Addr())
	case connect != nil:
		p.Code, p.Text = model.CodeUnreachable, fmt.Sprintf("%v cannot be reached from this computer: %v.", at, cause(err))
	case errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) || isTimeout(err):
		p.Code, p.Text = model.CodeNotLinkpace, fmt.Sprintf("Something accepts connections at %v but does not answer as Linkpace does. Check the port number.", at)
	default:
		p.Code, p.Text = model.CodeNotLinkpace, fmt.Sprintf("What answers at %v is not Linkpace but another program. Check the port number.", at)
		if errors.Is(err, io.EOF) || sock.Broken(err) || errors.Is(err, net.ErrClosed) {
			p.Text = fmt.Sprintf("Something at %v closes the connection at once: it is not Linkpace, or it does not accept this computer now. Check the port number, then try again.", at)
		}
	}
	return p
}

// zoneKnown reports whether the zone of an address names an adapter of this
// computer, by name or by number.
func zoneKnown(zone string) bool {
	if _, err := net.InterfaceByName(zone); err == nil {
		return true
	}
	n, err := strconv.Atoi(zone)
	if err != nil {
		return false
	}
	_, err = net.InterfaceByIndex(n)
	return err == nil
}

func whom(peer model.Peer) string {
	if peer.Name == "" {
		return "the computer"
	}
	return peer.Name
}

func isTimeout(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.As(err, &timeout) && timeout.Timeout()
}

// cause gives the system's own words without the wrapping.
func cause(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

// telling ranks codes: an answer of the peer itself says more than silence.
var telling = []model.Code{model.CodeIdentityChanged, model.CodeTooOld, model.CodeTooNew, model.CodeNotLinkpace, model.CodeUnreachable, model.CodeCancelled}

func moreTelling(a, b *model.Problem) *model.Problem {
	if a == nil {
		return b
	}
	for _, code := range telling {
		switch code {
		case a.Code:
			return a
		case b.Code:
			return b
		}
	}
	return a
}
