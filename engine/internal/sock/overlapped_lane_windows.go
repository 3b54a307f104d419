package sock

import (
	"errors"
	"net"
	"os"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/windows"
)

// lane is one direction of a socket, in which one call at a time is waited for.
// It serves conversations; payload goes by completion ports.
type lane struct {
	owner      *winsock
	turn       sync.Mutex // held during a call
	overlapped windows.Overlapped
	buffer     windows.WSABuf
	count      uint32
	flags      uint32
	done       windows.Handle // event: the call has ended
	roused     windows.Handle // event: look again whether to go on
	deadline   time.Time      // guarded by the socket's mu, as are the events
}

func (l *lane) open() (err error) {
	if l.done, err = windows.CreateEvent(nil, 1, 0, nil); err != nil {
		return err
	}
	l.roused, err = windows.CreateEvent(nil, 0, 0, nil)
	return err
}

func (l *lane) close() {
	for _, event := range []windows.Handle{l.done, l.roused} {
		if event != 0 {
			_ = windows.CloseHandle(event)
		}
	}
}

// ring has whoever waits look again. The caller holds the socket's mu.
func (l *lane) ring() { _ = windows.SetEvent(l.roused) }

// rouse is ring for everybody else.
func (l *lane) rouse() {
	l.owner.mu.Lock()
	defer l.owner.mu.Unlock()
	if !l.owner.closed {
		l.ring()
	}
}

// until sets the moment at which calls give up; zero is never.
func (l *lane) until(t time.Time) error {
	l.owner.mu.Lock()
	defer l.owner.mu.Unlock()
	if l.owner.closed {
		return net.ErrClosed
	}
	l.deadline = t
	l.ring()
	return nil
}

// next gives the deadline, or the reason to give up now.
func (l *lane) next() (time.Time, error) {
	l.owner.mu.Lock()
	defer l.owner.mu.Unlock()
	switch {
	case l.owner.closed:
		return time.Time{}, net.ErrClosed
	case passed(l.deadline):
		return time.Time{}, os.ErrDeadlineExceeded
	}
	return l.deadline, nil
}

// do makes an overlapped call and waits for its end, which it has in any case
// when do returns. It gives up when the socket is shut, the deadline is over, or
// stop, if there is one, says so.
//
// A thread that ends takes the calls that it made with it, so the thread stays.
func (s *winsock) do(l *lane, call func(*windows.Overlapped) error, stop func() error) (int, error) {
	if err := s.use(); err != nil {
		return 0, err
	}
	defer s.release()
	l.turn.Lock()
	defer l.turn.Unlock()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if _, err := l.goOn(stop); err != nil {
		return 0, err
	}
	var pin runtime.Pinner
	pin.Pin(&l.overlapped)
	defer pin.Unpin()
	_ = windows.ResetEvent(l.done)
	// The lowest bit keeps the end of this call away from a completion port.
	l.overlapped = windows.Overlapped{HEvent: l.done | 1}
	switch err := call(&l.overlapped); {
	case err == nil:
		return int(l.overlapped.InternalHigh), nil
	case errors.Is(err, windows.ERROR_IO_PENDING):
		return l.wait(stop)
	default:
		return 0, err
	}
}

// wait waits for the call that is under way.
func (l *lane) wait(stop func() error) (int, error) {
	reason := l.ended(stop)
	if reason != nil {
		_ = windows.CancelIoEx(l.owner.fd, &l.overlapped)
		_, _ = windows.WaitForSingleObject(l.done, windows.INFINITE)
	}
	n, err := result(l.owner.fd, &l.overlapped)
	if err != nil && reason != nil {
		err = reason
	}
	return n, err
}

// ended waits until the call has ended, or gives the reason to give it up.
func (l *lane) ended(stop func() error) error {
	for {
		by, err := l.goOn(stop)
		if err != nil {
			return err
		}
		event, err := windows.WaitForMultipleObjects([]windows.Handle{l.done, l.roused}, false, waitTime(by))
		if err != nil {
			return os.NewSyscallError("WaitForMultipleObjects", err)
		}
		if event == windows.WAIT_OBJECT_0 {
			return nil
		}
	}
}

func (l *lane) goOn(stop func() error) (time.Time, error) {
	if stop != nil {
		if err := stop(); err != nil {
			return time.Time{}, err
		}
	}
	return l.next()
}

// waitTime is how long to wait for a moment, in milliseconds and not short of
// it; a far one is looked at again later.
func waitTime(by time.Time) uint32 {
	if by.IsZero() {
		return windows.INFINITE
	}
	wait := min(max(time.Until(by), 0), time.Hour)
	return uint32((wait + time.Millisecond - 1) / time.Millisecond)
}

// result gives the outcome of a call that has ended, with Winsock's error.
func result(fd windows.Handle, o *windows.Overlapped) (int, error) {
	if o.Internal == 0 { // STATUS_SUCCESS
		return int(o.InternalHigh), nil
	}
	var n, flags uint32
	err := windows.WSAGetOverlappedResult(fd, o, &n, false, &flags)
	return int(n), err
}
