package clock_test

import (
	"testing"
	"testing/synctest"
	"time"

	"linkpace/engine/internal/clock"
)

func TestEstimateTakesTheFastestExchange(t *testing.T) {
	const ahead = 5 * time.Second
	pings := []clock.Ping{
		{Sent: 0, Returned: 40 * time.Millisecond, Remote: ahead + 38*time.Millisecond},
		{Sent: 100 * time.Millisecond, Returned: 102 * time.Millisecond, Remote: ahead + 101*time.Millisecond},
		{Sent: 9 * time.Second, Returned: 8 * time.Second, Remote: 0}, // nonsense
	}
	offset, rtt, ok := clock.Estimate(pings)
	if !ok || offset != ahead || rtt != 2*time.Millisecond {
		t.Errorf("got %v, %v, %v; want %v, 2ms, true", offset, rtt, ok, ahead)
	}
	if _, _, ok := clock.Estimate(nil); ok {
		t.Error("an estimate from nothing")
	}
}

func TestTwoClocksAgree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		responder := clock.New(time.Now)
		time.Sleep(3 * time.Second)
		initiator := clock.New(time.Now)
		time.Sleep(time.Second)
		responder.Adjust(responder.Raw() - initiator.Now())
		if a, b := initiator.Now(), responder.Now(); a != b {
			t.Errorf("initiator %v, responder %v", a, b)
		}
		if left := time.Until(responder.Local(initiator.Now() + time.Minute)); left != time.Minute {
			t.Errorf("a moment in a minute is %v away", left)
		}
	})
}
