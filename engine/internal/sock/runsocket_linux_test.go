package sock

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestWriteWaitsForRoom(t *testing.T) {
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(ends[1])
	s := &runSocket{fd: ends[0]}
	defer s.Close()
	datagram := make([]byte, 1000)
	for err == nil {
		_, err = unix.Write(ends[0], datagram)
	}
	if _, err := s.Write(datagram); err == nil {
		t.Fatal("wrote to a full socket")
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for b := make([]byte, len(datagram)); ; {
			select {
			case <-stop:
				return
			default:
				_, _ = unix.Read(ends[1], b)
			}
		}
	}()
	for range 200 {
		if _, err := s.Write(datagram); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	<-stopped
}
