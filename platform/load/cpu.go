package load

import (
	"runtime"
	"strings"

	"github.com/shirou/gopsutil/v3/cpu"
)

// CPU gives the processor's name as its maker wrote it into the chip, and the
// number of cores that the system runs programs on. Where the system does not
// tell the name it is the architecture ("arm64").
func CPU() (model string, cores int) {
	// modelName fails on boards whose system does not know the name.
	name, _ := modelName()
	if model = tidy(name); model == "" {
		model = runtime.GOARCH
	}
	cores, err := cpu.Counts(true)
	if err != nil || cores < 1 {
		cores = runtime.NumCPU()
	}
	return model, cores
}

// tidy closes the gaps that makers fill names up with.
func tidy(name string) string { return strings.Join(strings.Fields(name), " ") }
