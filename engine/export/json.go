// Package export writes a Result in forms that leave the program: JSON, CSV and
// text, and reads its own JSON back.
package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"linkpace/engine/model"
	"linkpace/engine/verdict"
)

// JSON writes r as one indented JSON object with a line end. Besides the fields
// of a Result it has "summaries" and "findings", computed now.
func JSON(w io.Writer, r *model.Result) error {
	text, err := withComputed(r)
	if err != nil {
		return fmt.Errorf("writing the result as JSON: %w", err)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		return fmt.Errorf("writing the result as JSON: %w", err)
	}
	out.WriteByte('\n')
	if _, err := out.WriteTo(w); err != nil {
		return fmt.Errorf("writing the result as JSON: %w", err)
	}
	return nil
}

// withComputed copies the fields of r in order and puts the computed ones
// before the notes. It works on the encoded text, so that a field added to
// Result cannot be forgotten here.
func withComputed(r *model.Result) ([]byte, error) {
	full := *r
	full.Phases, full.Samples, full.Notes = list(r.Phases), list(r.Samples), list(r.Notes)
	text, err := encode(full)
	if err != nil {
		return nil, err
	}
	fields := json.NewDecoder(bytes.NewReader(text))
	if _, err := fields.Token(); err != nil {
		return nil, err
	}
	out := object{}
	for fields.More() {
		name, err := fields.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := fields.Decode(&value); err != nil {
			return nil, err
		}
		if name == "notes" {
			out.add("summaries", list(r.Summaries()))
			out.add("findings", verdict.Findings(r))
		}
		out.add(name.(string), value)
	}
	return out.close()
}

// list turns no list into an empty one, which readers of JSON expect.
func list[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

// object writes a JSON object field by field.
type object struct {
	text bytes.Buffer
	err  error
}

func (o *object) add(name string, value any) {
	text, err := encode(value)
	if err != nil {
		o.err = err
		return
	}
	separator := ","
	if o.text.Len() == 0 {
		separator = "{"
	}
	fmt.Fprintf(&o.text, "%s%q:%s", separator, name, text)
}

func (o *object) close() ([]byte, error) {
	o.text.WriteByte('}')
	return o.text.Bytes(), o.err
}

// encode leaves characters such as & readable; the output is no web page.
func encode(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
