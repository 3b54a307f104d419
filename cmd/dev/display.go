package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// reachable tells whether windows can be shown, with the reason when not. The
// display is asked for an answer: a variable that names one says little after
// a lost connection.
func reachable(ctx context.Context, goos string, getenv func(string) string) error {
	if goos == "windows" || goos == "darwin" {
		return nil
	}
	wayland, x := getenv("WAYLAND_DISPLAY"), getenv("DISPLAY")
	if wayland == "" && x == "" {
		return errors.New("neither DISPLAY nor WAYLAND_DISPLAY is set")
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	if wayland != "" && answersWayland(ctx, wayland, getenv("XDG_RUNTIME_DIR")) == nil {
		return nil
	}
	if x == "" {
		return fmt.Errorf("the Wayland display %q does not answer", wayland)
	}
	if err := answersX(ctx, x); err != nil {
		return fmt.Errorf("the display %q does not answer: %w", x, err)
	}
	return nil
}

func answersWayland(ctx context.Context, name, runtimeDir string) error {
	if !filepath.IsAbs(name) {
		name = filepath.Join(runtimeDir, name)
	}
	conn, err := new(net.Dialer).DialContext(ctx, "unix", name)
	if err != nil {
		return err
	}
	return conn.Close()
}

// answersX opens a connection the way every X program does and waits for the
// first byte of the answer. A refusal for want of a cookie is an answer too:
// the window has the cookie.
func answersX(ctx context.Context, display string) error {
	conn, err := dialX(ctx, display)
	if err != nil {
		return err
	}
	defer conn.Close()
	deadline, _ := ctx.Deadline()
	if err := conn.SetDeadline(deadline); err != nil {
		return err
	}
	// Little-endian, protocol 11.0, no authorisation.
	if _, err := conn.Write([]byte{'l', 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0}); err != nil {
		return err
	}
	_, err = conn.Read(make([]byte, 1))
	return err
}

func dialX(ctx context.Context, display string) (net.Conn, error) {
	host, number, err := splitDisplay(display)
	if err != nil {
		return nil, err
	}
	var dialer net.Dialer
	if host != "" && host != "unix" {
		return dialer.DialContext(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(6000+number)))
	}
	socket := "/tmp/.X11-unix/X" + strconv.Itoa(number)
	conn, err := dialer.DialContext(ctx, "unix", socket)
	if err != nil {
		// Linux has it as a name outside the file system as well.
		conn, err = dialer.DialContext(ctx, "unix", "@"+socket)
	}
	return conn, err
}

// splitDisplay takes "host:1.0" apart; the screen after the point does not
// matter here.
func splitDisplay(display string) (host string, number int, err error) {
	colon := strings.LastIndexByte(display, ':')
	if colon < 0 {
		return "", 0, errors.New("it has no number")
	}
	digits, _, _ := strings.Cut(display[colon+1:], ".")
	number, err = strconv.Atoi(cmp.Or(digits, "none"))
	if err != nil || number < 0 || number > 59535 {
		return "", 0, errors.New("its number is not one")
	}
	return display[:colon], number, nil
}
