package sock_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"syscall"
	"testing"

	"linkpace/engine/internal/sock"
)

func TestCausesAreFoundInWhatSystemsGive(t *testing.T) {
	causes := map[string]func(error) bool{"refused": sock.Refused, "broken": sock.Broken, "timed out": sock.TimedOut, "in use": sock.InUse}
	errnos := map[string][]syscall.Errno{
		"refused":   {syscall.ECONNREFUSED},
		"broken":    {syscall.ECONNRESET, syscall.EPIPE},
		"timed out": {syscall.ETIMEDOUT},
		"in use":    {syscall.EADDRINUSE},
		"":          {syscall.ENOENT},
	}
	if runtime.GOOS == "windows" { // the numbers of winsock2.h
		errnos["refused"] = append(errnos["refused"], 10061)
		errnos["broken"] = append(errnos["broken"], 10052, 10053, 10054, 10058)
		errnos["timed out"] = append(errnos["timed out"], 10060)
		errnos["in use"] = append(errnos["in use"], 10048, 10013)
		errnos[""] = append(errnos[""], 10004)
	}
	for want, list := range errnos {
		for _, errno := range list {
			err := fmt.Errorf("dial: %w", &net.OpError{Op: "dial", Err: os.NewSyscallError("connectex", errno)})
			for name, is := range causes {
				if got := is(err); got != (name == want) {
					t.Errorf("%d (%v) is %s: %v", errno, errno, name, got)
				}
			}
		}
	}
	if sock.Refused(nil) || sock.Broken(errors.New("x")) {
		t.Error("a cause was found where there is none")
	}
}
