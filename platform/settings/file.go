package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// FileName is the file inside the configuration folder.
const FileName = "settings.json"

// maxFile bounds what is read into memory.
const maxFile = 1 << 20

// Load reads the settings in dir. Without a file it gives the Defaults. A file
// that cannot be read or understood is an error that names it and says what to
// do; it is left as it is.
func Load(dir string) (Settings, error) {
	path := filepath.Join(dir, FileName)
	text, err := readBounded(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Defaults(), nil
	}
	if err != nil {
		return Settings{}, fmt.Errorf("cannot read the settings file %s: make it readable or move it away to start with fresh settings: %w", path, err)
	}
	s, err := parse(text)
	if err != nil {
		return Settings{}, fmt.Errorf("the settings file %s is damaged: correct it or move it away to start with fresh settings: %w", path, err)
	}
	return s, nil
}

// Save writes the settings to dir at once or not at all, so that a crash or a
// full disk leaves the old ones. It refuses to replace a file that Load refuses.
func (s Settings) Save(dir string) error {
	if err := s.Check(); err != nil {
		return fmt.Errorf("cannot save the settings: %w", err)
	}
	if _, err := Load(dir); err != nil {
		return err
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("cannot save the settings: %w", err)
	}
	path := filepath.Join(dir, FileName)
	if err := replace(path, append(text, '\n')); err != nil {
		return fmt.Errorf("cannot save the settings to %s: make the folder writable and see that the disk is not full: %w", path, err)
	}
	return nil
}

func parse(text []byte) (Settings, error) {
	var s Settings
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&s); err != nil {
		return Settings{}, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return Settings{}, errors.New("there is more after the end")
	}
	if s.Name == "" {
		s.Name = Defaults().Name
	}
	return s, s.Check()
}

func readBounded(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("it is larger than %d bytes", maxFile)
	}
	return text, err
}

// replace writes a new file beside path, has it reach the disk, and moves it
// into place.
func replace(path string, text []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(path), FileName+".*.new")
	if err != nil {
		return err
	}
	_, err = temp.Write(text)
	err = errors.Join(err, temp.Sync(), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		// Best effort: what matters is the error that led here.
		_ = os.Remove(temp.Name())
	}
	return err
}
