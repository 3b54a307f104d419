package export

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"linkpace/engine/model"
)

// Bounds of a file that Load accepts.
const (
	MaxFile    = 256 << 20
	maxID      = 64
	maxNotes   = 1000
	maxSamples = 10_000_000
	maxAt      = 24 * time.Hour
)

// Load reads a Result that JSON wrote. It accepts the schemas up to
// model.Schema; computed fields are dropped, because they follow from the rest.
// The file may come from anybody: the error says what is wrong with it.
func Load(rd io.Reader) (*model.Result, error) {
	text, err := io.ReadAll(io.LimitReader(rd, MaxFile+1))
	if err != nil {
		return nil, fmt.Errorf("reading the result: %w", err)
	}
	if len(text) > MaxFile {
		return nil, fmt.Errorf("reading the result: the file is larger than %d bytes", MaxFile)
	}
	r, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("reading the result: %w", err)
	}
	return r, nil
}

func parse(text []byte) (*model.Result, error) {
	// The schema comes first: what follows may have changed in a newer one.
	var version struct {
		Schema int `json:"schema"`
	}
	if err := decode(text, &version); err != nil {
		return nil, fmt.Errorf("this is no result of Linkpace: %w", err)
	}
	switch {
	case version.Schema < 1:
		return nil, errors.New("this is no result of Linkpace: it has no schema")
	case version.Schema > model.Schema:
		return nil, fmt.Errorf("it has schema %d and this version reads up to %d: use a newer version of Linkpace", version.Schema, model.Schema)
	}
	var r model.Result
	if err := decode(text, &r); err != nil {
		return nil, fmt.Errorf("it is damaged: %w", err)
	}
	if err := check(&r); err != nil {
		return nil, fmt.Errorf("it is damaged: %w", err)
	}
	return &r, nil
}

func decode(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more after the end")
	}
	return nil
}

func check(r *model.Result) error {
	if err := errors.Join(
		checkID(r.ID),
		among("role", r.Role, model.Initiator, model.Responder),
		among("protocol", r.Protocol, model.Linkpace, model.IPerf3, model.NTttcp, model.CTSTraffic),
		among("transport", r.Transport, model.TCP, model.UDP),
		among("mode", r.Mode, model.ModeLink, model.ModeApp),
		among("outcome", r.Outcome, model.Completed, model.Partial, model.Cancelled, model.Failed),
		atMost("phases", len(r.Phases), model.MaxPhases),
		atMost("samples", len(r.Samples), maxSamples),
		atMost("notes", len(r.Notes), maxNotes),
	); err != nil {
		return err
	}
	for i, p := range r.Phases {
		if err := checkPhase(p); err != nil {
			return fmt.Errorf("phase %d: %w", i, err)
		}
	}
	for i := range r.Samples {
		if err := checkSample(&r.Samples[i]); err != nil {
			return fmt.Errorf("sample %d: %w", i, err)
		}
	}
	return nil
}

func checkID(id string) error {
	const letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"
	if id == "" || len(id) > maxID || strings.Trim(id, letters) != "" {
		return fmt.Errorf("id is %.80q: use 1 to %d letters and digits", id, maxID)
	}
	return nil
}

func checkPhase(p model.Phase) error {
	if err := among("direction", p.Direction, model.Send, model.Receive, model.Both, model.Idle); err != nil {
		return err
	}
	if p.Start < 0 || p.Start > maxAt || p.Duration < 0 || p.Duration > maxAt || p.Warmup < 0 || p.Warmup > p.Duration ||
		p.Cooldown < 0 || p.Cooldown > p.Duration-p.Warmup {
		return fmt.Errorf("start %v, warm-up %v, cool-down %v and duration %v do not fit", p.Start, p.Warmup, p.Cooldown, p.Duration)
	}
	return nil
}

func checkSample(s *model.Sample) error {
	if err := errors.Join(
		among("side", s.Side, model.Local, model.Remote),
		among("dir", s.Dir, "", model.Send, model.Receive),
	); err != nil {
		return err
	}
	switch {
	// Aligned clocks may put a sample of the other side a little before the start.
	case s.At < -maxAt || s.At > maxAt:
		return fmt.Errorf("time is %v", s.At)
	case s.Bytes < 0:
		return fmt.Errorf("bytes is %d", s.Bytes)
	case s.Ping < 0 || s.PingProgram < 0:
		return fmt.Errorf("ping is %v, for programs %v", s.Ping, s.PingProgram)
	case s.Jitter < 0:
		return fmt.Errorf("jitter is %v", s.Jitter)
	}
	return nil
}

func among[S ~string](field string, value S, accepted ...S) error {
	if !slices.Contains(accepted, value) {
		return fmt.Errorf("%s is %.40q", field, value)
	}
	return nil
}

func atMost(what string, n, limit int) error {
	if n > limit {
		return fmt.Errorf("%d %s: at most %d", n, what, limit)
	}
	return nil
}
