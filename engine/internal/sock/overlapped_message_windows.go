package sock

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// message is what WSASendMsg and WSARecvMsg want besides the bytes: a place for
// one control message with a number.
type message struct {
	windows.WSAMsg
	control controlNumber
}

// controlNumber is a WSACMSGHDR of ws2def.h with a DWORD after it.
type controlNumber struct {
	windows.WSACMSGHDR
	number uint32
	_      uint32 // up to the alignment
}

// controlLength is WSA_CMSG_LEN of a DWORD.
const controlLength = unsafe.Offsetof(controlNumber{}.number) + 4

// set points the message of an operation at its buffer.
func (m *message) set(op *operation) {
	m.WSAMsg = windows.WSAMsg{Buffers: &op.buffer, BufferCount: 1}
}

// ask has a number go along: the size of the datagrams into which the system
// cuts the bytes.
func (m *message) ask(size int) {
	m.control = controlNumber{number: uint32(size)}
	m.control.Len = controlLength
	m.control.Level, m.control.Type = windows.IPPROTO_UDP, windows.UDP_SEND_MSG_SIZE
	m.room()
}

// room makes room for a number from the system.
func (m *message) room() {
	m.Control = windows.WSABuf{Len: uint32(unsafe.Sizeof(m.control)), Buf: (*byte)(unsafe.Pointer(&m.control))}
}

// told gives the size of the datagrams that the system put together; 0 where it
// says nothing.
func (m *message) told() int {
	c := &m.control
	if uintptr(m.Control.Len) < controlLength || c.Len < controlLength || c.Level != windows.IPPROTO_UDP || c.Type != windows.UDP_COALESCED_INFO {
		return 0
	}
	return int(c.number)
}
