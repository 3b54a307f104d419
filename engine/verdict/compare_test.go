package verdict_test

import (
	"strings"
	"testing"

	"linkpace/engine/model"
	"linkpace/engine/verdict"
)

// plain is a Result of DESK and NAS as either of them keeps it.
func plain() *model.Result {
	return &model.Result{
		Protocol: model.Linkpace, Transport: model.TCP, Mode: model.ModeLink,
		Local: model.Endpoint{Name: "DESK", ID: "d"}, Remote: model.Endpoint{Name: "NAS", ID: "n"},
		Effective: model.Effective{SendMethod: "vmsplice", ReceiveMethod: "discard", PeerSendMethod: "write", PeerReceiveMethod: "read"},
	}
}

func TestIncomparable(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*model.Result)
		want   string // in the only reason; empty where they compare
	}{
		"alike":             {func(*model.Result) {}, ""},
		"later and faster":  {func(r *model.Result) { r.ID, r.Samples = "x", []model.Sample{{Bytes: 9}} }, ""},
		"mode":              {func(r *model.Result) { r.Mode = model.ModeApp }, "The mode: link and app."},
		"transport":         {func(r *model.Result) { r.Transport = model.UDP }, "The transport: tcp and udp."},
		"protocol":          {func(r *model.Result) { r.Protocol = model.IPerf3 }, "The protocol: linkpace and iperf3."},
		"self":              {func(r *model.Result) { r.SameMachine = true }, "The path: two computers and one computer alone."},
		"checked":           {func(r *model.Result) { r.Effective.Verify = true }, "Every byte is checked: no and yes."},
		"rate":              {func(r *model.Result) { r.Asked.Rate = 100 * megabit }, "The limit on the rate: none and 100 Mb/s (12.5 MB/s)."},
		"how NAS receives":  {func(r *model.Result) { r.Effective.PeerReceiveMethod = "discard" }, "How NAS receives: read and discard."},
		"how DESK sends":    {func(r *model.Result) { r.Effective.SendMethod = "write" }, "How DESK sends: vmsplice and write."},
		"an unknown method": {func(r *model.Result) { r.Effective.PeerSendMethod = "" }, ""},
		"kept by the other one": {func(r *model.Result) {
			r.Local, r.Remote = r.Remote, r.Local
			r.Effective = model.Effective{SendMethod: "write", ReceiveMethod: "read", PeerSendMethod: "vmsplice", PeerReceiveMethod: "discard"}
		}, ""},
		"kept by the other one, moved otherwise": {func(r *model.Result) { r.Local, r.Remote = r.Remote, r.Local; r.Effective.PeerReceiveMethod = "" }, "How DESK sends: vmsplice and write."},
	} {
		other := plain()
		c.change(other)
		why := verdict.Incomparable(plain(), other)
		if c.want == "" && len(why) > 0 || c.want != "" && (len(why) == 0 || why[0] != c.want) {
			t.Errorf("%s: got %q, want %q", name, strings.Join(why, " "), c.want)
		}
	}
}

func TestSwapped(t *testing.T) {
	a, b := plain(), plain()
	if verdict.Swapped(a, b) {
		t.Error("the same side is taken for the other one")
	}
	b.Local, b.Remote = b.Remote, b.Local
	if !verdict.Swapped(a, b) {
		t.Error("the other side is not seen")
	}
	a.SameMachine, a.Remote.ID = true, "d"
	if verdict.Swapped(a, a) {
		t.Error("a test with itself has no other side")
	}
}
