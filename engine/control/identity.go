package control

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base32"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Identity is this installation's key and the certificate that shows it.
type Identity struct {
	// ID is the hash of the public key.
	ID          string
	certificate tls.Certificate
}

const identityFile = "identity.pem"

// LoadIdentity reads the identity kept in a folder, and makes one when there is
// none. A damaged file is an error: a new key would make this computer a
// stranger to those that know it, so that is for the person to decide.
func LoadIdentity(folder string) (*Identity, error) {
	path := filepath.Join(folder, identityFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return createIdentity(path)
	}
	if err != nil {
		return nil, fmt.Errorf("read this computer's key: %w", err)
	}
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "PRIVATE KEY" {
		return nil, fmt.Errorf("%s is damaged: delete it to make a new key (computers that know this one will ask again)", path)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	key, isEd25519 := parsed.(ed25519.PrivateKey)
	if err != nil || !isEd25519 {
		return nil, fmt.Errorf("%s is damaged: delete it to make a new key (computers that know this one will ask again)", path)
	}
	return newIdentity(key)
}

// IdentityMissing reports whether a folder holds no identity, so that one that
// cannot be kept may stand in without displacing any.
func IdentityMissing(folder string) bool {
	_, err := os.Lstat(filepath.Join(folder, identityFile))
	return errors.Is(err, fs.ErrNotExist)
}

// NewIdentity makes an identity that is kept nowhere, for a test of this
// computer with itself.
func NewIdentity() (*Identity, error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	return newIdentity(key)
}

// createIdentity writes the key under another name first and links it into
// place, so that of two programs started at once one wins and both use its key.
func createIdentity(path string) (*Identity, error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make this computer's key: %w", err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("encode this computer's key: %w", err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("keep this computer's key: %w", err)
	}
	err = writeNew(path, text)
	if errors.Is(err, fs.ErrExist) {
		return LoadIdentity(filepath.Dir(path))
	}
	if err != nil {
		return nil, fmt.Errorf("keep this computer's key: %w", err)
	}
	return newIdentity(key)
}

func writeNew(path string, text []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(path), identityFile+".*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(text)
	if err = errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return err
	}
	if err := os.Link(temp.Name(), path); err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// A file system without links: the window between the look and the rename
	// is small, and the worst outcome is one more key.
	if _, err := os.Lstat(path); err == nil {
		return fs.ErrExist
	}
	return os.Rename(temp.Name(), path)
}

// newIdentity makes the certificate anew each time: nothing in it but the key
// matters, and it cannot expire that way.
func newIdentity(key ed25519.PrivateKey) (*Identity, error) {
	public := key.Public().(ed25519.PublicKey)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "linkpace"},
		NotBefore:    time.Now().Add(-24 * time.Hour),
		NotAfter:     time.Now().AddDate(20, 0, 0),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, public, key)
	if err != nil {
		return nil, fmt.Errorf("make a certificate: %w", err)
	}
	return &Identity{
		ID:          idOf(public),
		certificate: tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key},
	}, nil
}

var idEncoding = base32.StdEncoding.WithPadding(base32.NoPadding)

func idOf(public ed25519.PublicKey) string {
	sum := sha256.Sum256(public)
	return idEncoding.EncodeToString(sum[:])
}

// ShortCode is the beginning of an ID in groups, for people to compare:
// "ABCD-EFGH". Eight letters are 40 bits: enough to notice a mistake, too few
// to prove anything; the program itself compares whole IDs.
func ShortCode(id string) string {
	if len(id) < 8 {
		return strings.ToUpper(id)
	}
	return id[:4] + "-" + id[4:8]
}
