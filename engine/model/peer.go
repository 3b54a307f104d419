package model

import (
	"net/netip"
	"time"

	"linkpace/engine/units"
)

// Peer is another computer (or another Linkpace on this one) that can be tested.
type Peer struct {
	// ID is the hash of the peer's public key; empty until it is known.
	ID string `json:"id,omitempty"`
	// Instance tells apart several programs of one installation.
	Instance string `json:"instance,omitempty"`
	Name     string `json:"name"`
	// Addrs are the control addresses that answered or were announced, best first.
	Addrs   []netip.AddrPort `json:"addrs"`
	OS      string           `json:"os,omitempty"`
	Version string           `json:"version,omitempty"`
	// Adapter is the adapter that the peer says it would use towards us.
	Adapter Adapter `json:"adapter"`
	// SameMachine is true when the peer runs on this computer.
	SameMachine bool `json:"same_machine,omitempty"`
	// Verified is true when the peer answered for its ID on the first of Addrs.
	Verified bool `json:"verified"`
	// Via names how the peer was found: mdns, broadcast, remembered, typed.
	Via  string    `json:"via"`
	Seen time.Time `json:"seen"`
	// RTT is the round trip of the last answer; 0 when none came.
	RTT time.Duration `json:"rtt_ns,omitempty"`
}

// Key identifies a peer in lists.
func (p Peer) Key() string { return p.ID + "/" + p.Instance }

// AdapterKind says in one word what an adapter is.
type AdapterKind string

// The kinds of adapter.
const (
	Ethernet AdapterKind = "ethernet"
	WiFi     AdapterKind = "wifi"
	Tunnel   AdapterKind = "tunnel"
	Bridge   AdapterKind = "bridge"
	Virtual  AdapterKind = "virtual"
	Loopback AdapterKind = "loopback"
	Unknown  AdapterKind = "unknown"
)

// Adapter is a network adapter as its system describes it. Zero fields are
// unknown.
type Adapter struct {
	Name string        `json:"name,omitempty"`
	Kind AdapterKind   `json:"kind,omitempty"`
	Link units.BitRate `json:"link_bps,omitempty"`
	// Duplex is "full", "half" or empty.
	Duplex string     `json:"duplex,omitempty"`
	MTU    int        `json:"mtu,omitempty"`
	WiFi   *WiFiFacts `json:"wifi,omitempty"`
}

// WiFiFacts describe a wireless link.
type WiFiFacts struct {
	SSID   string        `json:"ssid,omitempty"`
	Band   string        `json:"band,omitempty"`
	Signal int           `json:"signal_dbm,omitempty"`
	TxRate units.BitRate `json:"tx_bps,omitempty"`
	RxRate units.BitRate `json:"rx_bps,omitempty"`
}

// Endpoint is one of the two computers of a Result.
type Endpoint struct {
	Name    string  `json:"name"`
	ID      string  `json:"id,omitempty"`
	Address string  `json:"address,omitempty"`
	OS      string  `json:"os,omitempty"`
	CPU     string  `json:"cpu_model,omitempty"`
	Cores   int     `json:"cpu_cores,omitempty"`
	Version string  `json:"version,omitempty"`
	Adapter Adapter `json:"adapter"`
	// Backend names the socket backend that moved the payload.
	Backend string `json:"backend,omitempty"`
}
