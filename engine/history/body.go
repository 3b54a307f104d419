package history

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"

	"linkpace/engine/model"
)

// Bounds of a stored Result. A test of an hour with a sample every 100 ms makes
// about 100 MB of JSON that compresses to a tenth.
const (
	maxText = 256 << 20
	maxBody = 64 << 20
)

// encode makes the stored form of a Result: its JSON, compressed.
func encode(r *model.Result) ([]byte, error) {
	var body bytes.Buffer
	packer := gzip.NewWriter(&body)
	counted := &counter{to: packer}
	if err := json.NewEncoder(counted).Encode(r); err != nil {
		return nil, fmt.Errorf("writing the result: %w", err)
	}
	if err := packer.Close(); err != nil {
		return nil, fmt.Errorf("compressing the result: %w", err)
	}
	if counted.n > maxText || body.Len() > maxBody {
		return nil, fmt.Errorf("the result is too large to keep: %d bytes", counted.n)
	}
	return body.Bytes(), nil
}

// decode reads the stored form. The file may have been changed by anybody, so
// it bounds what a body unpacks to.
func decode(body []byte) (*model.Result, error) {
	if len(body) > maxBody {
		return nil, fmt.Errorf("the stored result is too large: %d bytes", len(body))
	}
	unpacker, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("the stored result is damaged: %w", err)
	}
	text, err := readWithin(unpacker, maxText)
	if err != nil {
		return nil, fmt.Errorf("the stored result is damaged: %w", err)
	}
	var r model.Result
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("the stored result is damaged: %w", err)
	}
	if r.Schema < 1 || r.Schema > model.Schema {
		return nil, fmt.Errorf("the stored result has schema %d, this version reads 1 to %d: use a newer version of Linkpace", r.Schema, model.Schema)
	}
	return &r, nil
}

func readWithin(from io.Reader, limit int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(from, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("it unpacks to more than %d bytes", limit)
	}
	return text, err
}

type counter struct {
	to io.Writer
	n  int
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += n
	return n, err
}
