package discovery

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"linkpace/engine/model"
)

const (
	resolveTime  = 3 * time.Second
	maxAddress   = 300 // bytes that somebody may type
	maxHost      = 253 // bytes of a DNS name
	maxEndpoints = 16  // addresses kept for one peer
)

// ParseAddress reads a computer's address as people type it: "host",
// "host:port", "192.168.1.20", "fe80::1%eth0", "[fe80::1%eth0]:port". Without a
// port it is DefaultPort. The error is a sentence that names the value and what
// is accepted.
func ParseAddress(text string) (host string, port uint16, err error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return "", 0, errors.New("the address is empty: type a name or an address, like 192.168.1.20")
	}
	if i := strings.IndexFunc(text, unsafeInAddress); i >= 0 {
		return "", 0, fmt.Errorf("the address %q contains a space or another character that no address has: use a name or an address, like 192.168.1.20", shown(text))
	}
	if len(text) > maxAddress {
		return "", 0, fmt.Errorf("the address %q is too long", shown(text))
	}
	if addr, err := netip.ParseAddr(text); err == nil {
		return addr.String(), DefaultPort, nil
	}
	host, portText, err := splitPort(text)
	if err != nil {
		return "", 0, err
	}
	if port, err = parsePort(text, portText); err != nil {
		return "", 0, err
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.String(), port, nil // one way of writing for one address
	}
	if err := checkHost(text, host); err != nil {
		return "", 0, err
	}
	return host, port, nil
}

func unsafeInAddress(r rune) bool {
	return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == unicode.ReplacementChar || strings.ContainsRune(`/\"'<>@?#,;`, r)
}

// splitPort separates host and port; the port is empty when none was typed.
func splitPort(text string) (host, port string, err error) {
	if strings.HasPrefix(text, "[") {
		host, rest, found := strings.Cut(text[1:], "]")
		if !found || rest != "" && !strings.HasPrefix(rest, ":") {
			return "", "", fmt.Errorf("the address %q has unmatched brackets: use the form [fe80::1%%eth0]:%d", shown(text), DefaultPort)
		}
		if addr, err := netip.ParseAddr(host); err != nil || !addr.Is6() {
			return "", "", fmt.Errorf("%q in the address %q is no IPv6 address", shown(host), shown(text))
		}
		if rest == ":" {
			return "", "", badPort(text, "")
		}
		return host, strings.TrimPrefix(rest, ":"), nil
	}
	switch strings.Count(text, ":") {
	case 0:
		return text, "", nil
	case 1:
		host, port, _ = strings.Cut(text, ":")
		if port == "" {
			return "", "", badPort(text, port)
		}
		return host, port, nil
	default:
		return "", "", fmt.Errorf("the address %q is no IPv6 address: put it in brackets before a port, like [fe80::1%%eth0]:%d", shown(text), DefaultPort)
	}
}

func parsePort(text, port string) (uint16, error) {
	if port == "" {
		return DefaultPort, nil
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 {
		return 0, badPort(text, port)
	}
	return uint16(n), nil
}

func badPort(text, port string) error {
	return fmt.Errorf("the port %q in the address %q is not usable: use a number from 1 to 65535", shown(port), shown(text))
}

// checkHost refuses what is no computer's name.
func checkHost(text, host string) error {
	switch {
	case host == "":
		return fmt.Errorf("the address %q names no computer before the port", shown(text))
	case len(host) > maxHost || strings.Contains(host, "..") || strings.HasPrefix(host, ".") || strings.ContainsAny(host, "[]%"):
		return fmt.Errorf("%q is neither a computer's name nor an address", shown(host))
	case strings.Trim(host, "0123456789.") == "":
		return fmt.Errorf("%q is not a complete IPv4 address: use four numbers from 0 to 255, like 192.168.1.20", shown(host))
	}
	return nil
}

// shown shortens what was typed for a sentence.
func shown(text string) string {
	if len(text) <= 80 {
		return text
	}
	return cutBytes(text, 80) + "…"
}

// Resolve turns a typed address into a peer that nothing is known of but where
// it is, best address first. It asks the system's name service for at most
// three seconds. The error is a *model.Problem with the code bad_input or
// not_found.
func Resolve(ctx context.Context, text string) (model.Peer, error) {
	host, port, err := ParseAddress(text)
	if err != nil {
		return model.Peer{}, addressProblem(model.CodeBadInput, sentence(err.Error()), nil)
	}
	addrs, err := lookup(ctx, host)
	if err != nil {
		return model.Peer{}, addressProblem(model.CodeNotFound, fmt.Sprintf("No computer called %q was found: check the name, or type the address that the other computer shows.", host), err)
	}
	return typedPeer(typedText(host, port), withPort(addrs, port)), nil
}

func lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr.Unmap()}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, resolveTime)
	defer cancel()
	addrs, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil && strings.HasSuffix(strings.ToLower(host), ".local") {
		// Many systems leave these names to multicast DNS, which a program
		// without the C library does not reach through them.
		addrs, err = lookupLocal(ctx, host)
	}
	if err != nil {
		return nil, err
	}
	if len(addrs) == 0 {
		return nil, errors.New("the name has no address")
	}
	return addrs, nil
}

func withPort(addrs []netip.Addr, port uint16) []netip.AddrPort {
	list := make([]netip.AddrPort, 0, len(addrs))
	for _, addr := range addrs[:min(len(addrs), maxEndpoints)] {
		list = append(list, netip.AddrPortFrom(addr.Unmap(), port))
	}
	return list
}

// typedText is the short form of an address, as lists and the store keep it.
func typedText(host string, port uint16) string {
	if port == DefaultPort {
		return host
	}
	return net.JoinHostPort(host, strconv.Itoa(int(port)))
}

// typedPeer is a peer of which only the address is known. The address stands in
// for the instance, so that the keys of several differ.
func typedPeer(text string, addrs []netip.AddrPort) model.Peer {
	return model.Peer{Instance: text, Name: text, Addrs: addrs, Via: viaTyped}
}

func addressProblem(code model.Code, text string, cause error) error {
	return &model.Problem{Side: model.Local, Op: "find computer", Code: code, Text: text, Cause: cause}
}

// sentence gives an error's text the form of a sentence.
func sentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:] + "."
}
