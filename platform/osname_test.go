package platform

import "testing"

func TestPrettyName(t *testing.T) {
	for text, want := range map[string]string{
		"NAME=\"Debian GNU/Linux\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n": "Debian GNU/Linux 12 (bookworm)",
		"PRETTY_NAME='Alpine Linux v3.20'":                                            "Alpine Linux v3.20",
		"PRETTY_NAME=Arch":                                                            "Arch",
		"PRETTY_NAME=\"\"":                                                            "",
		"NAME=x\n":                                                                    "",
		"":                                                                            "",
	} {
		if got := prettyName([]byte(text)); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestJoinName(t *testing.T) {
	for _, c := range []struct{ goos, platform, version, want string }{
		{"windows", "Microsoft Windows 11 Pro", "10.0.22631 Build 22631", "Windows 11 Pro"},
		{"linux", "debian", "12.9", "debian 12.9"},
		{"linux", "", "", "linux"},
		{"windows", "", "10.0", "windows"},
	} {
		if got := joinName(c.goos, c.platform, c.version); got != c.want {
			t.Errorf("%v: got %q", c, got)
		}
	}
}

func TestOSNameIsNeverEmpty(t *testing.T) {
	if got := OSName(); got == "" {
		t.Error("the name is empty")
	}
}
