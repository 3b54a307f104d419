package discovery

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf8"

	"linkpace/engine/model"
)

// Multicast DNS names of the service.
const (
	serviceType = "_linkpace._tcp"
	domain      = "local."
)

// Limits of a TXT record. zeroconf hands values out escaped and splits nothing,
// so a value is plain ASCII and the whole fits in one packet with the rest.
const (
	maxTXT       = 400 // bytes
	maxTXTFields = 16
	maxTXTName   = 120 // bytes before encoding
	maxTXTOS     = 40  // likewise
)

// instanceName is the service instance of a program: the same each time for one
// ID and instance, ASCII, and unlike that of any other, because two equal names
// hide each other.
func instanceName(id, instance string) string {
	idSum, instanceSum := sha256.Sum256([]byte(id)), sha256.Sum256([]byte(instance))
	return "lp-" + hex.EncodeToString(idSum[:8]) + "-" + hex.EncodeToString(instanceSum[:4])
}

// encodeTXT gives the TXT strings of a card.
func encodeTXT(c card) []string {
	fields := []string{"id=" + c.ID, "in=" + c.Instance}
	if name := cutBytes(model.CleanText(c.Name, maxName), maxTXTName); name != "" {
		fields = append(fields, "n="+encodeText(name))
	}
	fields = append(fields, "p="+strconv.Itoa(int(c.Port)))
	if os := cutBytes(model.CleanText(c.OS, maxOS), maxTXTOS); os != "" {
		fields = append(fields, "os="+encodeText(os))
	}
	if c.Version != "" {
		fields = append(fields, "v="+cleanWord(c.Version))
	}
	return fields
}

// decodeTXT reads the TXT strings of a peer. hello is the UDP port of its hello
// messages, 0 when it is not named. ok is false when there is no usable ID.
func decodeTXT(fields []string) (c card, hello uint16, ok bool) {
	size := 0
	for _, field := range fields[:min(len(fields), maxTXTFields)] {
		if size += len(field) + 1; size > maxTXT {
			break
		}
		name, value, _ := strings.Cut(field, "=")
		switch strings.ToLower(name) {
		case "id":
			c.ID = value
		case "in":
			c.Instance = value
		case "n":
			c.Name = decodeText(value)
		case "os":
			c.OS = decodeText(value)
		case "v":
			c.Version = value
		case "p":
			port, _ := strconv.ParseUint(value, 10, 16)
			hello = uint16(port)
		}
	}
	c, ok = c.cleaned()
	return c, hello, ok
}

// encodeText makes any text plain ASCII.
func encodeText(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

// decodeText gives the text back. One that cannot be read is no reason to
// ignore the peer.
func decodeText(s string) string {
	raw, _ := base64.RawURLEncoding.DecodeString(s)
	return string(raw)
}

// cutBytes shortens s to at most limit bytes without splitting a rune.
func cutBytes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
