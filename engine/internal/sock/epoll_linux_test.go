package sock_test

import (
	"context"
	"errors"
	"net/netip"
	"os"
	"runtime"
	"testing"
	"time"

	"linkpace/engine/internal/sock"
)

// carry moves payload from a to b for a while by workers of each side.
func carry(t *testing.T, a, b []sock.Stream, terms sock.Terms, length time.Duration) (out, in []tally) {
	t.Helper()
	terms.Streams = len(a)
	sending, receiving := sock.Epoll{}.Hire(terms), sock.Epoll{}.Hire(terms)
	defer sending.Close()
	defer receiving.Close()
	out, in = make([]tally, len(a)), make([]tally, len(a))
	ended := make(chan error, 2*len(a))
	until := time.Now().Add(length)
	for i := range a {
		go func() {
			err := sending.Send(t.Context(), a[i], sock.Outgoing{Count: &out[i], Until: until})
			ended <- errors.Join(err, a[i].CloseWrite())
		}()
		go func() {
			ended <- receiving.Receive(t.Context(), b[i], sock.Incoming{Count: &in[i], Until: far()})
		}()
	}
	for range 2 * len(a) {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	return out, in
}

func pairs(t *testing.T, n sock.Network, count int) (a, b []sock.Stream) {
	t.Helper()
	for range count {
		x, y := pair(t, n)
		a, b = append(a, x), append(b, y)
	}
	return a, b
}

// A raw system call keeps Go's scheduler out; the collector has to get through
// all the same.
func TestCollectorStopsLoopsInRawCalls(t *testing.T) {
	for name, terms := range map[string]sock.Terms{
		"link":  {Link: true},
		"app":   {},
		"plain": {Link: true, Plain: true},
	} {
		t.Run(name, func(t *testing.T) {
			stop, collected := make(chan struct{}), make(chan int)
			go func() {
				n := 0
				for {
					select {
					case <-stop:
						collected <- n
						return
					case <-time.After(10 * time.Millisecond):
						runtime.GC()
						n++
					}
				}
			}()
			a, b := pairs(t, sock.Epoll{}, 8)
			idleA, idleB := pair(t, sock.Epoll{}) // its loop waits in the kernel all the time
			idle := make(chan error, 1)
			w := sock.Epoll{}.Hire(sock.Terms{Streams: 1, Link: terms.Link, Plain: terms.Plain})
			go func() {
				idle <- w.Receive(t.Context(), idleB, sock.Incoming{Count: new(tally), Until: far()})
			}()
			out, in := carry(t, a, b, terms, 500*time.Millisecond)
			close(stop)
			if n := <-collected; n == 0 {
				t.Error("the collector never came through")
			}
			idleA.CloseWrite()
			if err := <-idle; err != nil {
				t.Error(err)
			}
			w.Close()
			for i := range out {
				if out[i].Load() != in[i].Load() || in[i].Load() == 0 {
					t.Errorf("connection %d: sent %d bytes, received %d", i, out[i].Load(), in[i].Load())
				}
			}
		})
	}
}

func TestMethodsAreNamed(t *testing.T) {
	for name, c := range map[string]struct {
		terms sock.Terms
		want  sock.Methods
	}{
		"link":  {sock.Terms{Link: true}, sock.Methods{Send: "vmsplice", Receive: "discard", Syscalls: "raw"}},
		"app":   {sock.Terms{}, sock.Methods{Send: "write", Receive: "read", Syscalls: "raw"}},
		"plain": {sock.Terms{Link: true, Plain: true}, sock.Methods{Send: "vmsplice", Receive: "discard", Syscalls: "plain"}},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := pair(t, sock.Epoll{})
			c.terms.Streams = 2
			w := sock.Epoll{}.Hire(c.terms)
			defer w.Close()
			done := make(chan error, 1)
			go func() {
				err := w.Send(t.Context(), a, sock.Outgoing{Count: new(tally), Until: far(), Limit: 1000})
				done <- errors.Join(err, a.CloseWrite())
			}()
			if err := w.Receive(t.Context(), b, sock.Incoming{Count: new(tally), Until: far()}); err != nil {
				t.Fatal(err)
			}
			if err := <-done; err != nil {
				t.Fatal(err)
			}
			if got := w.Methods(); got != c.want {
				t.Errorf("moved by %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestThreadsKeepToProcessors(t *testing.T) {
	w := sock.Epoll{}.Hire(sock.Terms{Streams: 1, CPUs: []int{4000}})
	defer w.Close()
	a, _ := pair(t, sock.Epoll{})
	if err := w.Send(t.Context(), a, sock.Outgoing{Count: new(tally), Until: far(), Limit: 10}); err != nil {
		t.Fatal(err)
	}
	if w.Methods().Refused == nil {
		t.Error("a processor that is not there was granted")
	}
}

// open counts the descriptors of this process.
func open(t *testing.T) int {
	t.Helper()
	names, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

func TestAThousandStartsLeaveNothingBehind(t *testing.T) {
	l, err := sock.Epoll{}.Listen(netip.MustParseAddrPort("127.0.0.1:0"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	once := func(i int) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		a, err := sock.Epoll{}.Dial(ctx, l.Addr(), netip.Addr{}, sock.Tuning{})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		b, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		w := sock.Epoll{}.Hire(sock.Terms{Streams: 2, Link: i%2 == 0, Plain: i%3 == 0})
		ended := make(chan error, 2)
		var moved tally
		go func() { ended <- w.Send(ctx, a, sock.Outgoing{Count: &moved, Until: far()}) }()
		go func() { ended <- w.Receive(ctx, b, sock.Incoming{Count: new(tally), Until: far()}) }()
		switch i % 4 {
		case 0: // at once
		case 1:
			for moved.Load() == 0 {
				runtime.Gosched()
			}
		case 2:
			a.Abort()
		case 3:
			b.Close()
		}
		cancel()
		for range 2 {
			if err := <-ended; err == nil {
				t.Error("a broken connection ended as if it were whole")
			}
		}
		w.Close()
	}
	for i := range 8 {
		once(i)
	}
	files, goroutines := open(t), runtime.NumGoroutine()
	for i := range 1000 {
		once(i)
	}
	for deadline := far(); runtime.NumGoroutine() > goroutines && time.Now().Before(deadline); {
		runtime.Gosched()
	}
	if now := open(t); now > files {
		t.Errorf("%d descriptors before, %d after", files, now)
	}
	if maps := mappings(t); maps > 200 {
		t.Errorf("%d mappings of memory", maps)
	}
}

// mappings counts the mappings of this process that are not part of a file.
func mappings(t *testing.T) (n int) {
	t.Helper()
	text, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range text {
		if c == '\n' {
			n++
		}
	}
	return n
}

func TestRawLoopsLeaveProcessorsToOthers(t *testing.T) {
	sock.Epoll{}.Hire(sock.Terms{Streams: 3, Threads: 3}).Close()
	if got := runtime.GOMAXPROCS(0); got < runtime.NumCPU()+3 {
		t.Errorf("%d goroutines at once with 3 loops on %d processors", got, runtime.NumCPU())
	}
}

// The runtime interrupts threads that keep a processor for long: a receiver that
// hears nothing more must see all the same that its time is up, and that there
// is another connection to serve.
func TestSilenceEndsWithItsTime(t *testing.T) {
	a, b := pairs(t, sock.Epoll{}, 2)
	workers := sock.Epoll{}.Hire(sock.Terms{Streams: 1})
	defer workers.Close()
	silent := make(chan error, 1)
	go func() {
		var count tally
		silent <- workers.Receive(t.Context(), b[0], sock.Incoming{Count: &count, Until: time.Now().Add(2 * time.Second)})
	}()
	// Payload makes the loop one that wakes up often.
	var out tally
	sending := sock.Epoll{}.Hire(sock.Terms{Streams: 1})
	defer sending.Close()
	if err := sending.Send(t.Context(), a[0], sock.Outgoing{Count: &out, Until: time.Now().Add(300 * time.Millisecond)}); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond) // the receiver is alone with the silence
	if err := workers.Send(t.Context(), a[1], sock.Outgoing{Count: &out, Until: time.Now().Add(time.Minute), Limit: 1000}); err != nil {
		t.Error(err)
	}
	if err := <-silent; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the silent connection: %v", err)
	}
}
