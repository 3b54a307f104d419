//go:build linux

// Package netlab gives tests two computers joined by a cable: two network
// namespaces with a veth pair between them, removed at the end of the test.
package netlab

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Variable switches tests that make namespaces on; they need root.
const Variable = "LINKPACE_NETNS"

// Adapter is the name of the cable's adapter on both computers.
const Adapter = "veth0"

// Lab is the two computers, 0 and 1.
type Lab struct {
	t     testing.TB
	names [2]string
}

// New makes the computers and joins them, once in a test. It skips the test where
// nobody asked for namespaces.
func New(t testing.TB) *Lab {
	t.Helper()
	if os.Getenv(Variable) == "" {
		t.Skip("makes network namespaces: set " + Variable + "=1 and run as root")
	}
	l := &Lab{t: t}
	test := strings.ReplaceAll(t.Name(), "/", "-")
	for i := range l.names {
		l.names[i] = fmt.Sprintf("linkpace-%d-%s-%d", os.Getpid(), test, i)
		l.must("ip", "netns", "add", l.names[i])
		t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", l.names[i]).Run() })
		l.Run(i, "ip", "link", "set", "lo", "up")
	}
	l.must("ip", "link", "add", Adapter, "netns", l.names[0], "type", "veth", "peer", "name", Adapter, "netns", l.names[1])
	for i := range l.names {
		l.Run(i, "ip", "addr", "add", l.Address(i)+"/24", "dev", Adapter)
		l.Run(i, "ip", "link", "set", Adapter, "up")
	}
	return l
}

// Address is the IPv4 address of computer i.
func (l *Lab) Address(i int) string { return fmt.Sprintf("10.77.0.%d", i+1) }

// Shape limits what each computer sends to a rate as tc(8) writes it.
func (l *Lab) Shape(rate string) {
	l.t.Helper()
	for i := range l.names {
		l.Run(i, "tc", "qdisc", "add", "dev", Adapter, "root", "tbf", "rate", rate, "burst", "64kb", "latency", "20ms")
	}
}

// Command prepares a program on computer i.
func (l *Lab) Command(i int, args ...string) *exec.Cmd {
	return exec.Command("ip", append([]string{"netns", "exec", l.names[i]}, args...)...)
}

// Run runs a program on computer i that must not fail.
func (l *Lab) Run(i int, args ...string) {
	l.t.Helper()
	l.must("ip", append([]string{"netns", "exec", l.names[i]}, args...)...)
}

// Statistics opens a file of /proc/net as computer i sees it, such as dev or snmp;
// it can be read over and over from its beginning.
func (l *Lab) Statistics(i int, name string) *os.File {
	l.t.Helper()
	type opened struct {
		file *os.File
		err  error
	}
	result := make(chan opened)
	go func() {
		runtime.LockOSThread() // for good: a thread in another namespace ends here
		file, err := l.openWithin(i, "/proc/thread-self/net/"+name)
		result <- opened{file, err}
	}()
	o := <-result
	if o.err != nil {
		l.t.Fatal(o.err)
	}
	l.t.Cleanup(func() { o.file.Close() })
	return o.file
}

// openWithin moves this thread into the namespace of computer i and opens a file.
func (l *Lab) openWithin(i int, path string) (*os.File, error) {
	space, err := os.Open("/run/netns/" + l.names[i])
	if err != nil {
		return nil, err
	}
	defer space.Close()
	if err := unix.Setns(int(space.Fd()), unix.CLONE_NEWNET); err != nil {
		return nil, fmt.Errorf("enter %s: %w", space.Name(), err)
	}
	return os.Open(path)
}

func (l *Lab) must(name string, args ...string) {
	l.t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		l.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}
