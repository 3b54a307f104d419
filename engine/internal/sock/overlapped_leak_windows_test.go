package sock_test

import (
	"context"
	"crypto/ed25519"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/big"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/windows"

	"linkpace/engine/internal/sock"
)

// handles is a number that grows with the open handles of this process: that
// of a new one, because the lowest free one is given.
func handles(t *testing.T) int {
	t.Helper()
	event, err := windows.CreateEvent(nil, 0, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	windows.CloseHandle(event)
	return int(event)
}

func TestManyStartsAndCancelsLeakNothing(t *testing.T) {
	n := overlapped(t)
	round := func(i int) {
		a, b := pair(t, n)
		ctx, cancel := context.WithCancel(context.Background())
		w := n.Hire(sock.Terms{Streams: 2, Link: i%2 == 0})
		ended := make(chan error, 2)
		go func() { ended <- w.Send(ctx, a, sock.Outgoing{Count: new(tally), Until: far()}) }()
		go func() { ended <- w.Receive(ctx, b, sock.Incoming{Count: new(tally), Until: far()}) }()
		if i%3 == 0 {
			time.Sleep(time.Millisecond)
		}
		cancel()
		for range 2 {
			if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("round %d: %v", i, err)
			}
		}
		w.Close()
		a.Close()
		b.Close()
	}
	for i := range 20 { // threads and what else is made once
		round(i)
	}
	before, goroutines := handles(t), runtime.NumGoroutine()
	for i := range 200 {
		round(i)
	}
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > goroutines && time.Now().Before(deadline); {
		runtime.Gosched()
	}
	if after := runtime.NumGoroutine(); after > goroutines {
		t.Errorf("%d goroutines, before %d", after, goroutines)
	}
	// A round that left one behind would have added 200 of them, in steps of 4.
	if after := handles(t); after-before >= 400 {
		t.Errorf("new handles have the number %d, before %d", after, before)
	}
}

func TestTLSConversation(t *testing.T) {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	card := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(nil, card, card, public, private)
	if err != nil {
		t.Fatal(err)
	}
	config := &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: private}}, InsecureSkipVerify: true, MinVersion: tls.VersionTLS13}
	a, b := pair(t, overlapped(t))
	here, there := tls.Client(a, config), tls.Server(b, config)
	echoed := make(chan error, 1)
	go func() {
		_, err := io.Copy(there, there)
		echoed <- errors.Join(err, there.CloseWrite())
	}()
	want := content(7, 3_000_000)
	sent := make(chan error, 1)
	go func() {
		_, err := here.Write(want)
		sent <- errors.Join(err, here.CloseWrite())
	}()
	got, err := io.ReadAll(here)
	if err := errors.Join(err, <-sent, <-echoed); err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("got %d bytes back, want %d, or other content", len(got), len(want))
	}
}
