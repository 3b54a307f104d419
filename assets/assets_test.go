package assets

import (
	"bytes"
	"image/png"
	"testing"
)

func TestIconIsASquarePicture(t *testing.T) {
	picture, err := png.Decode(bytes.NewReader(Icon()))
	if err != nil {
		t.Fatal(err)
	}
	if size := picture.Bounds().Size(); size.X != 512 || size.Y != 512 {
		t.Errorf("the icon is %v, and desktops expect 512 by 512", size)
	}
	if _, _, _, alpha := picture.At(0, 0).RGBA(); alpha != 0 {
		t.Error("the corner of the icon is not transparent")
	}
}
