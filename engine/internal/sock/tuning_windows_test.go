package sock

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/sys/windows"
)

func TestBuffersOnWindowsAreGrantedAsAsked(t *testing.T) {
	a, _ := loopback(t, "127.0.0.1:0", nil)
	onDescriptor(t, a, func(fd uintptr) {
		send, receive, err := setBuffers(fd, 64<<10, 128<<10)
		if err != nil || send < 64<<10 || receive < 128<<10 {
			t.Errorf("%d and %d, %v", send, receive, err)
		}
		if err := setNoDelay(fd, true); err != nil {
			t.Error(err)
		}
	})
}

func TestNobodyChoosesCongestionControlOnWindows(t *testing.T) {
	if _, err := setCongestion(0, "cubic"); !errors.Is(err, errors.ErrUnsupported) || !strings.HasPrefix(err.Error(), "set congestion control cubic: ") {
		t.Error(err)
	}
	if name := grantedCongestion(0); name != "" {
		t.Errorf("the algorithm is %q", name)
	}
}

func TestRefusedOptionsAreNamed(t *testing.T) {
	const fd = uintptr(windows.InvalidHandle)
	for want, set := range map[string]func() error{
		"set no-delay":                          func() error { return setNoDelay(fd, true) },
		"set the largest segment to 1000 bytes": func() error { _, err := setMSS(fd, 1000); return err },
		"set DSCP 8":                            func() error { _, err := setDSCP(fd, 8); return err },
		"set the send buffer to 4 KiB":          func() error { _, _, err := setBuffers(fd, 4096, 0); return err },
	} {
		if err := set(); err == nil || !strings.HasPrefix(err.Error(), want+": ") {
			t.Errorf("%s: %v", want, err)
		}
	}
}
