package main

import (
	"cmp"
	"os"
	"slices"
	"strings"
)

// need is something that the system must have before a step can run. Whether
// it is there is seen by looking for its files: asking a package manager takes
// seconds, and what was built by hand counts too.
type need struct {
	name     string
	here     func(system) bool
	packages map[string][]string // by package manager
	advice   string              // what to do where there is no package manager
}

func (s system) missing(needs []need) []need {
	return slices.DeleteFunc(slices.Clone(needs), func(n need) bool { return n.here(s) })
}

func names(needs []need) string {
	var all []string
	for _, n := range needs {
		all = append(all, n.name)
	}
	return strings.Join(all, ", ")
}

func advice(needs []need) string {
	var all []string
	for _, n := range needs {
		all = append(all, cmp.Or(n.advice, "Install "+n.name+" by hand, then run this again."))
	}
	return strings.Join(all, "\n")
}

func packagesFor(manager string, needs []need) []string {
	var all []string
	for _, n := range needs {
		all = append(all, n.packages[manager]...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// packages names the packages of one need for the four package managers.
func packages(apt, dnf, pacman, zypper string) map[string][]string {
	return map[string][]string{
		"apt-get": strings.Fields(apt), "dnf": strings.Fields(dnf),
		"pacman": strings.Fields(pacman), "zypper": strings.Fields(zypper),
	}
}

// programs is satisfied when all the programs are in PATH.
func programs(names ...string) func(system) bool {
	return func(s system) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return s.program(name) == "" })
	}
}

// headers is satisfied when all the C headers are there.
func headers(names ...string) func(system) bool {
	return func(s system) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return !s.header(name) })
	}
}

func compiler() need {
	return need{
		name: "a C compiler",
		here: func(s system) bool {
			name := append(strings.Fields(os.Getenv("CC")), "gcc")[0]
			return s.program(name) != "" && (s.goos != "linux" || s.header("stdlib.h"))
		},
		packages: packages("gcc libc6-dev", "gcc glibc-devel", "gcc", "gcc glibc-devel"),
		advice: `The window is built with a C compiler. On Windows, install one with
  winget install BrechtSanders.WinLibs.POSIX.UCRT
then open a new terminal and run this again.
The terminal program needs none: go run ./cmd/dev run -- lpace test self`,
	}
}

// windowBuild is what the window's graphics library includes and links: on
// Linux its cgo lines name GL, X11 with Xrandr, Xxf86vm, Xi, Xcursor and
// Xinerama, wayland-client, -cursor and -egl, and xkbcommon, and it finds GL
// and Wayland by pkg-config.
func windowBuild(goos string) []need {
	if goos != "linux" {
		return []need{compiler()}
	}
	return []need{
		compiler(),
		{
			name:     "pkg-config",
			here:     programs("pkg-config"),
			packages: packages("pkg-config", "pkgconf-pkg-config", "pkgconf", "pkg-config"),
		},
		{
			name: "the OpenGL headers",
			here: func(s system) bool { return s.header("GL/gl.h") && s.library("pkgconfig/gl.pc") },
			packages: packages("libgl1-mesa-dev", "mesa-libGL-devel",
				"mesa libglvnd", "Mesa-libGL-devel"),
		},
		{
			name: "the X11 headers",
			here: headers("X11/Xlib.h", "X11/extensions/Xrandr.h", "X11/extensions/xf86vmode.h",
				"X11/extensions/XInput2.h", "X11/Xcursor/Xcursor.h", "X11/extensions/Xinerama.h", "X11/extensions/shape.h"),
			packages: packages("libx11-dev libxrandr-dev libxxf86vm-dev libxi-dev libxcursor-dev libxinerama-dev libxext-dev",
				"libX11-devel libXrandr-devel libXxf86vm-devel libXi-devel libXcursor-devel libXinerama-devel libXext-devel",
				"libx11 libxrandr libxxf86vm libxi libxcursor libxinerama libxext",
				"libX11-devel libXrandr-devel libXxf86vm-devel libXi-devel libXcursor-devel libXinerama-devel libXext-devel"),
		},
		{
			name: "the Wayland headers",
			here: headers("wayland-client.h", "wayland-egl.h", "xkbcommon/xkbcommon.h"),
			packages: packages("libwayland-dev libxkbcommon-dev", "wayland-devel libxkbcommon-devel",
				"wayland libxkbcommon", "wayland-devel libxkbcommon-devel"),
		},
	}
}

// windowShow is what the window needs to be drawn, with a graphics card or
// without.
func windowShow(goos string) []need {
	if goos != "linux" {
		return nil
	}
	return []need{{
		name: "an OpenGL driver",
		here: func(s system) bool { return s.library("libGL.so.1") && s.driver() },
		packages: packages("libgl1 libgl1-mesa-dri", "mesa-libGL mesa-dri-drivers",
			"mesa libglvnd", "Mesa-libGL1 Mesa-dri"),
	}}
}

// driver tells whether OpenGL has something to draw with: a driver of Mesa, as
// one file per card or all in one, or NVIDIA's own.
func (s system) driver() bool {
	return slices.ContainsFunc([]string{"dri/*_dri.so", "libgallium-*.so", "libGLX_nvidia.so.*"}, s.library)
}

func mingw() need {
	return need{
		name:     "a C compiler for Windows",
		here:     programs("x86_64-w64-mingw32-gcc", "x86_64-w64-mingw32-windres"),
		packages: packages("gcc-mingw-w64-x86-64", "mingw64-gcc mingw64-binutils", "mingw-w64-gcc mingw-w64-binutils", "mingw64-cross-gcc mingw64-cross-binutils"),
	}
}

func wine() need {
	return need{
		name:     "wine",
		here:     func(s system) bool { return s.wine() != "" },
		packages: packages("wine wine64", "wine-core", "wine", "wine"),
	}
}

// wine finds the program that runs Windows programs.
func (s system) wine() string {
	if found := cmp.Or(s.program("wine"), s.program("wine64")); found != "" {
		return found
	}
	if s.exists("usr/lib/wine/wine64") {
		return "/usr/lib/wine/wine64"
	}
	return ""
}

// screen is what stands in for a monitor, a keyboard and a mouse.
func screen() need {
	return need{
		name:     "a screen for tests",
		here:     programs("Xvfb", "openbox", "xdotool", "import", "xprop"),
		packages: packages("xvfb openbox xdotool imagemagick x11-utils", "xorg-x11-server-Xvfb openbox xdotool ImageMagick xprop", "xorg-server-xvfb openbox xdotool imagemagick xorg-xprop", "xorg-x11-server-Xvfb openbox xdotool ImageMagick xprop"),
	}
}

// network is what two computers with a link between them are made of, inside
// this one.
func network() need {
	return need{
		name:     "tools for network namespaces",
		here:     programs("ip", "tc", "nft"),
		packages: packages("iproute2 nftables", "iproute iproute-tc nftables", "iproute2 nftables", "iproute2 nftables"),
	}
}
