//go:build !windows

package sock

import "syscall"

var (
	refusedErrors  = []error{syscall.ECONNREFUSED}
	brokenErrors   = []error{syscall.ECONNRESET, syscall.ECONNABORTED, syscall.EPIPE}
	timedOutErrors = []error{syscall.ETIMEDOUT}
	inUseErrors    = []error{syscall.EADDRINUSE}
)
