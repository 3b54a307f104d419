package sock

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePage is the size of a large page on all systems that have 4 KB pages.
const hugePage = 2 << 20

// pages is memory outside of Go's heap that the kernel may back with large
// pages: 256 small ones in a pipe would make as many fragments of a packet.
type pages struct {
	mapping []byte
	b       []byte // aligned to hugePage
}

// newPages takes at least size bytes. Where the system has no large pages the
// memory is of small ones.
func newPages(size int) (*pages, error) {
	size = (size + hugePage - 1) &^ (hugePage - 1)
	m, err := unix.Mmap(-1, 0, size+hugePage, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		return nil, fmt.Errorf("map %d bytes: %w", size+hugePage, err)
	}
	start := int(-uintptr(unsafe.Pointer(&m[0])) & (hugePage - 1))
	p := &pages{mapping: m, b: m[start : start+size]}
	_ = unix.Madvise(p.b, unix.MADV_HUGEPAGE) // a kernel without them says EINVAL
	return p, nil
}

func (p *pages) free() {
	if p != nil {
		_ = unix.Munmap(p.mapping)
	}
}
