package sock

import (
	"io"
	"math"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

func TestTCPInfoInOurUnits(t *testing.T) {
	got := tcpInfoOf(&unix.TCPInfo{
		Rtt: 1500, Rttvar: 250, Min_rtt: 900, Total_retrans: 7, Snd_mss: 1448, Snd_cwnd: 4_000_000, Snd_wnd: 65535, Unacked: 3,
		Delivery_rate: 125_000_000, Busy_time: 2_000_000, Rwnd_limited: 300_000, Sndbuf_limited: 400_000, Reord_seen: 5,
	})
	want := model.TCPInfo{
		RTT: 1500 * time.Microsecond, RTTVar: 250 * time.Microsecond, MinRTT: 900 * time.Microsecond, Retransmits: 7,
		MSS: 1448, Window: 5_792_000_000, PeerWindow: 65535, InFlight: 4344,
		Delivery: units.RateOf(125_000_000, time.Second), Busy: 2 * time.Second,
		ReceiverLimited: 300 * time.Millisecond, SendBufferLimited: 400 * time.Millisecond, Reordered: 5,
	}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got := tcpInfoOf(&unix.TCPInfo{Min_rtt: math.MaxUint32}).MinRTT; got != 0 {
		t.Errorf("an unknown smallest round trip is %v", got)
	}
}

// The kernel's figures follow what a connection does.
func TestTCPInfoAfterATransfer(t *testing.T) {
	a, b := loopback(t, "127.0.0.1:0", nil)
	const amount = 8 << 20
	sent := make(chan error, 1)
	go func() {
		_, err := a.Write(make([]byte, amount))
		sent <- err
	}()
	// The kernel counts busy time in ticks; the other side waits for the first.
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		busy := time.Duration(0)
		onDescriptor(t, a, func(fd uintptr) {
			info, _ := new(tcpInfoAsker).ask(fd)
			busy = info.Busy
		})
		if busy > 0 {
			break
		}
	}
	if _, err := io.CopyN(io.Discard, b, amount); err != nil {
		t.Fatal(err)
	}
	if err := <-sent; err != nil {
		t.Fatal(err)
	}
	onDescriptor(t, a, func(fd uintptr) {
		info, known := new(tcpInfoAsker).ask(fd)
		if !known || info.RTT <= 0 || info.MinRTT <= 0 || info.PeerWindow <= 0 || info.Delivery <= 0 || info.Busy <= 0 {
			t.Errorf("%v, %+v", known, info)
		}
		if info.ReceiverLimited+info.SendBufferLimited > info.Busy {
			t.Errorf("limited for longer than busy: %+v", info)
		}
		if int(info.MSS) != grantedMSS(fd) {
			t.Errorf("segments of %d and of %d bytes", info.MSS, grantedMSS(fd))
		}
	})
}

// An old kernel gives a shorter answer; asking for less gets the same.
func TestTCPInfoOfOldKernels(t *testing.T) {
	a, _ := loopback(t, "127.0.0.1:0", nil)
	for name, c := range map[string]struct {
		size  uint32
		known bool
	}{
		"Linux 2.6":           {leastTCPInfo, true},
		"before delivery":     {uint32(unsafe.Offsetof(unix.TCPInfo{}.Delivery_rate)), true},
		"without retransmits": {leastTCPInfo - 4, false},
		"nothing":             {0, false},
	} {
		onDescriptor(t, a, func(fd uintptr) {
			info, known := readTCPInfo(fd, c.size)
			if known != c.known || known != (info.MSS > 0) || info.Delivery != 0 || info.PeerWindow != 0 {
				t.Errorf("%s: %v, %+v", name, known, info)
			}
		})
	}
}
