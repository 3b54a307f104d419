package sock

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Overlapped is the backend on Winsock's overlapped calls. Its workers keep
// several reads and writes of each connection in the system's hands and learn
// of their ends at completion ports of their own: data goes straight between
// the network stack and memory that waits for it, where package net has one
// operation at a time and the system copies in between. Datagrams it moves as
// Portable does.
type Overlapped struct {
	Portable
	dequeue *windows.LazyProc // GetQueuedCompletionStatusEx
	figures tcpInfoAsker
}

// NewOverlapped makes the backend. The error says what this Windows lacks.
func NewOverlapped() (*Overlapped, error) {
	var data windows.WSAData
	if err := windows.WSAStartup(0x202, &data); err != nil { // version 2.2
		return nil, fmt.Errorf("start Winsock: %w", err)
	}
	n := &Overlapped{dequeue: windows.NewLazySystemDLL("kernel32.dll").NewProc("GetQueuedCompletionStatusEx")}
	if err := errors.Join(n.dequeue.Find(), windows.LoadConnectEx(), plainProviders()); err != nil {
		return nil, fmt.Errorf("overlapped sockets: %w", err)
	}
	p, err := newCompletionPort(n.dequeue)
	if err != nil {
		return nil, err
	}
	p.close()
	return n, nil
}

// plainProviders refuses a computer on which some program has put itself
// between Winsock and TCP in the old way: then a socket is no handle of the
// system, and calls that end at once may be told twice.
func plainProviders() error {
	var size uint32
	_, _ = windows.WSAEnumProtocols(nil, nil, &size) // fails and gives the size
	if size == 0 || size > 1<<20 {
		return fmt.Errorf("Winsock's list of protocols takes %d bytes", size)
	}
	infos := make([]windows.WSAProtocolInfo, size/uint32(unsafe.Sizeof(windows.WSAProtocolInfo{}))+1)
	size = uint32(len(infos)) * uint32(unsafe.Sizeof(infos[0]))
	n, err := windows.WSAEnumProtocols(nil, &infos[0], &size)
	if err != nil {
		return fmt.Errorf("list the protocols of Winsock: %w", err)
	}
	for _, info := range infos[:min(int(n), len(infos))] {
		if info.Protocol == windows.IPPROTO_TCP && info.ServiceFlags1&windows.XP1_IFS_HANDLES == 0 {
			return errors.New("a program of this computer stands between Winsock and TCP")
		}
	}
	return nil
}

// Name implements Network.
func (*Overlapped) Name() string { return "overlapped" }

// Dial implements Network.
func (n *Overlapped) Dial(ctx context.Context, to netip.AddrPort, from netip.Addr, t Tuning) (Stream, error) {
	s, err := n.dial(ctx, to, from, t)
	if err != nil {
		return nil, fmt.Errorf("dial %v: %w", to, err)
	}
	return s, nil
}

func (n *Overlapped) dial(ctx context.Context, to netip.AddrPort, from netip.Addr, t Tuning) (Stream, error) {
	target, family, err := sockaddr(to)
	if err != nil {
		return nil, err
	}
	if !from.IsValid() {
		from = anyAddr(family)
	}
	source, fromFamily, err := sockaddr(netip.AddrPortFrom(from, 0))
	if err != nil {
		return nil, err
	}
	if family != fromFamily {
		return nil, fmt.Errorf("from %v: %w", from, windows.WSAEAFNOSUPPORT)
	}
	s, err := newSocket(family, false)
	if err != nil {
		return nil, err
	}
	_ = setNoDelay(uintptr(s.fd), true) // as package net does
	var refused error
	if t != (Tuning{}) {
		refused = tuneEarly(uintptr(s.fd), t)
	}
	if err := s.connect(ctx, source, target); err != nil {
		_ = s.shut(false)
		return nil, err
	}
	stream := n.stream(s)
	stream.refused = refused
	return stream, nil
}

// connect connects the socket.
func (s *winsock) connect(ctx context.Context, source, target windows.Sockaddr) error {
	if err := windows.Bind(s.fd, source); err != nil { // ConnectEx wants it
		return fmt.Errorf("bind: %w", err)
	}
	defer context.AfterFunc(ctx, s.out.rouse)()
	_, err := s.do(&s.out, func(o *windows.Overlapped) error {
		return windows.ConnectEx(s.fd, target, nil, 0, nil, o)
	}, func() error { return context.Cause(ctx) })
	if err != nil {
		return err
	}
	return updateContext(s.fd, windows.SO_UPDATE_CONNECT_CONTEXT, nil)
}

// Listen implements Network.
func (n *Overlapped) Listen(at netip.AddrPort) (Listener, error) {
	l, err := n.listen(at)
	if err != nil {
		return nil, fmt.Errorf("listen on TCP port %d: %w", at.Port(), err)
	}
	return l, nil
}

// Hire implements Network.
func (n *Overlapped) Hire(t Terms) Workers {
	w, err := n.hire(t)
	if err != nil {
		return hirePlain(t)
	}
	return w
}
