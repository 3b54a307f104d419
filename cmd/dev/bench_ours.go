package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"linkpace/engine/units"
)

// lpacePort is where lpace listens in the measurements.
const lpacePort = 47820

// ours is lpace, with what the workload of the table is changed by.
func (f field) ours(name string, r role, change func(*workload)) contender {
	return contender{name: name, role: r, duel: func(w workload, at place) duel {
		if change != nil {
			change(&w)
		}
		return f.lpaceDuel(w, at)
	}}
}

func (f field) lpaceDuel(w workload, at place) duel {
	test := []string{
		f.lpace, "test", at.address + ":" + strconv.Itoa(lpacePort), "--json", "--direction", "send",
		"--time", w.length.String(), "--warmup", "0s", "--streams", strconv.Itoa(w.streams),
		"--mode", w.mode, "--rate", plain(w.rate), "--interval", w.interval.String(),
	}
	if w.udp {
		test = append(test, "--udp")
	}
	if w.bare {
		test = append(test, "--probe", "0", "--idle", "0")
	}
	if w.backend != "" {
		test = append(test, "--backend", w.backend)
	}
	home := func(name string) []string { return []string{"LINKPACE_HOME=" + at.file(name)} }
	return duel{
		receiver: program{env: home("receiver"), words: []string{f.lpace, "serve", "--once", "--allow", "any", "--port", strconv.Itoa(lpacePort), "--name", "receiver"}},
		sender:   program{env: home("sender"), words: test},
		port:     lpacePort,
		read:     func(sender []byte) (reading, error) { return readLpace(sender, w) },
	}
}

// plain gives a rate as all programs read it: bits per second.
func plain(rate units.BitRate) string { return strconv.FormatInt(int64(rate), 10) }

// lpaceResult is what is read of lpace's Result.
type lpaceResult struct {
	Transport string `json:"transport"`
	Mode      string `json:"mode"`
	Effective struct {
		Backend       string `json:"backend"`
		SendMethod    string `json:"send_method"`
		ReceiveMethod string `json:"peer_receive_method"`
	} `json:"effective"`
	Samples []struct {
		Side  string      `json:"side"`
		Dir   string      `json:"dir"`
		Flow  int         `json:"flow"`
		Bytes units.Bytes `json:"bytes"`
	} `json:"samples"`
	Summaries []struct {
		Rate units.BitRate `json:"rate_bps"`
		Loss *float64      `json:"loss_ratio"`
		CPU  *struct {
			Local  float64 `json:"local_ns_per_byte"`
			Remote float64 `json:"remote_ns_per_byte"`
		} `json:"cpu"`
	} `json:"summaries"`
	Problem *struct {
		Text string `json:"text"`
	} `json:"problem"`
}

// readLpace takes the receiver's figures of the one direction that was sent.
func readLpace(text []byte, w workload) (reading, error) {
	var r lpaceResult
	if err := json.Unmarshal(text, &r); err != nil {
		return reading{}, fmt.Errorf("read the result of lpace: %w", err)
	}
	if r.Problem != nil {
		return reading{}, errors.New(r.Problem.Text)
	}
	if len(r.Summaries) != 1 {
		return reading{}, fmt.Errorf("the result of lpace has %d summaries instead of 1", len(r.Summaries))
	}
	if err := r.matches(w); err != nil {
		return reading{}, err
	}
	s := r.Summaries[0]
	read := reading{rate: s.Rate, loss: s.Loss, method: r.method()}
	for _, sample := range r.Samples {
		if sample.Side == "remote" && sample.Dir == "send" && sample.Flow == -1 {
			read.bytes = max(read.bytes, sample.Bytes)
		}
	}
	if s.CPU != nil {
		read.window = s.CPU.Local + s.CPU.Remote
	}
	return read, nil
}

// matches makes sure that what was measured is what the table is about.
func (r lpaceResult) matches(w workload) error {
	transport := "tcp"
	if w.udp {
		transport = "udp"
	}
	for _, c := range []struct{ what, asked, got string }{
		{"transport", transport, r.Transport}, {"mode", w.mode, r.Mode}, {"backend", w.backend, r.Effective.Backend},
	} {
		if c.asked != "" && c.asked != c.got {
			return fmt.Errorf("lpace was asked for the %s %q and used %q", c.what, c.asked, c.got)
		}
	}
	return nil
}

// method says how the payload was moved at both ends.
func (r lpaceResult) method() string {
	if r.Effective.SendMethod == "" {
		return ""
	}
	if r.Effective.ReceiveMethod == "" {
		return r.Effective.SendMethod
	}
	return r.Effective.SendMethod + " to " + r.Effective.ReceiveMethod
}
