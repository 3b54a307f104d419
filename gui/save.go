package gui

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"

	"linkpace/engine/export"
	"linkpace/engine/model"
	"linkpace/engine/plot"
)

// fileKind is a form in which a result can be saved.
type fileKind string

// The kinds are the ends of file names.
const (
	asPicture fileKind = "png"
	asJSON    fileKind = "json"
	asCSV     fileKind = "csv"
)

// Size of a saved picture in pixels.
const (
	pictureWidth  = 1200
	pictureHeight = 760
)

// save writes the shown result to a new file in the usual folder.
func (u *UI) save(kind fileKind) {
	r := u.result.shown
	go func() {
		path, err := saveFile(u.deps.Folder, kind, r)
		deliver(u.ctx, u.on, func() {
			if err != nil {
				u.result.say(notSavedWords(err))
				return
			}
			u.result.say(savedWords(path))
		})
	}()
}

// saveFile writes r into folder under a name that is not taken.
func saveFile(folder string, kind fileKind, r *model.Result) (path string, err error) {
	var data bytes.Buffer
	if err := encode(&data, kind, r); err != nil {
		return "", fmt.Errorf("writing the result as %s: %w", kind, err)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil { //nolint:gosec // the person's own folder for documents
		return "", fmt.Errorf("making the folder: %w", err)
	}
	f, err := create(folder, baseName(r), kind)
	if err != nil {
		return "", err
	}
	if _, err := f.Write(data.Bytes()); err != nil {
		_ = f.Close()
		_ = os.Remove(f.Name())
		return "", fmt.Errorf("writing the file: %w", err)
	}
	return f.Name(), f.Close()
}

func encode(data *bytes.Buffer, kind fileKind, r *model.Result) error {
	switch kind {
	case asPicture:
		return png.Encode(data, plot.Picture(r, image.Pt(pictureWidth, pictureHeight), plot.Light()))
	case asJSON:
		return export.JSON(data, r)
	default:
		return export.CSV(data, r)
	}
}

// create opens a new file, with a number in its name when it is taken.
func create(folder, base string, kind fileKind) (*os.File, error) {
	const most = 1000
	for i := 1; ; i++ {
		name := base + "." + string(kind)
		if i > 1 {
			name = fmt.Sprintf("%s-%d.%s", base, i, kind)
		}
		f, err := os.OpenFile(filepath.Join(folder, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) //nolint:gosec // meant to be shared
		if err == nil || !os.IsExist(err) || i == most {
			return f, err
		}
	}
}

// baseName is a file name that says what is in it, in characters that every
// system accepts.
func baseName(r *model.Result) string {
	parts := []string{"linkpace", fileWord(r.Local.Name), fileWord(r.Remote.Name), r.Started.Local().Format("20060102-1504")}
	return strings.Join(parts, "-")
}

func fileWord(name string) string {
	word := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' {
			return r
		}
		return '-'
	}, strings.ToLower(name))
	return strings.Trim(word[:min(len(word), 40)], "-")
}

// copySummary puts the result as text onto the clipboard.
func (u *UI) copySummary() {
	var text strings.Builder
	if err := export.Text(&text, u.result.shown); err != nil {
		u.result.say(sentenceOf(err))
		return
	}
	u.app.Clipboard().SetContent(text.String())
	u.result.say(textCopied)
}
