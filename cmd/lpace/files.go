package main

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"

	"linkpace/engine/export"
	"linkpace/engine/model"
	"linkpace/engine/plot"
)

// files are those that a test writes when it has ended. They are opened before
// it begins, so that a wrong path does not cost a test.
type files struct{ open []openFile }

type openFile struct {
	file  *os.File
	fresh bool // it was not there before
	write writer
}

func openFiles(o testOptions) (*files, error) {
	f := &files{}
	for _, wish := range []struct {
		path  string
		write writer
	}{{o.csv, export.CSV}, {o.picture, writePicture}} {
		if wish.path == "" {
			continue
		}
		_, err := os.Stat(wish.path)
		fresh := errors.Is(err, os.ErrNotExist)
		file, err := os.OpenFile(wish.path, os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			f.discard()
			return nil, fmt.Errorf("the file cannot be written: %w", err)
		}
		f.open = append(f.open, openFile{file, fresh, wish.write})
	}
	return f, nil
}

// write fills the files with a Result.
func (f *files) write(r *model.Result) error {
	var failed error
	for _, o := range f.open {
		err := o.file.Truncate(0)
		if err == nil {
			err = o.write(o.file, r)
		}
		if err = errors.Join(err, o.file.Close()); err != nil {
			failed = errors.Join(failed, fmt.Errorf("write %s: %w", o.file.Name(), err))
		}
	}
	f.open = nil
	return failed
}

// discard removes the files that this program made but did not fill.
func (f *files) discard() {
	for _, o := range f.open {
		_ = o.file.Close()
		if o.fresh {
			_ = os.Remove(o.file.Name())
		}
	}
	f.open = nil
}

// pictureSize is what link previews in forums and chats show whole.
var pictureSize = image.Pt(1200, 630)

func writePicture(w io.Writer, r *model.Result) error {
	return png.Encode(w, plot.Picture(r, pictureSize, plot.Light()))
}
