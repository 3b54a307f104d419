package sock

import (
	"time"

	"linkpace/engine/units"
)

// Outgoing says what to send over one stream.
type Outgoing struct {
	// Source gives the bytes; nil is any bytes that no device on the way can
	// compress.
	Source Source
	// Count is told of all bytes that the system has taken.
	Count Counter
	// Until is when to stop.
	Until time.Time
	// Rate is the most to send; 0 is as fast as possible.
	Rate units.BitRate
	// Limit is how many bytes to send at most; 0 is no limit.
	Limit units.Bytes
}

// Incoming says what to do with what one stream carries.
type Incoming struct {
	// Sink looks at the bytes; nil is nobody.
	Sink Sink
	// Count is told of all bytes that arrived.
	Count Counter
	// Until is when to give up.
	Until time.Time
}

// Counter counts payload.
type Counter interface{ Add(n int) }

// Source says what is sent.
type Source interface {
	// Next gives the bytes to write next, and none at the end. They are valid
	// until the following call.
	Next() []byte
	// Sent tells how many of them the system has taken.
	Sent(n int)
}

// Sink says what becomes of received bytes.
type Sink interface {
	// Buffer gives the memory to read into.
	Buffer() []byte
	// Got tells how many bytes of it were filled. An error ends receiving with
	// it.
	Got(n int) error
}
