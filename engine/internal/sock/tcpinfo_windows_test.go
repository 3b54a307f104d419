package sock

import (
	"testing"
	"time"

	"golang.org/x/sys/windows"

	"linkpace/engine/model"
)

func TestTCPInfoInOurUnits(t *testing.T) {
	raw := tcpInfo1{
		tcpInfo0: tcpInfo0{
			MSS: 1460, RTT: 1500, MinRTT: 900, BytesInFlight: 14600, CongestionWindow: 65536, SendWindow: 131072,
			BytesRetrans: 2921, BytesReordered: 1460,
		},
		ReceiverLimited: sendLimit{Time: 300}, CongestionLimited: sendLimit{Time: 500}, SenderLimited: sendLimit{Time: 200},
	}
	want := model.TCPInfo{
		RTT: 1500 * time.Microsecond, MinRTT: 900 * time.Microsecond, Retransmits: 3, Window: 65536, PeerWindow: 131072,
		InFlight: 14600, MSS: 1460, Busy: time.Second, ReceiverLimited: 300 * time.Millisecond,
		SendBufferLimited: 200 * time.Millisecond, CongestionLimited: 500 * time.Millisecond, Reordered: 1,
	}
	if got := tcpInfoOf(&raw); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got := tcpInfoOf(&tcpInfo1{}); got != (model.TCPInfo{}) {
		t.Errorf("nothing is %+v", got)
	}
}

// What Windows turned out not to have is not asked for again, but an error of one
// socket says nothing about Windows.
func TestAskerRemembersWhatWindowsLacks(t *testing.T) {
	unknown, closed := error(windows.WSAEOPNOTSUPP), error(windows.WSAENOTSOCK)
	for name, c := range map[string]struct {
		before int32
		errs   []error
		skip   int32
	}{
		"both versions":               {0, []error{nil}, 0},
		"the first version":           {0, []error{windows.WSAEINVAL, nil}, 1},
		"none":                        {0, []error{unknown, unknown}, 2},
		"a bad socket":                {0, []error{closed, closed}, 0},
		"a bad socket after a good":   {1, []error{closed}, 1},
		"the last was only not asked": {0, []error{unknown}, 0},
	} {
		var asker tcpInfoAsker
		asker.skip.Store(c.before)
		for i, err := range c.errs {
			asker.learn(c.before+int32(i), err)
		}
		if skip := asker.skip.Load(); skip != c.skip {
			t.Errorf("%s: it skips %d versions, not %d", name, skip, c.skip)
		}
	}
}
