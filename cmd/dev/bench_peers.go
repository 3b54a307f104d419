package main

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"linkpace/engine/units"
)

// wholeSeconds is the length for programs that count in seconds.
func (w workload) wholeSeconds() string {
	return strconv.Itoa(int((w.length + time.Second - 1) / time.Second))
}

func (b iperf3) contender(r role, flags ...string) contender {
	return contender{
		name: strings.Join(append([]string{"iperf3 " + b.version}, flags...), " "), role: r,
		duel: func(w workload, at place) duel { return b.duel(w, at, flags) },
	}
}

func (b iperf3) duel(w workload, at place, flags []string) duel {
	send := []string{b.file, "-c", at.address, "-J", "-t", w.wholeSeconds(), "-P", strconv.Itoa(w.streams)}
	if w.udp {
		send = append(send, "-u", "-b", plain(w.rate), "-w", "4M")
	}
	return duel{
		receiver: program{words: []string{b.file, "-s", "-1"}},
		sender:   program{words: append(send, flags...)},
		port:     5201,
		read:     func(sender []byte) (reading, error) { return readIperf3(sender, w.udp) },
	}
}

// readIperf3 takes what the receiver told the sender.
func readIperf3(text []byte, udp bool) (reading, error) {
	var r struct {
		Error string `json:"error"`
		End   struct {
			Received struct {
				Bytes   units.Bytes   `json:"bytes"`
				Rate    units.BitRate `json:"bits_per_second"`
				Lost    float64       `json:"lost_percent"`
				Seconds float64       `json:"seconds"`
			} `json:"sum_received"`
			CPU struct {
				Sender   float64 `json:"host_total"`
				Receiver float64 `json:"remote_total"`
			} `json:"cpu_utilization_percent"`
		} `json:"end"`
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return reading{}, fmt.Errorf("read the result of iperf3: %w", err)
	}
	if r.Error != "" {
		return reading{}, errors.New(r.Error)
	}
	got := r.End.Received
	read := reading{rate: got.Rate, bytes: got.Bytes}
	if got.Bytes > 0 {
		cores := (r.End.CPU.Sender + r.End.CPU.Receiver) / 100
		read.window = cores * got.Seconds * float64(time.Second) / float64(got.Bytes)
	}
	if lost := got.Lost / 100; udp {
		read.loss = &lost
	}
	return read, nil
}

// contender is ntttcp with a receiver that uses epoll, its best; that of
// Windows uses completion ports anyway.
func (n ntttcp) contender() contender {
	name, prepare := "ntttcp "+n.version+" -e", ntttcpDuel
	if n.windows {
		name, prepare = "ntttcp "+n.version, ntttcpWindowsDuel
	}
	return contender{name: name, role: anyNtttcp, duel: func(w workload, at place) duel {
		d := prepare(n.file, w, at)
		d.read = func([]byte) (reading, error) {
			text, err := os.ReadFile(at.file("ntttcp.xml"))
			if err != nil {
				return reading{}, fmt.Errorf("read the result of ntttcp: %w", err)
			}
			return readNtttcp(text)
		}
		return d
	}}
}

// ntttcpDuel spreads many streams over 16 ports, ntttcp's own number.
func ntttcpDuel(file string, w workload, at place) duel {
	ports := min(w.streams, 16)
	shape := []string{"-P", strconv.Itoa(ports), "-t", w.wholeSeconds()}
	return duel{
		receiver: program{words: append([]string{file, "-r" + at.address, "-e", "-x", at.file("ntttcp.xml")}, shape...)},
		sender:   program{words: append([]string{file, "-s" + at.address, "-n", strconv.Itoa(w.streams / ports)}, shape...)},
		port:     5000, // where the two agree on the start
	}
}

func ntttcpWindowsDuel(file string, w workload, at place) duel {
	shape := []string{"-m", strconv.Itoa(w.streams) + ",*," + at.address, "-t", w.wholeSeconds()}
	return duel{
		receiver: program{words: append([]string{file, "-r", "-xml", at.file("ntttcp.xml")}, shape...)},
		sender:   program{words: append([]string{file, "-s"}, shape...)},
		port:     5000,
	}
}

// readNtttcp reads only what has the same meaning in both kinds of ntttcp: the
// time, and the throughput in bytes per second of the receiver.
func readNtttcp(text []byte) (reading, error) {
	type figure struct {
		Metric string `xml:"metric,attr"`
		Value  string `xml:",chardata"`
	}
	var r struct {
		Time       float64  `xml:"realtime"`
		Throughput []figure `xml:"throughput"`
	}
	if err := xml.Unmarshal(text, &r); err != nil {
		return reading{}, fmt.Errorf("read the result of ntttcp: %w", err)
	}
	for _, t := range r.Throughput {
		if t.Metric != "Bps" {
			continue
		}
		perSecond, err := strconv.ParseFloat(t.Value, 64)
		if err != nil {
			return reading{}, fmt.Errorf("read the throughput of ntttcp: %w", err)
		}
		took := time.Duration(r.Time * float64(time.Second))
		all := units.Bytes(perSecond * r.Time)
		return reading{rate: units.RateOf(all, took), bytes: all}, nil
	}
	return reading{}, errors.New("the result of ntttcp has no throughput")
}

// ethr writes 128 KB at a time: with its own 16 KB it is several times slower.
func ethr(file string) contender {
	return contender{name: "ethr -l 128KB", duel: func(w workload, at place) duel {
		return duel{
			receiver: program{words: []string{file, "-s", "-no"}},
			sender: program{words: []string{
				file, "-c", at.address, "-t", "b", "-p", "tcp", "-n", strconv.Itoa(w.streams),
				"-d", w.wholeSeconds() + "s", "-l", "128KB", "-no",
			}},
			port:  8888,
			stays: true,
			read:  readEthr,
		}
	}}
}

// readEthr adds up the seconds that the sender reports, to three digits: the
// receiver's seconds do not begin with the transfer and its last one is missing.
func readEthr(text []byte) (reading, error) {
	row := regexp.MustCompile(`\[\s*(\d+|SUM)\]\s+TCP\s+\d+-\d+ sec\s+(\S+)`)
	seconds := map[bool][]units.BitRate{} // by whether it is a sum
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		rate, err := units.ParseRate(m[2])
		if err != nil {
			return reading{}, fmt.Errorf("read the result of ethr: %w", err)
		}
		seconds[m[1] == "SUM"] = append(seconds[m[1] == "SUM"], rate)
	}
	rates := seconds[true]
	if len(rates) == 0 { // one stream has no sum
		rates = seconds[false]
	}
	if len(rates) == 0 {
		return reading{}, errors.New("ethr reported nothing")
	}
	var all units.Bytes
	for _, rate := range rates {
		all += rate.In(time.Second)
	}
	return reading{rate: units.RateOf(all, time.Duration(len(rates))*time.Second), bytes: all}, nil
}
