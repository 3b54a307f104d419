package sock_test

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"linkpace/engine/internal/sock"
)

// denial has the kernel refuse a system call, as sandboxes and old kernels do:
// all of them, only those with a third argument (the option of setsockopt), or
// only those with a bit set in the fourth (the flags of recvfrom).
type denial struct {
	call  uint32
	third uint32
	flag  uint32
	error unix.Errno
}

// deny installs a filter for all threads of this process that none can take off
// (seccomp(2)).
func deny(all []denial) error {
	const (
		load  = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		set   = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
		ret   = unix.BPF_RET | unix.BPF_K
		// Offsets into struct seccomp_data, little endian.
		number, third, fourth = 0, 16 + 2*8, 16 + 3*8
	)
	var program []unix.SockFilter
	for _, d := range all {
		look, test := uint32(number), unix.SockFilter{Code: equal, Jf: 1, K: d.call}
		switch {
		case d.third != 0:
			look, test = third, unix.SockFilter{Code: equal, Jf: 1, K: d.third}
		case d.flag != 0:
			look, test = fourth, unix.SockFilter{Code: set, Jf: 1, K: d.flag}
		}
		program = append(program,
			unix.SockFilter{Code: load, K: number}, unix.SockFilter{Code: equal, Jf: 3, K: d.call},
			unix.SockFilter{Code: load, K: look}, test,
			unix.SockFilter{Code: ret, K: unix.SECCOMP_RET_ERRNO | uint32(d.error)})
	}
	program = append(program, unix.SockFilter{Code: ret, K: unix.SECCOMP_RET_ALLOW})
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	filter := &unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(filter)))
	runtime.KeepAlive(program)
	if errno != 0 {
		return errno
	}
	return nil
}

const deniedVariable = "LINKPACE_DENIED"

// TestDeniedChild is the process that works without some system calls.
func TestDeniedChild(t *testing.T) {
	what := os.Getenv(deniedVariable)
	if what == "" {
		t.Skip("is run by TestWithoutWhatSystemsRefuse")
	}
	runtime.LockOSThread() // PR_SET_NO_NEW_PRIVS is of one thread, and so is who asks
	if err := deny(denials()[what].all); err != nil {
		t.Fatal("install the filter:", err)
	}
	runtime.UnlockOSThread()
	a, b := pair(t, sock.Epoll{})
	w := sock.Epoll{}.Hire(sock.Terms{Streams: 2, Link: true})
	defer w.Close()
	var out, in tally
	sent := make(chan error, 1)
	go func() {
		err := w.Send(t.Context(), a, sock.Outgoing{Count: &out, Until: far(), Limit: 30_000_000})
		sent <- errors.Join(err, a.CloseWrite())
	}()
	if err := w.Receive(t.Context(), b, sock.Incoming{Count: &in, Until: far()}); err != nil {
		t.Fatal(err)
	}
	if err := <-sent; err != nil {
		t.Fatal(err)
	}
	if out.Load() != 30_000_000 || in.Load() != 30_000_000 {
		t.Errorf("sent %d and received %d bytes", out.Load(), in.Load())
	}
	if m, want := w.Methods(), denials()[what].want; m.Send != want.Send || m.Receive != want.Receive {
		t.Errorf("moved by %+v, want %+v", m, want)
	}
}

func denials() map[string]struct {
	all  []denial
	want sock.Methods
} {
	return map[string]struct {
		all  []denial
		want sock.Methods
	}{
		"no vmsplice":   {[]denial{{call: unix.SYS_VMSPLICE, error: unix.EPERM}}, sock.Methods{Send: "write", Receive: "discard"}},
		"no splice":     {[]denial{{call: unix.SYS_SPLICE, error: unix.EINVAL}}, sock.Methods{Send: "write", Receive: "discard"}},
		"no pipe":       {[]denial{{call: unix.SYS_PIPE2, error: unix.EMFILE}}, sock.Methods{Send: "write", Receive: "discard"}},
		"no discarding": {[]denial{{call: unix.SYS_RECVFROM, flag: unix.MSG_TRUNC, error: unix.EOPNOTSUPP}}, sock.Methods{Send: "vmsplice", Receive: "read"}},
		"no big pages":  {[]denial{{call: unix.SYS_MADVISE, error: unix.EINVAL}}, sock.Methods{Send: "vmsplice", Receive: "discard"}},
		"no low mark":   {[]denial{{call: unix.SYS_SETSOCKOPT, third: unix.SO_RCVLOWAT, error: unix.ENOPROTOOPT}}, sock.Methods{Send: "vmsplice", Receive: "discard"}},
		"no timeout":    {[]denial{{call: unix.SYS_SETSOCKOPT, third: unix.SO_RCVTIMEO, error: unix.ENOPROTOOPT}}, sock.Methods{Send: "vmsplice", Receive: "discard"}},
		"no eventfd":    {[]denial{{call: unix.SYS_EVENTFD2, error: unix.ENOSYS}}, sock.Methods{Send: "write", Receive: "read"}},
	}
}

func TestWithoutWhatSystemsRefuse(t *testing.T) {
	for name := range denials() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestDeniedChild$", "-test.v", "-test.timeout=1m")
			cmd.Env = append(os.Environ(), deniedVariable+"="+name)
			out, err := cmd.CombinedOutput()
			if strings.Contains(string(out), "install the filter: function not implemented") {
				t.Skip("this kernel has no filters of system calls")
			}
			if err != nil || !strings.Contains(string(out), "--- PASS: TestDeniedChild") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
