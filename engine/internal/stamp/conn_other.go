//go:build !linux && !windows

package stamp

import (
	"net/netip"
	"syscall"
	"time"
)

// systemConn is of systems that are asked for more than package net gives.
type systemConn struct{}

func connectSystem(syscall.RawConn, netip.AddrPort) *systemConn { return nil }

func (*systemConn) close() {}

func (*systemConn) stamped() bool { return false }

func (*systemConn) send([]byte) (Moment, error) { return Moment{}, syscall.ENOSYS }

func (*systemConn) receive([]byte, time.Time) (int, Moment, error) {
	return 0, Moment{}, syscall.ENOSYS
}
