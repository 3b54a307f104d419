//go:build unix

package load

import "github.com/shirou/gopsutil/v3/cpu"

func modelName() (string, error) {
	infos, err := cpu.Info()
	if err != nil || len(infos) == 0 {
		return "", err
	}
	return infos[0].ModelName, nil
}
