package sock

import (
	"errors"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// sioTCPInfo is SIO_TCP_INFO of mstcpip.h; it needs no administrator.
const sioTCPInfo = 0xD8000027

// tcpInfo0 is TCP_INFO_v0 of mstcpip.h (Windows 10 1703, Server 2016).
type tcpInfo0 struct {
	State             int32
	MSS               uint32
	ConnectionTime    uint64 // milliseconds
	TimestampsEnabled uint8
	RTT               uint32 // microseconds
	MinRTT            uint32 // microseconds
	BytesInFlight     uint32
	CongestionWindow  uint32
	SendWindow        uint32
	ReceiveWindow     uint32
	ReceiveBuffer     uint32
	BytesOut          uint64
	BytesIn           uint64
	BytesReordered    uint32
	BytesRetrans      uint32
	FastRetrans       uint32
	DupAcksIn         uint32
	TimeoutEpisodes   uint32
	SynRetrans        uint8
}

// tcpInfo1 is TCP_INFO_v1 (Windows 10 1809, Server 2019).
type tcpInfo1 struct {
	tcpInfo0
	ReceiverLimited, CongestionLimited, SenderLimited sendLimit
}

// sendLimit is how often, how long and for how many bytes something held the sender
// back (the SndLim fields, after RFC 4898).
type sendLimit struct {
	Times uint32
	Time  uint32 // milliseconds
	Bytes uint64
}

// The compiler refuses other sizes than those of the header.
var (
	_ [88]byte  = [unsafe.Sizeof(tcpInfo0{})]byte{}
	_ [136]byte = [unsafe.Sizeof(tcpInfo1{})]byte{}
)

// tcpInfoAsker asks the system what it knows of a connection. The zero value is
// ready; any number of goroutines may share it. Whoever keeps it spares itself
// asking for what this Windows turned out not to have.
type tcpInfoAsker struct {
	// skip is how many versions of the answer this Windows does not have.
	skip atomic.Int32
}

// tcpInfoVersions is how many versions there are to ask for, the last one first.
const tcpInfoVersions = 2

// ask gives the kernel's figures of a connection, and false where it has none.
func (a *tcpInfoAsker) ask(fd uintptr) (model.TCPInfo, bool) {
	var raw tcpInfo1
	for skip := a.skip.Load(); skip < tcpInfoVersions; skip++ {
		err := raw.read(fd, uint32(tcpInfoVersions-1-skip))
		a.learn(skip, err)
		if err == nil {
			return tcpInfoOf(&raw), true
		}
	}
	return model.TCPInfo{}, false
}

// learn remembers which version was answered, or that none is. Errors other than
// that the question is unknown may be of one connection alone, such as one that
// is closed.
func (a *tcpInfoAsker) learn(skip int32, err error) {
	switch {
	case err == nil:
		a.skip.Store(skip)
	case skip == tcpInfoVersions-1 && errors.Is(err, windows.WSAEOPNOTSUPP):
		a.skip.Store(tcpInfoVersions)
	}
}

// read asks for one version; the fields that it does not have stay zero.
func (raw *tcpInfo1) read(fd uintptr, version uint32) error {
	size := uint32(unsafe.Sizeof(raw.tcpInfo0))
	if version > 0 {
		size = uint32(unsafe.Sizeof(*raw))
	}
	var length uint32
	return windows.WSAIoctl(windows.Handle(fd), sioTCPInfo, (*byte)(unsafe.Pointer(&version)), uint32(unsafe.Sizeof(version)),
		(*byte)(unsafe.Pointer(raw)), size, &length, nil, 0)
}

// tcpInfoOf turns the units of Windows into ours. It counts bytes where the
// others count segments, and has no variance and no delivery rate. Its
// sender-limited time is the send buffer's and the program's alike: a program
// that always has data ready is held back by the buffer. Only version 1 has it.
func tcpInfoOf(raw *tcpInfo1) model.TCPInfo {
	info := model.TCPInfo{
		RTT:               time.Duration(raw.RTT) * time.Microsecond,
		MinRTT:            time.Duration(raw.MinRTT) * time.Microsecond,
		Retransmits:       raw.segments(raw.BytesRetrans),
		Window:            units.Bytes(raw.CongestionWindow),
		PeerWindow:        units.Bytes(raw.SendWindow),
		InFlight:          units.Bytes(raw.BytesInFlight),
		MSS:               units.Bytes(raw.MSS),
		ReceiverLimited:   raw.ReceiverLimited.duration(),
		SendBufferLimited: raw.SenderLimited.duration(),
		CongestionLimited: raw.CongestionLimited.duration(),
		Reordered:         raw.segments(raw.BytesReordered),
	}
	info.Busy = info.ReceiverLimited + info.SendBufferLimited + info.CongestionLimited
	return info
}

func (l sendLimit) duration() time.Duration { return time.Duration(l.Time) * time.Millisecond }

// segments is how many segments so many bytes are at the least.
func (raw *tcpInfo1) segments(bytes uint32) uint64 {
	segment := uint64(max(raw.MSS, 1))
	return (uint64(bytes) + segment - 1) / segment
}
