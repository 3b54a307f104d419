package sock

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
)

// pages is memory that belongs to the system's pages alone: it never moves, and
// goes back the moment it is freed.
type pages []byte

func newPages(size int) (pages, error) {
	addr, err := windows.VirtualAlloc(0, uintptr(size), windows.MEM_RESERVE|windows.MEM_COMMIT, windows.PAGE_READWRITE)
	if err != nil {
		return nil, fmt.Errorf("get %d bytes of memory: %w", size, err)
	}
	// It is no memory of Go's, so the number may become a pointer.
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&addr))), size), nil
}

// newFiller is memory with content that no device on the way can compress.
func newFiller(size int) (pages, error) {
	p, err := newPages(size)
	fill(p)
	return p, err
}

func (p pages) free() {
	if len(p) > 0 {
		_ = windows.VirtualFree(uintptr(unsafe.Pointer(&p[0])), 0, windows.MEM_RELEASE)
	}
}
