//go:build !linux && !windows

package thread

import "errors"

func urgent() (undo func(), err error) { return nil, errors.ErrUnsupported }
