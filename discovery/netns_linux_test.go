package discovery

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"linkpace/engine/model"
)

// The tests below run this test binary as a program inside network namespaces
// that they make and remove. They need root and are asked for by
// LINKPACE_NETNS=1. Times are printed and only bounded generously.
const (
	netnsAsked   = "LINKPACE_NETNS"
	netnsProgram = "LINKPACE_NETNS_PROGRAM" // "ID PORT"
	netnsPatient = 15 * time.Second
)

func TestMain(m *testing.M) {
	if program := os.Getenv(netnsProgram); program != "" {
		if err := beProgram(program); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// beProgram is the program in a namespace: it prints each list of peers as a
// line of JSON until it is told to end.
func beProgram(program string) error {
	id, portText, _ := strings.Cut(program, " ")
	port, err := strconv.Atoi(portText)
	if err != nil {
		return err
	}
	socket, err := openSocket(port)
	if err != nil {
		return err
	}
	defer socket.Close()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	s, err := Start(ctx, Options{ID: id, Instance: "i" + portText, Name: "PC " + id, OS: "linux", Port: uint16(port), Datagrams: socket})
	if err != nil {
		return err
	}
	defer s.Close()
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode([]model.Peer{}); err != nil { // it has started
		return err
	}
	var revision uint64
	for {
		var peers []model.Peer
		if peers, revision, err = s.Next(ctx, revision); err != nil {
			return nil
		}
		if err := out.Encode(peers); err != nil {
			return err
		}
	}
}

// host is a network namespace.
type host struct {
	t    *testing.T
	name string
}

func newHost(t *testing.T, name string) *host {
	t.Helper()
	if os.Getenv(netnsAsked) != "1" {
		t.Skip("set " + netnsAsked + "=1 to run tests in network namespaces")
	}
	if os.Geteuid() != 0 {
		t.Skip("network namespaces need root")
	}
	h := &host{t, fmt.Sprintf("lpd%d-%s", os.Getpid(), name)}
	run(t, "ip", "netns", "add", h.name)
	t.Cleanup(func() { run(t, "ip", "netns", "del", h.name) })
	h.ip("link", "set", "lo", "up")
	return h
}

func run(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", strings.Join(args, " "), err, out)
	}
}

func (h *host) ip(args ...string) {
	h.t.Helper()
	run(h.t, append([]string{"ip", "-n", h.name}, args...)...)
}

func (h *host) exec(args ...string) {
	h.t.Helper()
	run(h.t, append([]string{"ip", "netns", "exec", h.name}, args...)...)
}

// connect joins two hosts by a cable.
func connect(a, b *host) {
	a.t.Helper()
	a.ip("link", "add", "eth0", "type", "veth", "peer", "name", "eth0", "netns", b.name)
	a.ip("link", "set", "eth0", "up")
	b.ip("link", "set", "eth0", "up")
}

// address gives the ends of the cable IPv4 addresses.
func address(a, b *host) {
	a.ip("addr", "add", "10.77.0.1/24", "dev", "eth0")
	b.ip("addr", "add", "10.77.0.2/24", "dev", "eth0")
}

// program is a running beProgram.
type program struct {
	t       *testing.T
	cmd     *exec.Cmd
	started time.Time

	mu      sync.Mutex
	peers   []model.Peer
	changed chan struct{}
}

func (h *host) start(id string, port int) *program {
	h.t.Helper()
	p := &program{t: h.t, cmd: exec.Command("ip", "netns", "exec", h.name, os.Args[0]), started: time.Now(), changed: make(chan struct{}, 1)}
	p.cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d", netnsProgram, id, port))
	p.cmd.Stderr = os.Stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var peers []model.Peer
			if err := json.Unmarshal(lines.Bytes(), &peers); err != nil {
				h.t.Errorf("%s printed %q", id, lines.Text())
				return
			}
			p.set(peers)
		}
	}()
	h.t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		<-read
		_ = p.cmd.Wait()
	})
	return p
}

func (p *program) set(peers []model.Peer) {
	p.mu.Lock()
	p.peers = peers
	p.mu.Unlock()
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

func (p *program) list() []model.Peer {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.peers
}

// until waits for a list that fits.
func (p *program) until(what string, fits func([]model.Peer) bool) {
	p.t.Helper()
	begin, late := time.Now(), time.After(netnsPatient)
	for !fits(p.list()) {
		select {
		case <-p.changed:
		case <-late:
			p.t.Fatalf("%s: not within %v; list %+v", what, netnsPatient, p.list())
		}
	}
	p.t.Logf("%s: after %v", what, time.Since(begin).Round(time.Millisecond))
}

// sees fits a list with a verified peer whose best address is at.
func sees(id, at string) func([]model.Peer) bool {
	return func(peers []model.Peer) bool {
		for _, p := range peers {
			if p.ID == id && p.Verified && (at == "" || p.Addrs[0] == netip.MustParseAddrPort(at)) {
				return true
			}
		}
		return false
	}
}

func seesNobody(peers []model.Peer) bool { return len(peers) == 0 }

func started(peers []model.Peer) bool { return peers != nil }

func TestNetnsTwoHosts(t *testing.T) {
	a, b := newHost(t, "a"), newHost(t, "b")
	connect(a, b)
	address(a, b)
	pa, pb := a.start("a", DefaultPort), b.start("b", DefaultPort)
	pa.until("a finds b", sees("b", "10.77.0.2:47820"))
	pb.until("b finds a", sees("a", "10.77.0.1:47820"))

	if err := pb.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	pa.until("killed b vanishes", seesNobody)

	pb = b.start("b", 47900)
	pa.until("b on another port is found", sees("b", "10.77.0.2:47900"))
	if err := pb.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	pa.until("b says goodbye", seesNobody)
}

func TestNetnsAdapterComesBack(t *testing.T) {
	a, b := newHost(t, "a"), newHost(t, "b")
	connect(a, b)
	address(a, b)
	pa, pb := a.start("a", DefaultPort), b.start("b", DefaultPort)
	pa.until("a finds b", sees("b", ""))
	pb.until("b finds a", sees("a", ""))
	a.ip("link", "del", "eth0")
	pa.until("without a cable a loses b", seesNobody)
	pb.until("without a cable b loses a", seesNobody)
	connect(a, b)
	a.ip("addr", "add", "10.88.0.1/24", "dev", "eth0")
	b.ip("addr", "add", "10.88.0.2/24", "dev", "eth0")
	pa.until("a finds b at its new address", sees("b", "10.88.0.2:47820"))
	pb.until("b finds a at its new address", sees("a", "10.88.0.1:47820"))
}

func TestNetnsProgramBeforeNetwork(t *testing.T) {
	a, b := newHost(t, "a"), newHost(t, "b")
	pa, pb := a.start("a", DefaultPort), b.start("b", DefaultPort)
	pa.until("a has started", started)
	pb.until("b has started", started)
	connect(a, b)
	address(a, b)
	pa.until("a finds b", sees("b", ""))
	pb.until("b finds a", sees("a", ""))
}

func TestNetnsOnlyLoopback(t *testing.T) {
	a := newHost(t, "a")
	first := a.start("a", DefaultPort)
	second := a.start("a", 47821)
	third := a.start("a", 47822)
	both := func(one, other string) func([]model.Peer) bool {
		return func(peers []model.Peer) bool {
			found := map[string]bool{}
			for _, p := range peers {
				found[p.Instance] = p.Verified && p.SameMachine && p.Addrs[0].Addr().IsLoopback()
			}
			return len(peers) == 2 && found[one] && found[other]
		}
	}
	first.until("the first finds the others", both("i47821", "i47822"))
	second.until("the second finds the others", both("i47820", "i47822"))
	third.until("the third finds the others", both("i47820", "i47821"))
}

func TestNetnsOnlyLinkLocalIPv6(t *testing.T) {
	a, b := newHost(t, "a"), newHost(t, "b")
	connect(a, b)
	pa, pb := a.start("a", DefaultPort), b.start("b", DefaultPort)
	linkLocal := func(peers []model.Peer) bool {
		return len(peers) == 1 && peers[0].Verified && peers[0].Addrs[0].Addr().Zone() == "eth0"
	}
	pa.until("a finds b", linkLocal)
	pb.until("b finds a", linkLocal)
}

func TestNetnsSameVirtualNetworkOnBoth(t *testing.T) {
	a, b := newHost(t, "a"), newHost(t, "b")
	connect(a, b)
	for _, h := range []*host{a, b} {
		h.ip("link", "add", "docker0", "type", "bridge")
		h.ip("link", "add", "veth1", "type", "veth", "peer", "name", "veth2")
		h.ip("link", "set", "veth1", "master", "docker0")
		for _, name := range []string{"veth1", "veth2", "docker0"} {
			h.ip("link", "set", name, "up")
		}
		h.ip("addr", "add", "172.17.0.1/16", "dev", "docker0")
	}
	address(a, b)
	pa, pb := a.start("a", DefaultPort), b.start("b", DefaultPort)
	pa.until("a finds b", sees("b", "10.77.0.2:47820"))
	pb.until("b finds a", sees("a", "10.77.0.1:47820"))
}

func TestNetnsMulticastFiltered(t *testing.T) {
	a, b := newHost(t, "a"), newHost(t, "b")
	connect(a, b)
	address(a, b)
	for _, h := range []*host{a, b} {
		h.exec("nft", "add", "table", "inet", "f")
		h.exec("nft", "add", "chain", "inet", "f", "in", "{ type filter hook input priority 0; }")
		h.exec("nft", "add", "rule", "inet", "f", "in", "iif", "eth0", "udp", "dport", "5353", "drop")
	}
	pa := a.start("a", DefaultPort)
	pa.until("a has started", started)
	pb := b.start("b", DefaultPort)
	pb.until("b finds a by broadcast", sees("a", "10.77.0.1:47820"))
	pa.until("a hears of b", sees("b", "10.77.0.2:47820"))
}

// zeroconf alone never asks again after it heard itself.
func TestNetnsFilterOpensLater(t *testing.T) {
	a, b := newHost(t, "a"), newHost(t, "b")
	connect(a, b)
	address(a, b)
	a.exec("nft", "add", "table", "inet", "f")
	a.exec("nft", "add", "chain", "inet", "f", "in", "{ type filter hook input priority 0; policy drop; }")
	pa, pb := a.start("a", DefaultPort), b.start("b", DefaultPort)
	pa.until("a has started", started)
	pb.until("b lists a unverified", func(peers []model.Peer) bool { return len(peers) == 1 && !peers[0].Verified })
	a.exec("nft", "delete", "table", "inet", "f")
	pa.until("a finds b after the filter opened", sees("b", "10.77.0.2:47820"))
	pb.until("b finds a after the filter opened", sees("a", "10.77.0.1:47820"))
}

func TestNetnsHelloFiltered(t *testing.T) {
	a, b := newHost(t, "a"), newHost(t, "b")
	connect(a, b)
	address(a, b)
	b.exec("nft", "add", "table", "inet", "f")
	b.exec("nft", "add", "chain", "inet", "f", "in", "{ type filter hook input priority 0; }")
	b.exec("nft", "add", "rule", "inet", "f", "in", "udp", "dport", "47820", "drop")
	pa := a.start("a", DefaultPort)
	b.start("b", DefaultPort)
	pa.until("a lists b unverified", func(peers []model.Peer) bool {
		return len(peers) == 1 && peers[0].ID == "b" && !peers[0].Verified
	})
}
