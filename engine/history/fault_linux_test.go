package history

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// smallDisk mounts a file system of 400 KB, which takes root.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=400k"); err != nil {
		t.Skipf("mounting a small disk takes root: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestRealFullDisk(t *testing.T) {
	path := filepath.Join(smallDisk(t), FileName)
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := fill(t, s)
	if text := problemOf(t, err); !strings.Contains(text, "full") {
		t.Errorf("got %q (%v)", text, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	again, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if entries, err := again.List(t.Context(), Filter{}); err != nil || len(entries) != kept || again.Notice() != "" {
		t.Errorf("%d entries (%v, %q) after %d were kept", len(entries), err, again.Notice(), kept)
	}
}

func TestReadOnlyFolder(t *testing.T) {
	dir := t.TempDir()
	if os.Geteuid() == 0 {
		// Root writes where permissions forbid it, but not to a read-only disk.
		dir = smallDisk(t)
		if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
			t.Fatal(err)
		}
	} else if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), filepath.Join(dir, FileName))
	if text := problemOf(t, err); !strings.Contains(text, "writable") || !strings.Contains(text, dir) {
		t.Errorf("got %q (%v)", text, err)
	}
}

// A disk that turned read-only while the program ran must not lose what is
// there either.
func TestFileOnADiskThatTurnedReadOnly(t *testing.T) {
	dir := smallDisk(t)
	path := filepath.Join(dir, FileName)
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	mustPut(t, s, sample("aaaa", noon))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), path)
	if text := problemOf(t, err); !strings.Contains(text, "writable") {
		t.Errorf("got %q (%v)", text, err)
	}
	if aside, err := filepath.Glob(path + ".damaged-*"); err != nil || len(aside) != 0 {
		t.Errorf("set aside: %v, %v", aside, err)
	}
}
