package thread

import (
	"errors"
	"testing"
)

func TestLocateCountsAcrossGroups(t *testing.T) {
	groups := []uint32{64, 32}
	size := func(group uint16) uint32 {
		if int(group) < len(groups) {
			return groups[group]
		}
		return 0
	}
	for _, c := range []struct {
		cpus  []int
		group uint16
		mask  uintptr
		err   error
	}{
		{[]int{0, 3}, 0, 0b1001, nil},
		{[]int{64, 66}, 1, 0b101, nil},
		{[]int{63, 64}, 0, 0, errSeveralGroups},
		{[]int{96}, 0, 0, errNoSuchCPU},
	} {
		got, err := locate(c.cpus, size)
		if !errors.Is(err, c.err) || err == nil && (got.group != c.group || got.mask != c.mask) {
			t.Errorf("%v: %+v, %v", c.cpus, got, err)
		}
	}
}
