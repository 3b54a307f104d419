//go:build !linux && !windows

package thread

import "errors"

func pin([]int) error { return errors.ErrUnsupported }
