package sock

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// sender is what a loop sends with: one filler for all connections, and one pipe
// through which its pages go into the sockets. What one connection did not take
// of the pipe's content goes to the next.
type sender struct {
	block   int
	link    bool // pages may be shared with the network
	filler  *pages
	vec     *unix.Iovec
	pipe    [2]int
	piped   int // bytes in the pipe
	started bool
}

func (s *sender) init(t Terms) {
	s.block, s.link = loopBlock, t.Link
	if t.Block > 0 {
		s.block = t.Block
	}
	s.pipe = [2]int{-1, -1}
}

// start takes what sending needs; before the first payload only.
func (s *sender) start() error {
	s.started = true
	var err error
	if s.filler, err = newPages(max(s.block, loopBlock)); err != nil {
		return err
	}
	fill(s.filler.b[:max(s.block, loopBlock)])
	if s.link {
		s.openPipe()
	}
	return nil
}

// openPipe does without a pipe where the system has none to give.
func (s *sender) openPipe() {
	if unix.Pipe2(s.pipe[:], unix.O_CLOEXEC|unix.O_NONBLOCK) != nil {
		s.pipe, s.link = [2]int{-1, -1}, false
		return
	}
	// The most that a user may ask for by default (pipe(7)); less does, too.
	_, _ = unix.FcntlInt(uintptr(s.pipe[0]), unix.F_SETPIPE_SZ, loopBlock)
	s.vec = &unix.Iovec{Base: &s.filler.b[0]}
	s.vec.SetLen(loopBlock)
}

func (s *sender) free() {
	s.filler.free()
	for _, fd := range s.pipe {
		if fd >= 0 {
			_ = unix.Close(fd)
		}
	}
}

func (s *sender) method(t *task) string {
	if s.link && t.out.Source == nil {
		return MethodVmsplice
	}
	return MethodWrite
}

// turn sends until the socket is full, the quota is used up or the turn is over.
func (s *sender) turn(l *loop, t *task, now time.Time) {
	if !s.started {
		if err := s.start(); err != nil {
			l.finish(t, err)
			return
		}
	}
	for left := turn; left > 0; {
		n, err := s.push(l.call, t)
		switch {
		case err == syscall.EAGAIN:
			return
		case err == syscall.EINTR:
			continue
		case err != 0:
			l.finish(t, err)
			return
		case n == 0:
			l.finish(t, nil) // the source has ended
			return
		}
		left -= n
		t.count.Add(n)
		if t.quota.bucket != nil {
			now = time.Now()
		}
		t.quota.sent(n, now)
		if t.quota.over(now) {
			l.finish(t, nil)
			return
		}
		if t.quota.ready.After(now) {
			l.rest(t, true)
			return
		}
	}
}

// push makes one write.
func (s *sender) push(c caller, t *task) (int, syscall.Errno) {
	if t.out.Source != nil {
		b := t.quota.cut(t.out.Source.Next())
		if len(b) == 0 {
			return 0, 0
		}
		n, err := c.write(t.fd, b)
		if n > 0 {
			t.out.Source.Sent(n)
		}
		return n, err
	}
	size := t.quota.most(s.block)
	if s.link {
		n, err := s.splice(c, t.fd, size, t.quota.bucket == nil)
		if !unsupported(err) {
			return n, err
		}
		s.link = false
	}
	return c.write(t.fd, s.filler.b[:size])
}

// splice moves pages from the filler into the socket without copying them.
func (s *sender) splice(c caller, fd, size int, more bool) (int, syscall.Errno) {
	if s.piped == 0 {
		n, err := c.vmsplice(s.pipe[1], s.vec)
		if err != 0 {
			return 0, err
		}
		s.piped = n
	}
	n, err := c.splice(s.pipe[0], fd, min(size, s.piped), more)
	s.piped -= n
	return n, err
}

// unsupported reports whether a system does not know a call, or has it blocked.
func unsupported(err syscall.Errno) bool {
	switch err {
	case syscall.EINVAL, syscall.ENOSYS, syscall.EPERM, syscall.EOPNOTSUPP, syscall.EBADF:
		return true
	}
	return false
}
