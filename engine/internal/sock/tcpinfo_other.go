//go:build !linux && !windows

package sock

import "linkpace/engine/model"

// tcpInfoAsker asks the system what it knows of a connection, which is nothing
// here.
type tcpInfoAsker struct{}

func (*tcpInfoAsker) ask(uintptr) (model.TCPInfo, bool) { return model.TCPInfo{}, false }
