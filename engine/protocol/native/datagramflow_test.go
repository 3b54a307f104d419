package native_test

import (
	"errors"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"linkpace/engine/internal/meter"
	"linkpace/engine/internal/sock"
	"linkpace/engine/protocol/native"
)

// joinDatagrams joins two sockets in memory to each other.
func joinDatagrams(t *testing.T, n *sock.Mem) (a, b sock.Datagrams) {
	t.Helper()
	at := func(port uint16) netip.AddrPort {
		return netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), port)
	}
	a, _ = n.Join(at(1000), at(2000), sock.Tuning{})
	b, _ = n.Join(at(2000), at(1000), sock.Tuning{})
	return a, b
}

// move sends a limited number of datagrams of c from one end to the other.
func move(t *testing.T, n *sock.Mem, sent, expected native.Content) (*native.DatagramSender, *native.DatagramReceiver, error) {
	t.Helper()
	a, b := joinDatagrams(t, n)
	defer a.Close()
	defer b.Close()
	token := native.Token{1, 2, 3}
	out, in := native.NewDatagramSender(token, time.Now), native.NewDatagramReceiver(token)
	w := n.HireCarriers(sock.Terms{Streams: 1})
	var counted, received meter.Counter
	until := time.Now().Add(time.Second)
	failed := make(chan error, 1)
	go func() { failed <- out.Send(t.Context(), w, a, sent, &counted, until) }()
	err := in.Receive(t.Context(), w, b, expected, &received, nil, until.Add(time.Second))
	if err := <-failed; err != nil {
		t.Error(err)
	}
	if _, bytes := out.Sent(); int64(bytes) != int64(counted.Bytes()) || in.Count().Bytes != uint64(received.Bytes()) {
		t.Errorf("sent %d or %d bytes, received %d or %d", bytes, counted.Bytes(), in.Count().Bytes, received.Bytes())
	}
	return out, in, err
}

func TestReceiverEndsWithTheFlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := native.Content{Block: 500, Rate: 8e6, Limit: 500 * 100}
		began := time.Now()
		out, in, err := move(t, &sock.Mem{}, c, c)
		if sent, _ := out.Sent(); err != nil || sent != 100 || in.Count() != (native.Count{Packets: 100, Bytes: 50_000}) {
			t.Errorf("%v; %d sent, %+v", err, sent, in.Count())
		}
		if took := time.Since(began); took > 200*time.Millisecond {
			t.Errorf("ended after %v, want 6.25 ms for the payload and 50 ms for the end", took)
		}
	})
}

// damaged changes one byte of the datagram with a number.
func damaged(number byte) func([]byte) sock.Fate {
	return func(b []byte) sock.Fate {
		if len(b) > native.HeaderSize && b[15] == number {
			b[300] ^= 4
		}
		return sock.Fate{Copies: 1}
	}
}

func TestVerifyFindsADamagedDatagram(t *testing.T) {
	c := native.Content{Block: 500, Rate: 8e6, Limit: 500 * 100, Verify: true, Seed: 5}
	other := c
	other.Seed++
	for name, test := range map[string]struct {
		net      *sock.Mem
		expected native.Content
		at       int64
	}{
		"one bit":      {&sock.Mem{Fault: damaged(7)}, c, 7*500 + 300},
		"another seed": {&sock.Mem{}, other, int64(native.HeaderSize)},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := move(t, test.net, c, test.expected)
			var corrupt *native.CorruptError
			if !errors.As(err, &corrupt) || corrupt.Offset != test.at {
				t.Errorf("got %v, want byte %d", err, test.at)
			}
		})
	}
	t.Run("lost and late is not damaged", func(t *testing.T) {
		n := 0
		faults := &sock.Mem{Fault: func([]byte) sock.Fate {
			n++
			return sock.Fate{Copies: (n % 7) / 2, Behind: n % 3}
		}}
		if _, _, err := move(t, faults, c, c); err != nil {
			t.Error(err)
		}
	})
}
