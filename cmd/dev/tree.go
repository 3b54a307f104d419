package main

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// findRoot looks for the folder with go.mod, from the current one upwards.
func findRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("this is not inside the Linkpace repository: change to its folder first")
		}
		dir = parent
	}
}

// built names the folders at the top that hold what was made from the sources.
func built(name string) bool { return name == "bin" || name == "dist" }

// files lists the files of the repository below root, with slashes and
// relative to it. Hidden folders other than .ci and folders of built things
// are left out.
func files(root string) ([]string, error) {
	var found []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
			found = append(found, name)
		case name != "." && name != ".ci" && (strings.HasPrefix(path.Base(name), ".") || built(name)):
			return fs.SkipDir
		}
		return nil
	})
	return found, err
}

// goFiles lists the Go files of the repository that the go command builds.
func goFiles(root string) ([]string, error) {
	all, err := files(root)
	var found []string
	for _, name := range all {
		if strings.HasSuffix(name, ".go") && !strings.Contains("/"+name, "/testdata/") {
			found = append(found, name)
		}
	}
	return found, err
}
