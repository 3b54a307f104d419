package control

import (
	"crypto/ed25519"
	"crypto/tls"
	"errors"
)

// alpn keeps our conversation apart from every other use of TLS.
const alpn = "linkpace"

var errNotOurs = errors.New("certificate is not one of Linkpace")

// config is for both roles: each side shows its certificate, nobody's authority
// is asked, and the key itself is what counts.
func (i *Identity) config() *tls.Config {
	return &tls.Config{
		MinVersion:             tls.VersionTLS13,
		Certificates:           []tls.Certificate{i.certificate},
		ClientAuth:             tls.RequireAnyClientCert,
		InsecureSkipVerify:     true, // who the other is, is decided by its ID, see PeerID
		SessionTicketsDisabled: true,
		NextProtos:             []string{alpn},
		VerifyConnection: func(s tls.ConnectionState) error {
			_, err := peerID(s)
			return err
		},
	}
}

// peerID gives the ID that the other side has proved in the handshake: TLS 1.3
// has it sign the handshake with the key of its certificate.
func peerID(s tls.ConnectionState) (string, error) {
	if len(s.PeerCertificates) == 0 || s.NegotiatedProtocol != alpn {
		return "", errNotOurs
	}
	public, ok := s.PeerCertificates[0].PublicKey.(ed25519.PublicKey)
	if !ok {
		return "", errNotOurs
	}
	return idOf(public), nil
}
