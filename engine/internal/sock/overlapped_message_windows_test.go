package sock

import (
	"testing"
	"unsafe"

	"golang.org/x/sys/windows"
)

func TestControlMessagesHaveTheLayoutOfWinsock(t *testing.T) {
	var op operation
	op.prepare(make([]byte, 100))
	op.message.set(&op)
	if op.message.Control.Len != 0 || op.message.told() != 0 || op.message.Buffers.Len != 100 {
		t.Errorf("without a number: %+v", op.message)
	}
	op.message.ask(1472)
	raw := unsafe.Slice(op.message.Control.Buf, op.message.Control.Len)
	header := unsafe.Sizeof(uintptr(0))
	if raw[0] != byte(header+12) || raw[header] != 17 || raw[header+4] != 2 || raw[header+8] != 1472&0xff || raw[header+9] != 1472>>8 {
		t.Errorf("% x", raw)
	}
	if op.message.told() != 0 {
		t.Error("our own wish was taken for the system's answer")
	}
	op.message.control.Type = windows.UDP_COALESCED_INFO
	if got := op.message.told(); got != 1472 {
		t.Errorf("told %d", got)
	}
	op.message.Control.Len = 0 // the system had nothing to say
	if got := op.message.told(); got != 0 {
		t.Errorf("told %d from what was there before", got)
	}
}

func TestHeldBytesAreNeverCountedTwice(t *testing.T) {
	for _, c := range []struct{ arrived, taken, unread, most, want int64 }{
		{1000, 400, 100, 1 << 20, 500}, {1000, 400, 100, 300, 300}, {1000, 1000, 0, 1 << 20, 0}, {1000, 1200, 0, 1 << 20, 0}, {1000, 900, 200, 1 << 20, 0},
	} {
		if got := held(c.arrived, c.taken, c.unread, c.most); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
