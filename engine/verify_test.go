package engine

import (
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"linkpace/engine/internal/sock"
	"linkpace/engine/model"
	"linkpace/engine/protocol/native"
)

// middleBox passes connections on to a port and damages one of those that carry
// payload, once.
type middleBox struct {
	listener net.Listener
	to       netip.AddrPort
	at       int64 // of payload
	spoil    func(block []byte) []byte
	done     atomic.Bool
	all      sync.WaitGroup
}

// spoiled is how many bytes a middleBox has before it when it damages them.
const spoiled = 2048

func newMiddleBox(t *testing.T, to netip.AddrPort, at int64, spoil func([]byte) []byte) *middleBox {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m := &middleBox{listener: l, to: to, at: at, spoil: spoil}
	m.all.Go(m.serve)
	t.Cleanup(func() { l.Close(); m.all.Wait() })
	return m
}

func (m *middleBox) serve() {
	for {
		in, err := m.listener.Accept()
		if err != nil {
			return
		}
		out, err := net.DialTCP("tcp", nil, net.TCPAddrFromAddrPort(m.to))
		if err != nil {
			in.Close()
			return
		}
		m.all.Go(func() { m.join(in.(*net.TCPConn), out) })
	}
}

// join passes on what comes on either side until both have ended.
func (m *middleBox) join(in, out *net.TCPConn) {
	opening := make([]byte, native.PreambleSize)
	n, _ := io.ReadFull(in, opening)
	_, _ = out.Write(opening[:n])
	payload := strings.HasPrefix(string(opening), native.FlowMagic) && m.done.CompareAndSwap(false, true)
	var both sync.WaitGroup
	both.Go(func() { m.pass(out, in, payload) })
	both.Go(func() { m.pass(in, out, payload) })
	both.Wait()
	in.Close()
	out.Close()
}

func (m *middleBox) pass(to, from *net.TCPConn, payload bool) {
	if payload {
		_, _ = io.CopyN(to, from, m.at)
		block := make([]byte, spoiled)
		n, err := io.ReadFull(from, block)
		if err == nil {
			block = m.spoil(block)
			n = len(block)
		}
		_, _ = to.Write(block[:n])
	}
	if _, err := io.Copy(to, from); err != nil {
		_ = to.SetLinger(0) // it broke off; so does this
		to.Close()
		from.Close()
		return
	}
	_ = to.CloseWrite()
}

func TestVerifyFindsWhatAMiddleBoxDamages(t *testing.T) {
	const at = 200_001
	for name, spoil := range map[string]func([]byte) []byte{
		"one bit":       func(b []byte) []byte { b[0] ^= 0x10; return b },
		"swapped":       func(b []byte) []byte { return slices.Concat(b[spoiled/2:], b[:spoiled/2]) },
		"lost":          func(b []byte) []byte { return b[:0] },
		"twice":         func(b []byte) []byte { return slices.Concat(b, b) },
		"one byte more": func(b []byte) []byte { return slices.Insert(b, 0, b[0]+1) },
	} {
		for _, n := range []sock.Network{sock.Portable{}, sock.Best()} {
			for _, way := range []model.Direction{model.Send, model.Receive} {
				t.Run(fmt.Sprint(name, " ", n.Name(), " ", way), func(t *testing.T) {
					p := newPair(t, n)
					box := newMiddleBox(t, p.peer.Addrs[0], at, spoil)
					p.peer.Addrs[0] = box.listener.Addr().(*net.TCPAddr).AddrPort()
					spec := short()
					spec.Phases = []model.Phase{{Direction: way, Duration: 20 * time.Second}}
					spec.Verify, spec.Rate = true, 0
					a, b := p.run(t, spec)
					first := int64(at)
					if name == "twice" {
						first += spoiled
					}
					for side, r := range map[string]*model.Result{"initiator": a, "responder": b} {
						checkCorrupt(t, side, r, first)
					}
				})
			}
		}
	}
}

// checkCorrupt checks that a Result says where payload was first found changed. By
// chance a byte there can be what it was.
func checkCorrupt(t *testing.T, side string, r *model.Result, first int64) {
	t.Helper()
	if problemCode(r) != model.CodeCorrupt || r.Outcome == model.Completed {
		t.Errorf("%s: %s, %v", side, r.Outcome, r.Problem)
		return
	}
	for i := range int64(4) {
		if strings.Contains(r.Problem.Text, fmt.Sprintf("first at byte %d of", first+i)) {
			return
		}
	}
	t.Errorf("%s: %q, want byte %d", side, r.Problem.Text, first)
}

// What is missing at the very end shows in the counts alone.
func TestVerifyFindsALostEnd(t *testing.T) {
	for _, way := range []model.Direction{model.Send, model.Receive} {
		t.Run(string(way), func(t *testing.T) {
			a, b := lostEnd(t, way, true)
			for side, r := range map[string]*model.Result{"initiator": a, "responder": b} {
				if problemCode(r) != model.CodeCorrupt || !strings.Contains(r.Problem.Text, fmt.Sprintf("after %d bytes on one side and after 100000 on the other", 100_000-spoiled)) {
					t.Errorf("%s: %s, %v", side, r.Outcome, r.Problem)
				}
			}
		})
	}
}

func TestDifferentCountsAreNoted(t *testing.T) {
	a, _ := lostEnd(t, model.Send, false)
	if a.Outcome != model.Completed || !slices.ContainsFunc(a.Notes, func(n model.Note) bool { return n.Code == "counts_differ" }) {
		t.Errorf("%s, %v, notes %v", a.Outcome, a.Problem, a.Notes)
	}
}

// Datagrams may all get lost without anybody counting wrongly.
func TestLostDatagramsAreNoWrongCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lose := func(b []byte) sock.Fate {
			if payload(b) {
				return sock.Fate{}
			}
			return sock.Fate{Copies: 1}
		}
		spec := byUDP()
		spec.Phases, spec.Verify = spec.Phases[1:2], true
		a, _ := newPair(t, &sock.Mem{Fault: lose}).run(t, spec)
		if a.Outcome != model.Completed || slices.ContainsFunc(a.Notes, func(n model.Note) bool { return n.Code == "counts_differ" }) {
			t.Errorf("%s, %v, notes %v", a.Outcome, a.Problem, a.Notes)
		}
	})
}

// lostEnd carries 100,000 bytes of which the last never arrive.
func lostEnd(t *testing.T, way model.Direction, verify bool) (a, b *model.Result) {
	t.Helper()
	p := newPair(t, sock.Best())
	spec := short()
	spec.Phases = []model.Phase{{Direction: way, Duration: 20 * time.Second}}
	spec.Streams, spec.Verify, spec.Rate, spec.Limit = 1, verify, 0, 100_000
	box := newMiddleBox(t, p.peer.Addrs[0], 100_000-spoiled, func([]byte) []byte { return nil })
	p.peer.Addrs[0] = box.listener.Addr().(*net.TCPAddr).AddrPort()
	return p.run(t, spec)
}
