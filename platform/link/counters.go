package link

// Counters are what an adapter carried since the system started, in bytes, of
// all programs and with headers.
type Counters struct{ Rx, Tx uint64 }

// ReadCounters reads the counters of the adapter of that name. It is cheap
// enough for many calls a second.
func ReadCounters(adapter string) (Counters, error) { return readCounters(adapter) }
