package control_test

import (
	"errors"
	"strings"
	"testing"

	"linkpace/engine/control"
	"linkpace/engine/model"
)

func TestNegotiate(t *testing.T) {
	at := func(oldest, version int) control.Hello {
		return control.Hello{Version: version, Oldest: oldest, App: "9.9", Endpoint: model.Endpoint{Name: "NAS"}}
	}
	for _, c := range []struct {
		name         string
		ours, theirs control.Hello
		version      int
		code         model.Code
	}{
		{"same", at(1, 1), at(1, 1), 1, ""},
		{"they are ahead but know ours", at(1, 2), at(2, 5), 2, ""},
		{"we are ahead but know theirs", at(1, 5), at(1, 2), 2, ""},
		{"they are too old", at(3, 5), at(1, 2), 0, model.CodeTooOld},
		{"they are too new", at(1, 2), at(3, 5), 0, model.CodeTooNew},
		{"they say nothing", at(1, 1), control.Hello{}, 0, model.CodeTooOld},
	} {
		version, err := control.Negotiate(c.ours, c.theirs)
		var problem *model.Problem
		if errors.As(err, &problem); (problem == nil) != (c.code == "") || problem != nil && problem.Code != c.code {
			t.Errorf("%s: got %v, want code %q", c.name, err, c.code)
		}
		if version != c.version {
			t.Errorf("%s: version %d, want %d", c.name, version, c.version)
		}
	}
	_, err := control.Negotiate(at(3, 5), at(1, 2))
	if !strings.Contains(err.Error(), "NAS") {
		t.Errorf("%q does not name the computer to update", err)
	}
}
