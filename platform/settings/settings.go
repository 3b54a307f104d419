// Package settings keeps what the user chose in one small JSON file.
package settings

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Consent is the answer to "Let computers on this network test with this one?".
const (
	// ConsentUnasked is the state before the first start was answered.
	ConsentUnasked = ""
	// ConsentLocal lets computers on this network test.
	ConsentLocal = "local"
	// ConsentAsk asks each time.
	ConsentAsk = "ask"
	// ConsentNo refuses all.
	ConsentNo = "no"
)

// MaxName is the longest name of a computer in characters.
const MaxName = 63

// Settings are what the user chose. Fields of the file that this version does
// not know are kept when it is saved.
type Settings struct {
	// Name is what other computers show for this one.
	Name string
	// Consent is one of the Consent constants.
	Consent string
	// Port is the control port; 0 is the usual one.
	Port int

	unknown map[string]json.RawMessage
}

// known is the part of the file that this version understands.
type known struct {
	Name    string `json:"name,omitempty"`
	Consent string `json:"consent,omitempty"`
	Port    int    `json:"port,omitempty"`
}

// Defaults are the settings of a computer where nothing was chosen: its own
// name without the domain, and consent not asked.
func Defaults() Settings {
	host, err := os.Hostname()
	if err != nil {
		host = ""
	}
	return Settings{Name: shortName(host)}
}

// Check says which setting cannot be used, and what is accepted.
func (s Settings) Check() error {
	switch s.Consent {
	case ConsentUnasked, ConsentLocal, ConsentAsk, ConsentNo:
	default:
		return fmt.Errorf(`consent is %q: use "local", "ask" or "no"`, s.Consent)
	}
	if s.Port < 0 || s.Port > 65535 {
		return fmt.Errorf("port is %d: use 1 to 65535, or 0 for the usual one", s.Port)
	}
	if n := utf8.RuneCountInString(s.Name); n > MaxName {
		return fmt.Errorf("name has %d characters: use at most %d", n, MaxName)
	}
	if !utf8.ValidString(s.Name) || strings.ContainsFunc(s.Name, unicode.IsControl) {
		return fmt.Errorf("name is %q: use printable characters", s.Name)
	}
	return nil
}

// MarshalJSON writes the known fields over the unknown ones of the loaded file.
func (s Settings) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(known{s.Name, s.Consent, s.Port})
	if err != nil {
		return nil, err
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	for name, value := range s.unknown {
		fields[name] = value
	}
	return json.Marshal(fields)
}

// UnmarshalJSON reads the known fields and remembers the rest.
func (s *Settings) UnmarshalJSON(text []byte) error {
	var k known
	if err := json.Unmarshal(text, &k); err != nil {
		return err
	}
	var unknown map[string]json.RawMessage
	if err := json.Unmarshal(text, &unknown); err != nil {
		return err
	}
	maps.DeleteFunc(unknown, func(name string, _ json.RawMessage) bool { return isKnown(name) })
	*s = Settings{Name: k.Name, Consent: k.Consent, Port: k.Port, unknown: unknown}
	return nil
}

// isKnown matches as encoding/json does: without regard to case.
func isKnown(field string) bool {
	return slices.ContainsFunc([]string{"name", "consent", "port"}, func(k string) bool { return strings.EqualFold(k, field) })
}

// shortName is a host name without its domain.
func shortName(host string) string {
	name, _, _ := strings.Cut(strings.TrimSpace(host), ".")
	if runes := []rune(name); len(runes) > MaxName {
		name = string(runes[:MaxName])
	}
	if name == "" {
		return "unnamed"
	}
	return name
}
