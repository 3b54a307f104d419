package model

import (
	"fmt"
	"strings"
)

// Family is a version of IP.
type Family string

// The values of Spec.Family.
const (
	IPv4 Family = "ipv4"
	IPv6 Family = "ipv6"
)

// The wishes of Spec.Backend and Spec.Syscalls that are not the default.
const (
	BackendPortable = "portable"
	SyscallsPlain   = "plain"
)

// validateSockets checks what is asked of sockets and threads.
func (s Spec) validateSockets() error {
	switch {
	case s.Transport == UDP && s.Block != 0 && (s.Block < MinDatagram || s.Block > MaxDatagram):
		return badField("block", s.Block.Buffer(), fmt.Sprintf("with UDP use %d to %d bytes, the payload of a datagram", MinDatagram, MaxDatagram))
	case s.Limit < 0:
		return badField("bytes", s.Limit.Buffer(), "use 0 (no limit) or more")
	case s.Family != "" && s.Family != IPv4 && s.Family != IPv6:
		return badField("family", s.Family, "use ipv4 or ipv6")
	case s.SendBuffer < 0 || s.SendBuffer > MaxBuffer:
		return badField("send buffer", s.SendBuffer.Buffer(), "use 0 (the system's choice) to "+MaxBuffer.Buffer())
	case s.ReceiveBuffer < 0 || s.ReceiveBuffer > MaxBuffer:
		return badField("receive buffer", s.ReceiveBuffer.Buffer(), "use 0 (the system's choice) to "+MaxBuffer.Buffer())
	case s.MSS != 0 && (s.MSS < MinMSS || s.MSS > MaxMSS):
		return badField("MSS", s.MSS, fmt.Sprintf("use %d to %d", MinMSS, MaxMSS))
	case s.DSCP < 0 || s.DSCP > MaxDSCP:
		return badField("DSCP", s.DSCP, fmt.Sprintf("use 0 to %d", MaxDSCP))
	case len(s.Congestion) > 15 || strings.Trim(s.Congestion, algorithmLetters) != "":
		return badField("congestion control", fmt.Sprintf("%.20q", s.Congestion), "use a name like cubic or bbr")
	case s.Backend != "" && s.Backend != BackendPortable:
		return badField("backend", fmt.Sprintf("%.20q", s.Backend), "use portable or nothing")
	case s.Syscalls != "" && s.Syscalls != SyscallsPlain:
		return badField("system calls", fmt.Sprintf("%.20q", s.Syscalls), "use plain or nothing")
	case s.Threads < 0 || s.Threads > MaxThreads:
		return badField("threads", s.Threads, fmt.Sprintf("use 0 (the program's choice) to %d", MaxThreads))
	case s.Outstanding < 0 || s.Outstanding > MaxOutstanding:
		return badField("outstanding operations", s.Outstanding, fmt.Sprintf("use 0 (the program's choice) to %d", MaxOutstanding))
	}
	for _, list := range [][]int{s.CPUs, s.PeerCPUs} {
		if err := validateCPUs(list); err != nil {
			return err
		}
	}
	return nil
}

// algorithmLetters are those of the names of congestion control algorithms;
// Linux keeps them to 15 bytes (TCP_CA_NAME_MAX).
const algorithmLetters = "abcdefghijklmnopqrstuvwxyz0123456789_-"

func validateCPUs(list []int) error {
	if len(list) > MaxThreads {
		return badField("number of processors", len(list), fmt.Sprintf("use at most %d", MaxThreads))
	}
	for _, cpu := range list {
		if cpu < 0 || cpu > MaxCPU {
			return badField("processor", cpu, fmt.Sprintf("use 0 to %d", MaxCPU))
		}
	}
	return nil
}

func badField(field string, value any, accepted string) error {
	return fmt.Errorf("%s is %v: %s", field, value, accepted)
}
