package control

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"linkpace/engine/model"
)

// Pin is one computer we met under a name or an address.
type Pin struct {
	// Key is what it was met under: a typed address, or "name@address".
	Key  string    `json:"key"`
	ID   string    `json:"id"`
	Name string    `json:"name"`
	Seen time.Time `json:"seen"`
}

// Pins remember whom we met, so that another computer in the same place is
// noticed. They live in one file.
type Pins struct {
	path string
	mu   sync.Mutex
	pins []Pin
}

const (
	maxPins     = 1000
	maxPinsFile = 1 << 20
)

// LoadPins reads the pins kept in a folder; a missing file is none. An
// unreadable file is an error, for forgetting everybody silently would let
// anybody in.
func LoadPins(folder string) (*Pins, error) {
	p := &Pins{path: filepath.Join(folder, "pins.json")}
	info, err := os.Stat(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err == nil && info.Size() > maxPinsFile {
		err = errors.New("file is far too large")
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(p.path)
	}
	if err == nil {
		p.pins, err = parsePins(text)
	}
	if err != nil {
		return nil, fmt.Errorf("read known computers: %s is damaged or not readable (%w): delete it to meet everybody anew", p.path, err)
	}
	return p, nil
}

func parsePins(text []byte) ([]Pin, error) {
	var file struct {
		Pins []Pin `json:"pins"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, err
	}
	if len(file.Pins) > maxPins {
		return nil, fmt.Errorf("%d entries, at most %d are kept", len(file.Pins), maxPins)
	}
	for _, p := range file.Pins {
		if p.Key == "" || p.ID == "" {
			return nil, errors.New("an entry without key or ID")
		}
	}
	return file.Pins, nil
}

// MemoryPins are pins that are kept nowhere.
func MemoryPins() *Pins { return &Pins{} }

// Check compares the ID that a computer proved with the one it had under the
// same keys. Another one is a *model.Problem.
func (p *Pins) Check(id string, keys ...string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, pin := range p.pins {
		if slices.Contains(keys, pin.Key) && pin.ID != id {
			return &model.Problem{Side: model.Remote, Op: "identify", Code: model.CodeIdentityChanged,
				Text: fmt.Sprintf("%s is not the computer that was met there before: its key is %s and was %s. If Linkpace was installed anew on it, forget the old key with: lpace peers forget %q. If not, somebody may be posing as it.", pin.Name, ShortCode(id), ShortCode(pin.ID), pin.Name)}
		}
	}
	return nil
}

// Remember keeps that a computer was met under the keys.
func (p *Pins) Remember(id, name string, keys ...string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, key := range keys {
		p.pins = slices.DeleteFunc(p.pins, func(pin Pin) bool { return pin.Key == key })
		p.pins = append(p.pins, Pin{Key: key, ID: id, Name: name, Seen: time.Now().UTC()})
	}
	if extra := len(p.pins) - maxPins; extra > 0 {
		p.pins = slices.Delete(p.pins, 0, extra) // the ones not seen for longest
	}
	return p.save()
}

// Forget drops every pin with a name, key or ID and tells how many there were.
func (p *Pins) Forget(what string) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := len(p.pins)
	p.pins = slices.DeleteFunc(p.pins, func(pin Pin) bool {
		return pin.Name == what || pin.Key == what || pin.ID == what || ShortCode(pin.ID) == what
	})
	if len(p.pins) == before {
		return 0, nil
	}
	return before - len(p.pins), p.save()
}

// Known reports whether a computer was met before.
func (p *Pins) Known(id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.pins, func(pin Pin) bool { return pin.ID == id })
}

// save writes the file under another name first, so that a crash leaves the old
// or the new one.
func (p *Pins) save() error {
	if p.path == "" {
		return nil
	}
	text, err := json.MarshalIndent(map[string]any{"pins": p.pins}, "", "  ")
	if err != nil {
		return fmt.Errorf("keep known computers: %w", err)
	}
	temp, err := os.CreateTemp(filepath.Dir(p.path), "pins.json.*")
	if err != nil {
		return fmt.Errorf("keep known computers: %w", err)
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(append(text, '\n'))
	if err = errors.Join(err, temp.Sync(), temp.Close()); err == nil {
		err = os.Rename(temp.Name(), p.path)
	}
	if err != nil {
		return fmt.Errorf("keep known computers: %w", err)
	}
	return nil
}
