package discovery

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"time"

	"linkpace/engine/model"
)

// Limits of the file of remembered peers.
const (
	maxRemembered = 32
	maxAddrs      = 4 // of one remembered peer
	maxTyped      = 32
	rememberFor   = 90 * 24 * time.Hour
	maxStore      = 256 << 10 // bytes
	storeVersion  = 1
)

// book is what is remembered from one start to the next.
type book struct {
	Version int      `json:"version"`
	Peers   []record `json:"peers"`
	// Typed are the addresses that a person typed and did not forget.
	Typed []string `json:"typed"`
}

// record is one remembered peer.
type record struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Addrs are where it answered hello messages, latest first.
	Addrs []netip.AddrPort `json:"addrs"`
	Seen  time.Time        `json:"seen"`
}

// errDamaged marks a file that is none of ours or was cut off.
var errDamaged = errors.New("the file of remembered peers is damaged")

// decodeBook reads a file. Records that are too many, too old or unusable are
// left out.
func decodeBook(b []byte, now time.Time) (book, error) {
	var read book
	if err := json.Unmarshal(b, &read); err != nil {
		return book{}, fmt.Errorf("%w: %w", errDamaged, err)
	}
	if read.Version != storeVersion {
		return book{}, fmt.Errorf("%w: version %d, want %d", errDamaged, read.Version, storeVersion)
	}
	var kept book
	for _, r := range read.Peers {
		if r.usable(now) {
			kept.put(r)
		}
	}
	for _, text := range read.Typed {
		if _, _, err := ParseAddress(text); err == nil {
			kept.addTyped(text)
		}
	}
	return kept, nil
}

func (r *record) usable(now time.Time) bool {
	r.Name = model.CleanText(r.Name, maxName)
	r.Addrs = slices.DeleteFunc(r.Addrs, func(a netip.AddrPort) bool {
		return !a.IsValid() || a.Port() == 0 || a.Addr().IsUnspecified() || a.Addr().IsMulticast()
	})
	r.Addrs = r.Addrs[:min(len(r.Addrs), maxAddrs)]
	age := now.Sub(r.Seen)
	return isToken(r.ID, maxID) && len(r.Addrs) > 0 && age < rememberFor && age > -rememberFor
}

// remember notes where a peer answered; changed is false when only the time is
// new.
func (b *book) remember(now time.Time, c card, at netip.AddrPort) (changed bool) {
	r := record{ID: c.ID, Name: c.Name, Addrs: []netip.AddrPort{at}, Seen: now}
	i := slices.IndexFunc(b.Peers, func(known record) bool { return known.ID == c.ID })
	if i >= 0 {
		known := b.Peers[i]
		if known.Name == c.Name && slices.Contains(known.Addrs, at) {
			b.Peers[i].Seen = now
			return false
		}
		r.Addrs = append(r.Addrs, slices.DeleteFunc(slices.Clone(known.Addrs), func(a netip.AddrPort) bool { return a == at })...)
		r.Addrs = r.Addrs[:min(len(r.Addrs), maxAddrs)]
	}
	b.put(r)
	return true
}

// put replaces the record with the same ID, and drops the oldest when there are
// too many.
func (b *book) put(r record) {
	b.Peers = slices.DeleteFunc(b.Peers, func(known record) bool { return known.ID == r.ID })
	b.Peers = append(b.Peers, r)
	slices.SortStableFunc(b.Peers, func(x, y record) int { return cmp.Compare(y.Seen.Unix(), x.Seen.Unix()) })
	b.Peers = b.Peers[:min(len(b.Peers), maxRemembered)]
}

func (b *book) addTyped(text string) {
	if !slices.Contains(b.Typed, text) && len(b.Typed) < maxTyped {
		b.Typed = append(b.Typed, text)
	}
}

// forget drops the peers with an ID or at one of the addresses, and gives the
// IDs of those dropped.
func (b *book) forget(id string, addrs []netip.AddrPort) (ids []string) {
	b.Peers = slices.DeleteFunc(b.Peers, func(r record) bool {
		hit := r.ID == id || slices.ContainsFunc(r.Addrs, func(a netip.AddrPort) bool { return slices.Contains(addrs, a) })
		if hit {
			ids = append(ids, r.ID)
		}
		return hit
	})
	return ids
}

func (b *book) untype(text string) {
	b.Typed = slices.DeleteFunc(b.Typed, func(typed string) bool { return typed == text })
}

func (b *book) clone() book {
	c := book{Version: storeVersion, Peers: slices.Clone(b.Peers), Typed: slices.Clone(b.Typed)}
	for i := range c.Peers {
		c.Peers[i].Addrs = slices.Clone(c.Peers[i].Addrs)
	}
	return c
}

// merge adds what another program of this installation wrote to the same file.
func (b *book) merge(other book) {
	for _, r := range other.Peers {
		i := slices.IndexFunc(b.Peers, func(known record) bool { return known.ID == r.ID })
		if i < 0 || r.Seen.After(b.Peers[i].Seen) {
			b.put(r)
		}
	}
	for _, text := range other.Typed {
		b.addTyped(text)
	}
}

// loadBook reads the file at path; a missing one is empty. A damaged file is
// set aside, because it may be somebody's, and setAside names it.
func loadBook(path string, now time.Time) (b book, setAside string, err error) {
	data, err := readLimited(path)
	if errors.Is(err, fs.ErrNotExist) {
		return book{}, "", nil
	}
	if err == nil {
		b, err = decodeBook(data, now)
	}
	if errors.Is(err, errDamaged) {
		setAside = path + ".damaged"
		if renamed := os.Rename(path, setAside); renamed != nil {
			return book{}, "", fmt.Errorf("set the damaged file of remembered peers aside: %w", renamed)
		}
		return book{}, setAside, nil
	}
	return b, "", err
}

func readLimited(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read remembered peers: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxStore+1))
	if err != nil {
		return nil, fmt.Errorf("read remembered peers: %w", err)
	}
	if len(data) > maxStore {
		return nil, fmt.Errorf("%w: larger than %d bytes", errDamaged, maxStore)
	}
	return data, nil
}

// saveBook writes the file as a whole or not at all, for this user only.
func saveBook(path string, b book) error {
	data, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return fmt.Errorf("write remembered peers: %w", err)
	}
	if err := replaceFile(path, append(data, '\n')); err != nil {
		return fmt.Errorf("write remembered peers: %w", err)
	}
	return nil
}

func replaceFile(path string, data []byte) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp") // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
