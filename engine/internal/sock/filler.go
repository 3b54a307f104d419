package sock

import (
	"crypto/rand"
	mrand "math/rand/v2"
)

// fill fills memory with content that no device on the way can compress.
func fill(b []byte) {
	var seed [32]byte
	_, _ = rand.Read(seed[:]) // never fails since Go 1.24
	_, _ = mrand.NewChaCha8(seed).Read(b)
}

// repeated is a Source of the same bytes over and over.
type repeated []byte

func (s repeated) Next() []byte { return s }
func (repeated) Sent(int)       {}

// discarded is a Sink that forgets.
type discarded []byte

func (s discarded) Buffer() []byte { return s }
func (discarded) Got(int) error    { return nil }
