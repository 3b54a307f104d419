package main

import (
	"fmt"
	"strings"
)

// resourceFile is where the go command looks for the Windows resources of a
// program.
func resourceFile(program string) string { return "cmd/" + program + "/rsrc_windows_amd64.syso" }

// resourceScript describes the Windows resources of a program to windres.
func resourceScript(program string, m metadata) []byte {
	numbers := strings.ReplaceAll(m.version, ".", ",")
	return fmt.Appendf(nil, `#include <winver.h>

1 ICON "assets/icon.ico"
1 24 "assets/app.manifest"

1 VERSIONINFO
FILEVERSION %[1]s,%[2]d
PRODUCTVERSION %[1]s,%[2]d
FILEOS VOS_NT_WINDOWS32
FILETYPE VFT_APP
BEGIN
  BLOCK "StringFileInfo"
  BEGIN
    BLOCK "040904B0"
    BEGIN
      VALUE "CompanyName", "The %[4]s authors"
      VALUE "FileDescription", "%[4]s: %[5]s"
      VALUE "FileVersion", "%[3]s"
      VALUE "InternalName", "%[6]s"
      VALUE "LegalCopyright", "The %[4]s authors, MIT licence"
      VALUE "OriginalFilename", "%[6]s.exe"
      VALUE "ProductName", "%[4]s"
      VALUE "ProductVersion", "%[3]s"
    END
  END
  BLOCK "VarFileInfo"
  BEGIN
    VALUE "Translation", 0x409, 1200
  END
END
`, numbers, m.build, m.version, m.name, purpose(program), program)
}

func purpose(program string) string {
	if program == terminal {
		return "link test in the terminal"
	}
	return "link test between two computers"
}
