package control

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// MaxFrame is the largest body of a frame in bytes.
const MaxFrame = 64 << 10

// ErrFrameSize says that the other side announced a frame that is empty or too
// large. The connection is of no use after it.
var ErrFrameSize = errors.New("frame is empty or over 64 KiB")

// Message is one frame's content.
type Message struct {
	Kind Kind            `json:"kind"`
	Body json.RawMessage `json:"body,omitempty"`
}

// Into decodes the body.
func (m Message) Into(body any) error {
	if err := json.Unmarshal(m.Body, body); err != nil {
		return fmt.Errorf("body of %q: %w", m.Kind, err)
	}
	return nil
}

// AppendFrame adds the frame of a message to b.
func AppendFrame(b []byte, kind Kind, body any) ([]byte, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return b, fmt.Errorf("body of %q: %w", kind, err)
	}
	text, err := json.Marshal(Message{Kind: kind, Body: raw})
	if err != nil {
		return b, fmt.Errorf("message %q: %w", kind, err)
	}
	if len(text) > MaxFrame {
		return b, fmt.Errorf("message %q of %d bytes: %w", kind, len(text), ErrFrameSize)
	}
	b = binary.BigEndian.AppendUint32(b, uint32(len(text)))
	return append(b, text...), nil
}

// ReadFrame reads one frame. It takes no more memory than the frame's checked
// size and returns io.EOF only between two frames.
func ReadFrame(r io.Reader) (m Message, err error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return m, err
	}
	size := binary.BigEndian.Uint32(head[:])
	if size == 0 || size > MaxFrame {
		return m, ErrFrameSize
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(r, text); err != nil {
		return m, fmt.Errorf("frame of %d bytes: %w", size, noEOF(err))
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("frame of %d bytes: %w", size, err)
	}
	if m.Kind == "" {
		return m, errors.New("frame without a kind")
	}
	return m, nil
}

func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
