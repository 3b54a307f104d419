package discovery

import (
	"fmt"
	"strings"
	"unicode"

	"linkpace/engine/model"
	"linkpace/engine/units"
)

// Limits of what a peer may say of itself.
const (
	maxID       = 64 // bytes
	maxInstance = 32 // bytes
	maxWord     = 32 // bytes, of the version
	maxOS       = 40 // runes
	maxName     = 64 // runes
	maxMTU      = 1 << 24
	maxLink     = units.BitRate(1e15)
)

// card is what a program says of itself.
type card struct {
	ID       string `json:"id"`
	Instance string `json:"in,omitempty"`
	Name     string `json:"n,omitempty"`
	OS       string `json:"os,omitempty"`
	Version  string `json:"v,omitempty"`
	// Port is the control port; 0 belongs to a program that cannot be tested.
	Port    uint16        `json:"p,omitempty"`
	Adapter model.Adapter `json:"a,omitzero"`
}

func (c card) key() string { return c.ID + "/" + c.Instance }

// validate checks the own card, which nobody may find unusable.
func (c card) validate() error {
	if !isToken(c.ID, maxID) {
		return fmt.Errorf("installation ID %q: use 1 to %d letters, digits or any of -_.:=+", c.ID, maxID)
	}
	if c.Instance != "" && !isToken(c.Instance, maxInstance) {
		return fmt.Errorf("instance word %q: use up to %d letters, digits or any of -_.:=+", c.Instance, maxInstance)
	}
	return nil
}

// cleaned makes a received card fit to be kept and shown; ok is false when its
// ID is unusable.
func (c card) cleaned() (clean card, ok bool) {
	if c.validate() != nil {
		return card{}, false
	}
	c.Name = model.CleanText(c.Name, maxName)
	c.OS = model.CleanText(c.OS, maxOS)
	c.Version = cleanWord(c.Version)
	c.Adapter = cleanAdapter(c.Adapter)
	return c, true
}

// isToken reports whether s is safe as it stands in keys, names and files.
func isToken(s string, limit int) bool {
	return s != "" && len(s) <= limit && strings.IndexFunc(s, notTokenRune) < 0
}

func notTokenRune(r rune) bool {
	return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.:=+", r)
}

// cleanWord keeps the safe characters of a short technical word.
func cleanWord(s string) string {
	s = strings.Map(func(r rune) rune {
		if notTokenRune(r) {
			return -1
		}
		return r
	}, s[:min(len(s), 4*maxWord)])
	return s[:min(len(s), maxWord)]
}

// cleanAdapter keeps the facts that travel in a hello. What a Wi-Fi network is
// called is nobody else's business and is left out.
func cleanAdapter(a model.Adapter) model.Adapter {
	kept := model.Adapter{Name: model.CleanText(a.Name, maxWord)}
	switch a.Kind {
	case model.Ethernet, model.WiFi, model.Tunnel, model.Bridge, model.Virtual, model.Loopback, model.Unknown:
		kept.Kind = a.Kind
	}
	if a.Duplex == "full" || a.Duplex == "half" {
		kept.Duplex = a.Duplex
	}
	if a.Link > 0 && a.Link <= maxLink {
		kept.Link = a.Link
	}
	if a.MTU > 0 && a.MTU <= maxMTU {
		kept.MTU = a.MTU
	}
	return kept
}
