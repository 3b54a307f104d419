package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// xScreen is a display without a monitor, with a window manager on it.
type xScreen struct {
	name    string // what DISPLAY has to be
	started []*exec.Cmd
}

// openScreen starts an X server on the next free display.
func openScreen(ctx context.Context, s system, log io.Writer) (*xScreen, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer read.Close()
	server := exec.CommandContext(ctx, s.program("Xvfb"), "-displayfd", "3", "-screen", "0", "1280x800x24", "-nolisten", "tcp")
	server.ExtraFiles = []*os.File{write}
	x := new(xScreen)
	err = x.start(server, log)
	write.Close()
	if err != nil {
		return nil, err
	}
	if err := x.await(read); err != nil {
		x.close()
		return nil, err
	}
	manager := exec.CommandContext(ctx, s.program("openbox"))
	manager.Env = append(os.Environ(), x.env()...)
	if err := x.start(manager, log); err != nil {
		x.close()
		return nil, err
	}
	return x, nil
}

// await waits until the server has said the number of its display, which is
// when programs can connect to it.
func (x *xScreen) await(ready *os.File) error {
	if err := ready.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
		return err
	}
	number, err := bufio.NewReader(ready).ReadString('\n')
	if err != nil {
		return fmt.Errorf("the X server did not start: %w", err)
	}
	x.name = ":" + strings.TrimSpace(number)
	return nil
}

func (x *xScreen) start(cmd *exec.Cmd, log io.Writer) error {
	cmd.Stdout, cmd.Stderr = log, log
	cmd.WaitDelay = 5 * time.Second
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting %s: %w", cmd.Path, err)
	}
	x.started = append(x.started, cmd)
	return nil
}

// env makes programs use this display and no other.
func (x *xScreen) env() []string {
	return []string{"DISPLAY=" + x.name, "WAYLAND_DISPLAY=", "LANG=en_US.UTF-8", "LC_ALL=en_US.UTF-8"}
}

// close ends the programs that make up the screen, the X server last.
func (x *xScreen) close() {
	for i := len(x.started) - 1; i >= 0; i-- {
		cmd := x.started[i]
		if cmd.Cancel != nil {
			_ = cmd.Cancel()
		}
		_ = cmd.Wait()
	}
}

// windowNamed waits for a window with that title and returns its number.
func (x *xScreen) windowNamed(ctx context.Context, s system, title string, limit time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		c := command{env: x.env(), limit: 10 * time.Second, name: s.program("xdotool"), args: []string{"search", "--onlyvisible", "--name", title}}
		found, err := c.output(ctx, io.Discard)
		if ids := strings.Fields(string(found)); err == nil && len(ids) > 0 {
			return ids[len(ids)-1], nil
		}
		select {
		case <-ctx.Done():
			return "", fmt.Errorf("no window with the title %q within %v", title, limit)
		case <-time.After(300 * time.Millisecond):
		}
	}
}

// picture takes a screenshot of one window.
func (x *xScreen) picture(ctx context.Context, s system, id string, log io.Writer) (image.Image, error) {
	c := command{env: x.env(), limit: time.Minute, name: s.program("import"), args: []string{"-window", id, "png:-"}}
	data, err := c.output(ctx, log)
	if err != nil {
		return nil, err
	}
	return png.Decode(bytes.NewReader(data))
}

// keepPicture writes a screenshot into the folder LINKPACE_SCREENSHOTS, when
// somebody wants to look at it.
func keepPicture(picture image.Image, name string) error {
	folder := os.Getenv("LINKPACE_SCREENSHOTS")
	if folder == "" {
		return nil
	}
	var data bytes.Buffer
	if err := png.Encode(&data, picture); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, name), data.Bytes(), 0o644)
}

// blank tells when a picture shows nothing: hardly any colours, or one colour
// nearly everywhere.
func blank(picture image.Image) error {
	count, most := map[[3]uint32]int{}, 0
	area := picture.Bounds()
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			r, g, b, _ := picture.At(x, y).RGBA()
			colour := [3]uint32{r, g, b}
			count[colour]++
			most = max(most, count[colour])
		}
	}
	switch all := area.Dx() * area.Dy(); {
	case all == 0:
		return errors.New("the picture is empty")
	case len(count) < 16:
		return fmt.Errorf("the picture has %d colours, so nothing is drawn in it", len(count))
	case float64(most)/float64(all) > 0.995:
		return errors.New("the picture is of one colour")
	}
	return nil
}
