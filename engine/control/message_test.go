package control_test

import (
	"reflect"
	"testing"
	"time"

	"linkpace/engine/control"
	"linkpace/engine/model"
)

// What is written here travels between versions: lines are added, never changed.
func TestMessagesOnTheWire(t *testing.T) {
	spec := model.Spec{
		Protocol: model.Linkpace, Transport: model.TCP, Mode: model.ModeLink, Streams: 4, Block: 1024, Rate: 5e8,
		Phases:   []model.Phase{{Direction: model.Send, Warmup: 500 * time.Millisecond, Duration: 4 * time.Second}},
		Interval: 100 * time.Millisecond, Probe: 20 * time.Millisecond, Verify: true, Bind: "eth0",
	}
	const specText = `{"protocol":"linkpace","transport":"tcp","mode":"link","phases":[{"direction":"send","start_ns":0,"warmup_ns":500000000,"duration_ns":4000000000}],` +
		`"streams":4,"block_bytes":1024,"rate_bps":500000000,"interval_ns":100000000,"probe_ns":20000000,"verify":true,"bind":"eth0"}`
	for _, c := range []struct {
		kind control.Kind
		body any
		want string
	}{
		{control.KindHello, control.Hello{Version: 1, Oldest: 1, App: "0.1.0", Endpoint: model.Endpoint{Name: "NAS", OS: "Linux", Cores: 4, Adapter: model.Adapter{Name: "eth0", Kind: model.Ethernet, Link: 1e9, Duplex: "full", MTU: 1500}}},
			`{"version":1,"min":1,"app":"0.1.0","endpoint":{"name":"NAS","os":"Linux","cpu_cores":4,"adapter":{"name":"eth0","kind":"ethernet","link_bps":1000000000,"duplex":"full","mtu":1500}}}`},
		{control.KindPropose, control.Propose{Run: "3f9a2c417be05d68", Spec: spec}, `{"run":"3f9a2c417be05d68","spec":` + specText + `}`},
		{control.KindPending, control.Pending{Why: control.PendingBusy}, `{"why":"busy"}`},
		{control.KindAnswer, control.Answer{Spec: spec, Secret: "00ff", UDPPort: 47820}, `{"spec":` + specText + `,"secret":"00ff","udp_port":47820}`},
		{control.KindAnswer, control.Answer{Code: model.CodeDeclined, Text: "no"},
			`{"code":"declined","text":"no","spec":{"protocol":"","transport":"","mode":"","phases":null,"streams":0,"block_bytes":0,"rate_bps":0,"interval_ns":0,"probe_ns":0,"verify":false}}`},
		{control.KindPrepare, control.Prepare{Phase: 2}, `{"phase":2}`},
		{control.KindReady, control.Prepare{Phase: 2}, `{"phase":2}`},
		{control.KindPing, control.Ping{ID: 3}, `{"id":3}`},
		{control.KindPong, control.Pong{ID: 3, Clock: 7}, `{"id":3,"clock_ns":7}`},
		{control.KindBegin, control.Begin{Phase: 1, At: 5, Offset: -6}, `{"phase":1,"at_ns":5,"offset_ns":-6}`},
		{control.KindSamples, control.Samples{Samples: []model.Sample{{At: 1, Phase: 2, Side: model.Local, Dir: model.Send, Flow: -1, Bytes: 9, Host: &model.Host{Cores: []float64{0.5}, Own: 0.25, AdapterRx: 3, AdapterTx: 4}}, {At: 2, Side: model.Local, Flow: -1, Ping: 8}}},
			`{"samples":[{"at_ns":1,"phase":2,"side":"local","dir":"send","flow":-1,"bytes":9,"host":{"cores":[0.5],"own":0.25,"adapter_rx_bytes":3,"adapter_tx_bytes":4}},{"at_ns":2,"phase":0,"side":"local","flow":-1,"bytes":0,"ping_ns":8}]}`},
		{control.KindAlive, struct{}{}, `{}`},
		{control.KindDone, control.Done{Phase: 1, Totals: []control.Total{{Way: model.Receive, Flow: 3, Bytes: 77, Whole: true}}}, `{"phase":1,"totals":[{"way":"receive","flow":3,"bytes":77,"whole":true}]}`},
		{control.KindFinal, control.Final{Notes: []model.Note{{At: 1, Side: model.Local, Code: "c", Text: "t"}}}, `{"notes":[{"at_ns":1,"side":"local","code":"c","text":"t"}]}`},
		{control.KindFinal, control.Final{Notes: []model.Note{}, SendMethod: "write", ReceiveMethod: "read"}, `{"notes":[],"send_method":"write","receive_method":"read"}`},
		{control.KindStop, control.Stop{Code: model.CodeCancelled, Text: "x"}, `{"code":"cancelled","text":"x"}`},
	} {
		frame, err := control.AppendFrame(nil, c.kind, c.body)
		if err != nil {
			t.Fatal(err)
		}
		want := `{"kind":"` + string(c.kind) + `","body":` + c.want + `}`
		if got := string(frame[4:]); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.kind, got, want)
		}
		back := reflect.New(reflect.TypeOf(c.body))
		if err := (control.Message{Kind: c.kind, Body: []byte(c.want)}).Into(back.Interface()); err != nil || !reflect.DeepEqual(back.Elem().Interface(), c.body) {
			t.Errorf("%s: read back %+v, %v", c.kind, back.Elem(), err)
		}
	}
}

func TestUnknownFieldsAndKinds(t *testing.T) {
	var ping control.Ping
	if err := (control.Message{Body: []byte(`{"id":4,"later":{"more":true}}`)}).Into(&ping); err != nil || ping.ID != 4 {
		t.Errorf("a field of a later version: %+v, %v", ping, err)
	}
	if control.KindPing.Optional() || !control.Kind("x-later").Optional() {
		t.Error("only kinds that begin with x- may be skipped")
	}
}
