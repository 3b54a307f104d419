package model_test

import (
	"testing"

	"linkpace/engine/model"
)

func TestSumTCP(t *testing.T) {
	full := model.TCPInfo{
		RTT: 10, RTTVar: 4, MinRTT: 3, Retransmits: 1, Window: 2, PeerWindow: 5, InFlight: 6, MSS: 1448, Delivery: 7,
		Busy: 40, ReceiverLimited: 8, SendBufferLimited: 9, CongestionLimited: 11, Reordered: 12,
	}
	other := full
	other.RTT, other.RTTVar, other.MinRTT, other.MSS = 20, 8, 2, 9000
	both := model.TCPInfo{
		RTT: 15, RTTVar: 6, MinRTT: 2, Retransmits: 2, Window: 4, PeerWindow: 10, InFlight: 12, MSS: 1448, Delivery: 14,
		Busy: 80, ReceiverLimited: 16, SendBufferLimited: 18, CongestionLimited: 22, Reordered: 24,
	}
	for name, c := range map[string]struct {
		all  []model.TCPInfo
		want model.TCPInfo
	}{
		"none":                     {nil, model.TCPInfo{}},
		"one":                      {[]model.TCPInfo{full}, full},
		"two":                      {[]model.TCPInfo{full, other}, both},
		"one that knows nothing":   {[]model.TCPInfo{{}, full, {}}, full},
		"times are known in part":  {[]model.TCPInfo{{RTT: 10}, {RTT: 30, RTTVar: 5}}, model.TCPInfo{RTT: 20, RTTVar: 5}},
		"the smallest is not last": {[]model.TCPInfo{{MinRTT: 2}, {MinRTT: 9}}, model.TCPInfo{MinRTT: 2}},
	} {
		if got := model.SumTCP(c.all); got != c.want {
			t.Errorf("%s:\ngot  %+v\nwant %+v", name, got, c.want)
		}
	}
}
