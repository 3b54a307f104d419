package control

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"sync"
	"time"

	"linkpace/engine/model"
)

// Policy answers whether another computer may test with this one, and how much.
// It returns the Spec that is granted, or a *model.Problem.
type Policy interface {
	Decide(ctx context.Context, from model.Peer, spec model.Spec) (model.Spec, error)
}

// PolicyFunc is a Policy made from a function.
type PolicyFunc func(ctx context.Context, from model.Peer, spec model.Spec) (model.Spec, error)

// Decide implements Policy.
func (f PolicyFunc) Decide(ctx context.Context, from model.Peer, spec model.Spec) (model.Spec, error) {
	return f(ctx, from, spec)
}

// MaxLength is the longest test that this computer lets another one do with it:
// one without an end, which is as long as a phase can be, and what is measured
// before it. The person sees it and can stop it at any time.
const MaxLength = model.MaxPhase + time.Minute

// AskTime is how long a person has to answer. No answer is no.
const AskTime = 30 * time.Second

// AllowAny lets every computer test.
func AllowAny() Policy { return PolicyFunc(limit) }

// AllowNobody refuses every test.
func AllowNobody(name string) Policy {
	return PolicyFunc(func(context.Context, model.Peer, model.Spec) (model.Spec, error) {
		return model.Spec{}, refused(model.CodePolicy, fmt.Sprintf("%s does not let other computers test with it. Allow it there, in the window under \"Who may test\".", name))
	})
}

// AllowLocal lets computers of this network test: private and link-local
// addresses, and those of a network this computer has an address in.
func AllowLocal() Policy {
	return PolicyFunc(func(ctx context.Context, from model.Peer, spec model.Spec) (model.Spec, error) {
		if len(from.Addrs) == 0 || !isLocal(from.Addrs[0].Addr(), ownPrefixes()) {
			return model.Spec{}, refused(model.CodePolicy, "The other computer only lets computers of its own network test with it. Start it with: lpace serve --allow any")
		}
		return limit(ctx, from, spec)
	})
}

// AllowKnown lets computers test that were met before.
func AllowKnown(pins *Pins) Policy {
	return PolicyFunc(func(ctx context.Context, from model.Peer, spec model.Spec) (model.Spec, error) {
		if !pins.Known(from.ID) {
			return model.Spec{}, refused(model.CodePolicy, "The other computer only lets computers test with it that it knows. Test once from there to here, or start it with: lpace serve --allow local")
		}
		return limit(ctx, from, spec)
	})
}

// Asker asks the person at this computer.
type Asker interface {
	// Ask returns the answer; when ctx ends first, the answer is no.
	Ask(ctx context.Context, from model.Peer, spec model.Spec) bool
}

// AskFirst asks the person before each test, after policy has agreed. Who was
// refused is not asked about again for a minute, or he could fill the screen
// with questions.
func AskFirst(asker Asker, policy Policy) Policy {
	return &asking{asker: asker, policy: policy, refused: map[string]time.Time{}}
}

// refusedFor is how long a no holds.
const refusedFor = time.Minute

type asking struct {
	asker   Asker
	policy  Policy
	mu      sync.Mutex
	refused map[string]time.Time // by ID
}

// Decide implements Policy.
func (a *asking) Decide(ctx context.Context, from model.Peer, spec model.Spec) (model.Spec, error) {
	granted, err := a.policy.Decide(ctx, from, spec)
	if err != nil {
		return granted, err
	}
	if a.justRefused(from.ID) {
		return model.Spec{}, refused(model.CodeDeclined, "The person at the other computer has just not allowed a test. Ask again in a minute.")
	}
	ctx, cancel := context.WithTimeout(ctx, AskTime)
	defer cancel()
	if a.asker.Ask(ctx, from, granted) {
		return granted, nil
	}
	a.remember(from.ID)
	return model.Spec{}, refused(model.CodeDeclined, "The person at the other computer did not allow the test.")
}

func (a *asking) justRefused(id string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return time.Since(a.refused[id]) < refusedFor
}

func (a *asking) remember(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	maps.DeleteFunc(a.refused, func(_ string, at time.Time) bool { return time.Since(at) >= refusedFor })
	a.refused[id] = time.Now()
}

func refused(code model.Code, text string) *model.Problem {
	return &model.Problem{Side: model.Remote, Op: "ask", Code: code, Text: text}
}

// limit is what every policy that says yes asks for.
func limit(_ context.Context, _ model.Peer, spec model.Spec) (model.Spec, error) {
	if err := spec.Validate(); err != nil {
		return model.Spec{}, refused(model.CodeBadInput, fmt.Sprintf("The other computer cannot do this test: %v.", err))
	}
	if spec.Length() > MaxLength {
		return model.Spec{}, refused(model.CodePolicy, fmt.Sprintf("The other computer lets tests take at most %.0f hours.", MaxLength.Hours()))
	}
	return spec, nil
}

// isLocal reports whether an address belongs to this network.
func isLocal(a netip.Addr, own []netip.Prefix) bool {
	a = a.Unmap().WithZone("")
	if a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() {
		return true
	}
	for _, p := range own {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// ownPrefixes are the networks this computer has an address in. Host routes
// (/32, /128) say nothing about neighbours and are harmless here.
func ownPrefixes() []netip.Prefix {
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	var own []netip.Prefix
	for _, a := range addrs {
		if p, err := netip.ParsePrefix(a.String()); err == nil {
			own = append(own, p.Masked())
		}
	}
	return own
}
