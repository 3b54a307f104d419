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
	vec     []unix.Iovec // parts of the filler, each to become one packet
	part    int          // bytes of each of them
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
	s.vec = make([]unix.Iovec, loopBlock/spliceBytes)
	for i := range s.vec {
		s.vec[i].Base = &s.filler.b[i*spliceBytes]
	}
}

const (
	// spliceBytes is what Linux takes from a pipe for a socket at once: 16 pages
	// (splice_to_socket in fs/splice.c).
	spliceBytes = 64 << 10
	// mostSegmented is the payload of the largest packet that Linux makes for the
	// adapter to segment: 64 KB without the room for headers (GSO_LEGACY_MAX_SIZE
	// and MAX_TCP_HEADER).
	mostSegmented = spliceBytes - 320
)

// align has each of the kernel's steps make one packet that is as large as can
// be; else the few bytes that are left over of each become small packets.
func (s *sender) align(mss int) {
	part := spliceBytes
	if mss > 0 && mss <= mostSegmented {
		part = mostSegmented / mss * mss
	} else if mss < spliceBytes {
		part = mss
	}
	if part == s.part || part <= 0 {
		return
	}
	s.part = part
	for i := range s.vec {
		s.vec[i].SetLen(part)
	}
}

// prepare readies a connection for much payload, and keeps the system from sending the rest of a write that does not fill a
// segment as a small packet of its own, which an acknowledgement that comes at
// the right moment would have it do (TCP_CORK, tcp(7)). The end of the stream
// sends what is left. A sender that keeps to a rate has no next write to wait for.
func (s *sender) prepare(t *task) {
	t.mss = grantedMSS(uintptr(t.fd))
	if t.out.Rate == 0 {
		_ = unix.SetsockoptInt(t.fd, unix.IPPROTO_TCP, unix.TCP_CORK, 1)
	}
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
	for left, calls := turn, turnCalls; left > 0 && calls > 0; calls-- {
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
		n, err := s.splice(c, t, size)
		if !unsupported(err) {
			return n, err
		}
		s.link = false
	}
	return c.write(t.fd, s.filler.b[:size])
}

// splice moves pages from the filler into the socket without copying them.
func (s *sender) splice(c caller, t *task, size int) (int, syscall.Errno) {
	if s.piped == 0 {
		s.align(t.mss)
		n, err := c.vmsplice(s.pipe[1], s.vec)
		if err != 0 {
			return 0, err
		}
		s.piped = n
	}
	n, err := c.splice(s.pipe[0], t.fd, min(size, s.piped), t.quota.bucket == nil)
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
