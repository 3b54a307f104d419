package link

import (
	"fmt"
	"math"
	"net"
	"unsafe"

	"golang.org/x/sys/windows"
)

func describe(ifi net.Interface) Adapter {
	a := Adapter{Name: ifi.Name, Index: ifi.Index, MTU: ifi.MTU, Kind: Unknown}
	row := windows.MibIfRow2{InterfaceIndex: uint32(ifi.Index)}
	if err := windows.GetIfEntry2Ex(windows.MibIfEntryNormalWithoutStatistics, &row); err == nil {
		const hardwareFlag = 1
		a.Kind = rowKind(row.Type, row.InterfaceAndOperStatusFlags&hardwareFlag != 0, windows.UTF16ToString(row.Description[:]))
		if negotiates(a.Kind) {
			a.LinkBPS = saneRate(row.TransmitLinkSpeed)
		}
	}
	if ifi.Flags&net.FlagLoopback != 0 {
		a.Kind = Loopback
	}
	return a
}

// saneRate drops what drivers report when they do not know: nothing, all bits
// set, or a speed that no adapter has.
func saneRate(bps uint64) int64 {
	const fastest = 10_000_000_000_000
	if bps == math.MaxUint64 || bps > fastest {
		return 0
	}
	return int64(bps)
}

// Watch reads the counters of one adapter.
type Watch struct{ adapter string }

func newWatch(adapter string) *Watch { return &Watch{adapter} }

// Close is for systems where reading takes something that is kept.
func (*Watch) Close() error { return nil }

// Read reads the counters.
func (w *Watch) Read() (Counters, error) {
	row := windows.MibIfRow2{}
	if err := luidOf(w.adapter, &row.InterfaceLuid); err != nil {
		return Counters{}, fmt.Errorf("this computer has no adapter %q: %w", w.adapter, err)
	}
	if err := windows.GetIfEntry2Ex(windows.MibIfEntryNormal, &row); err != nil {
		return Counters{}, fmt.Errorf("reading the counters of adapter %q: %w", w.adapter, err)
	}
	return Counters{Rx: row.InOctets, Tx: row.OutOctets}, nil
}

// luidOf asks for one adapter by its name: listing all of them takes
// milliseconds on some computers, too long for every sample of a test.
func luidOf(adapter string, luid *uint64) error {
	name, err := windows.UTF16PtrFromString(adapter)
	if err != nil {
		return err
	}
	convert := windows.NewLazySystemDLL("iphlpapi.dll").NewProc("ConvertInterfaceAliasToLuid")
	if err := convert.Find(); err != nil {
		return err
	}
	if code, _, _ := convert.Call(uintptr(unsafe.Pointer(name)), uintptr(unsafe.Pointer(luid))); code != 0 {
		return windows.Errno(code)
	}
	return nil
}
