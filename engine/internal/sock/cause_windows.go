package sock

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// The Unix names in package syscall are numbers of Go's own on Windows, which
// only the network in memory gives; Winsock gives the others. A port that
// another program has for itself, or that Windows keeps for its own use, is
// WSAEACCES.
var (
	refusedErrors  = []error{windows.WSAECONNREFUSED, syscall.ECONNREFUSED}
	brokenErrors   = []error{windows.WSAECONNRESET, windows.WSAECONNABORTED, windows.WSAENETRESET, windows.WSAESHUTDOWN, windows.ERROR_NETNAME_DELETED, syscall.ECONNRESET, syscall.ECONNABORTED, syscall.EPIPE}
	timedOutErrors = []error{windows.WSAETIMEDOUT, syscall.ETIMEDOUT}
	inUseErrors    = []error{windows.WSAEADDRINUSE, windows.WSAEACCES, syscall.EADDRINUSE}
)
