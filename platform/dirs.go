// Package platform asks this computer about itself: its folders and its name
// here, its processor, adapters and settings in the packages below. It is a
// leaf: it knows nothing of tests.
package platform

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// HomeVariable is the environment variable that moves everything the program
// keeps into one folder, for tests and for use from a memory stick.
const HomeVariable = "LINKPACE_HOME"

// Dirs are the folders of one installation.
type Dirs struct {
	// Config holds what the user chose: settings and identity.
	Config string
	// Data holds what the program gathered: history and remembered peers.
	Data string
}

// UserDirs gives the folders of this user as the operating system lays them
// out, or both inside LINKPACE_HOME when that is set. It creates nothing.
func UserDirs() (Dirs, error) {
	return userDirs(runtime.GOOS, os.Getenv, os.UserConfigDir)
}

// Make creates the folders that are missing, open to this user only.
func (d Dirs) Make() error {
	for _, dir := range []string{d.Config, d.Data} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("cannot create the folder %s: make its parent writable or set %s to another folder: %w", dir, HomeVariable, cause(err))
		}
	}
	return nil
}

func userDirs(goos string, getenv func(string) string, configDir func() (string, error)) (Dirs, error) {
	if home := getenv(HomeVariable); home != "" {
		return homeDirs(home)
	}
	config, err := configDir()
	if err != nil {
		return Dirs{}, fmt.Errorf("cannot find the folder for settings: set %s to a folder: %w", HomeVariable, err)
	}
	data := dataDir(goos, getenv)
	if data == "" {
		data = config
	}
	return Dirs{Config: filepath.Join(config, "linkpace"), Data: filepath.Join(data, "linkpace")}, nil
}

func homeDirs(home string) (Dirs, error) {
	abs, err := filepath.Abs(home)
	if err != nil {
		return Dirs{}, fmt.Errorf("%s is %q, which is no usable folder: %w", HomeVariable, home, err)
	}
	return Dirs{Config: filepath.Join(abs, "config"), Data: filepath.Join(abs, "data")}, nil
}

// dataDir follows the XDG base directories on Linux and keeps data out of the
// roaming profile on Windows. It is empty where the system draws no line
// between settings and data.
func dataDir(goos string, getenv func(string) string) string {
	switch goos {
	case "windows":
		return getenv("LOCALAPPDATA")
	case "darwin":
		return ""
	}
	if xdg := getenv("XDG_DATA_HOME"); filepath.IsAbs(xdg) {
		return xdg
	}
	if home := getenv("HOME"); home != "" {
		return filepath.Join(home, ".local", "share")
	}
	return ""
}

// cause strips the operation and path that a *PathError repeats.
func cause(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
