package link

// Counters are what an adapter carried since the system started, in bytes, of
// all programs and with headers.
type Counters struct{ Rx, Tx uint64 }

// WatchCounters prepares reading the counters of the adapter of that name again
// and again. What fails shows when they are read. A Watch is for one goroutine.
func WatchCounters(adapter string) *Watch { return newWatch(adapter) }
