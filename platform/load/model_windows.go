package load

import "golang.org/x/sys/windows/registry"

// modelName asks the registry: the management interface that gopsutil asks
// takes seconds, and is absent under wine.
func modelName() (string, error) {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, `HARDWARE\DESCRIPTION\System\CentralProcessor\0`, registry.QUERY_VALUE)
	if err != nil {
		return "", err
	}
	defer key.Close()
	name, _, err := key.GetStringValue("ProcessorNameString")
	return name, err
}
