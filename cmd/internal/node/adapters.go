package node

import (
	"net/netip"
	"sync"
	"time"

	"linkpace/engine"
	"linkpace/engine/model"
	"linkpace/platform/link"
)

// adapterCache answers which adapter owns an address. Hellos ask several times
// a second, and asking the system costs more than everything else they do.
type adapterCache struct {
	mu   sync.Mutex
	read time.Time
	all  []link.Adapter
}

const adapterAge = 5 * time.Second

func (c *adapterCache) of(local netip.Addr) model.Adapter {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.read) > adapterAge {
		if all, err := link.Adapters(); err == nil {
			c.all, c.read = all, time.Now()
		}
	}
	for _, a := range c.all {
		for _, addr := range a.Addrs {
			if addr.WithZone("") == local.Unmap().WithZone("") {
				return engine.AdapterFacts(a)
			}
		}
	}
	return model.Adapter{}
}
