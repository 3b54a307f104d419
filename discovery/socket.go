package discovery

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"time"
)

// Socket is a UDP socket of its own for hello messages.
type Socket struct{ conn *net.UDPConn }

// OpenDatagrams opens a Socket on a port that the system chooses, for programs
// that end soon. The caller closes it after the Service.
func OpenDatagrams() (*Socket, error) { return openSocket(0) }

func openSocket(port int) (*Socket, error) {
	conn, err := net.ListenUDP("udp", &net.UDPAddr{Port: port})
	if err != nil { // a computer without IPv6
		conn, err = net.ListenUDP("udp4", &net.UDPAddr{Port: port})
	}
	if err != nil {
		return nil, fmt.Errorf("open UDP socket for discovery: %w", err)
	}
	return &Socket{conn}, nil
}

// Send sends one datagram.
func (s *Socket) Send(b []byte, to netip.AddrPort) error {
	_, err := s.conn.WriteToUDPAddrPort(b, to)
	return err
}

// Receive waits for a datagram, the end of ctx or the closing of the socket.
func (s *Socket) Receive(ctx context.Context, b []byte) (int, netip.AddrPort, error) {
	if err := ctx.Err(); err != nil {
		return 0, netip.AddrPort{}, err
	}
	woken := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		_ = s.conn.SetReadDeadline(time.Unix(1, 0))
		close(woken)
	})
	n, from, err := s.conn.ReadFromUDPAddrPort(b)
	if !stop() {
		<-woken
		_ = s.conn.SetReadDeadline(time.Time{})
		if err != nil {
			err = ctx.Err()
		}
	}
	return n, netip.AddrPortFrom(from.Addr().Unmap(), from.Port()), err
}

// Close closes the socket.
func (s *Socket) Close() error { return s.conn.Close() }
