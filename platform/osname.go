package platform

import (
	"bufio"
	"bytes"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/shirou/gopsutil/v3/host"
)

// OSName gives the operating system as its maker calls it: "Debian GNU/Linux 12
// (bookworm)", "Windows 11 Pro". It falls back to the plain "linux" or
// "windows" and is never empty.
func OSName() string {
	for _, file := range []string{"/etc/os-release", "/usr/lib/os-release"} {
		if text, err := os.ReadFile(file); err == nil {
			if name := prettyName(text); name != "" {
				return name
			}
		}
	}
	platform, _, version, err := host.PlatformInformation()
	if err != nil {
		return runtime.GOOS
	}
	return joinName(runtime.GOOS, platform, version)
}

// prettyName finds PRETTY_NAME in the text of an os-release file, whose values
// are quoted as a shell would.
func prettyName(text []byte) string {
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		value, ok := strings.CutPrefix(strings.TrimSpace(lines.Text()), "PRETTY_NAME=")
		if !ok {
			continue
		}
		if unquoted, err := strconv.Unquote(value); err == nil {
			return strings.TrimSpace(unquoted)
		}
		return strings.TrimSpace(strings.Trim(value, `'"`))
	}
	return ""
}

func joinName(goos, platform, version string) string {
	if goos == "windows" {
		// The version of Windows is a build number that says less than its name.
		version = ""
	}
	name := strings.TrimSpace(strings.TrimPrefix(platform, "Microsoft ") + " " + version)
	if name == "" {
		return goos
	}
	return name
}
