package stamp_test

import (
	"net"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"linkpace/engine/internal/stamp"
)

// stampedPair is two sockets of this computer with stamps on both. It skips the
// test where the system gives none.
func stampedPair(t *testing.T) (conn *stamp.Conn, reader *stamp.Reader, back *net.UDPConn) {
	t.Helper()
	mine, _ := open(t, "127.0.0.1:0")
	back, to := open(t, "127.0.0.1:0")
	conn, reader = stamp.Connect(mine, to), stamp.NewReader(back)
	reader.Stamp(true)
	for range 100 {
		if sent, there, came := exchange(t, conn, reader, back); !sent.Kernel.IsZero() && !there.Kernel.IsZero() && !came.Kernel.IsZero() {
			return conn, reader, back
		}
	}
	t.Skip("this system stamps nothing")
	return nil, nil, nil
}

func TestStampsLieBetweenTheReadings(t *testing.T) {
	conn, reader, back := stampedPair(t)
	for range 50 {
		sent, there, came := exchange(t, conn, reader, back)
		order := []time.Time{sent.Program.Round(0), sent.Kernel, there.Kernel, there.Program.Round(0), came.Kernel, came.Program.Round(0)}
		if !slices.IsSortedFunc(order, time.Time.Compare) {
			t.Errorf("not in order: %v", order)
		}
	}
}

func TestStampsGoWhenNobodyNeedsThem(t *testing.T) {
	conn, reader, back := stampedPair(t)
	reader.Stamp(false)
	if _, there, _ := exchange(t, conn, reader, back); !there.Kernel.IsZero() {
		t.Error("what comes is still stamped")
	}
}

// TestBusyProcessorsAreNoDelay keeps every processor busy with this program's own
// work, and finds that the network's delay does not show it.
func TestBusyProcessorsAreNoDelay(t *testing.T) {
	conn, reader, back := stampedPair(t)
	var all sync.WaitGroup
	stop := make(chan struct{})
	defer all.Wait()
	defer close(stop)
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() { burn(stop) })
	}
	back.SetReadDeadline(time.Now().Add(time.Minute))
	all.Go(func() { reflect(reader, back) })
	defer back.SetReadDeadline(time.Now())
	var networks, programs []time.Duration
	for range 40 {
		network, program := ask(t, conn)
		networks, programs = append(networks, network), append(programs, program)
	}
	slices.Sort(networks)
	slices.Sort(programs)
	network, program := networks[len(networks)/2], programs[len(programs)/2]
	t.Logf("medians: network %v, program %v", network, program)
	if network*3 > program {
		t.Errorf("medians: network %v, program %v: the wait for a processor is in the network's delay", network, program)
	}
}

func burn(stop <-chan struct{}) {
	for n := uint(1); ; n++ {
		if n%(1<<20) != 0 {
			continue
		}
		select {
		case <-stop:
			return
		default:
		}
	}
}

// reflect answers with the time that it held each datagram.
func reflect(reader *stamp.Reader, back *net.UDPConn) {
	var b [16]byte
	for {
		_, from, at, err := reader.Read(b[:])
		if err != nil {
			return
		}
		back.WriteToUDPAddrPort([]byte(at.Held(reader.Now()).String()), from)
	}
}

func ask(t *testing.T, conn *stamp.Conn) (network, program time.Duration) {
	t.Helper()
	sent, err := conn.Send([]byte("there"))
	if err != nil {
		t.Fatal(err)
	}
	var b [32]byte
	n, came, err := conn.Receive(b[:], time.Now().Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	held, err := time.ParseDuration(string(b[:n]))
	if err != nil {
		t.Fatal(err)
	}
	return stamp.Trip(sent, came, held)
}
