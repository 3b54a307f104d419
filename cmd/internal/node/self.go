package node

import (
	"context"
	"log/slog"
	"net/netip"

	"linkpace/cmd/internal/build"
	"linkpace/engine"
	"linkpace/engine/control"
	"linkpace/engine/model"
)

// OpenSelf starts a second engine in this program that only this computer can
// reach, for a test of the computer with itself. It keeps nothing. close ends it.
func OpenSelf(name string, log *slog.Logger) (peer model.Peer, closeSelf func(), err error) {
	identity, err := control.NewIdentity()
	if err != nil {
		return peer, nil, err
	}
	second := engine.New(engine.Config{Name: name, Version: build.Version, Identity: identity, Policy: control.AllowAny(), Log: log})
	port, err := second.ListenLoopback()
	if err != nil {
		return peer, nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = second.Serve(ctx, port) // ends with ctx
	}()
	peer = model.Peer{ID: identity.ID, Name: name, Addrs: []netip.AddrPort{port.Addr()}, Version: build.Version, SameMachine: true, Verified: true, Via: "self"}
	return peer, func() { stop(); <-served }, nil
}
