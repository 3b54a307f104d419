package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"linkpace/engine/model"
)

// cpusValue is a flag for the processors of this computer and, behind a slash,
// of the other one: "0,2-3", "0/1", "/0-3".
type cpusValue struct{ here, there *[]int }

func (v cpusValue) String() string {
	if v.here == nil || len(*v.here)+len(*v.there) == 0 {
		return ""
	}
	text := cpuText(*v.here)
	if len(*v.there) > 0 {
		text += "/" + cpuText(*v.there)
	}
	return text
}
func (cpusValue) Type() string { return "list[/list]" }

// Set implements pflag.Value.
func (v cpusValue) Set(s string) error {
	hereText, thereText, both := strings.Cut(s, "/")
	here, ok := parseCPUs(hereText)
	there, fine := parseCPUs(thereText)
	// Only the list of this computer may be left out, and not both.
	if !ok && (hereText != "" || !both) || !fine && both {
		return fmt.Errorf("use up to %d processors from 0 to %d, like 0,2-3, and those of the other computer behind a slash, like 0/1", model.MaxThreads, model.MaxCPU)
	}
	*v.here, *v.there = here, there
	return nil
}

func cpuText(list []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]")
}

// parseCPUs reads "0,2-3". Each processor is named once. Bounds are checked
// before anything is made of a number.
func parseCPUs(s string) (list []int, ok bool) {
	for part := range strings.SplitSeq(s, ",") {
		first, last, ok := parseRange(part)
		if !ok || last-first >= model.MaxThreads {
			return nil, false
		}
		for cpu := first; cpu <= last; cpu++ {
			if !slices.Contains(list, cpu) {
				list = append(list, cpu)
			}
		}
		if len(list) > model.MaxThreads {
			return nil, false
		}
	}
	return list, true
}

func parseRange(s string) (first, last int, ok bool) {
	from, to, isRange := strings.Cut(s, "-")
	if !isRange {
		to = from
	}
	first, ok = parseCPU(from)
	last, fine := parseCPU(to)
	return first, last, ok && fine && first <= last
}

func parseCPU(s string) (int, bool) {
	n, err := strconv.ParseUint(strings.TrimSpace(s), 10, 16)
	return int(n), err == nil && n <= model.MaxCPU
}

// dscpValue is a flag for the mark of packets, as a number or by its name.
type dscpValue struct{ value *int }

func (v dscpValue) String() string {
	if v.value == nil || *v.value == 0 {
		return ""
	}
	return strconv.Itoa(*v.value)
}
func (dscpValue) Type() string { return "mark" }

// Set implements pflag.Value.
func (v dscpValue) Set(s string) error {
	n, ok := parseDSCP(s)
	if !ok {
		return fmt.Errorf("use 0 to %d, or a name: EF, VA, LE, CS0 to CS7, AF11 to AF43", model.MaxDSCP)
	}
	*v.value = n
	return nil
}

// parseDSCP knows the names of RFC 2474 (CS), RFC 2597 (AF), RFC 3246 (EF),
// RFC 5865 (VA) and RFC 8622 (LE).
func parseDSCP(s string) (int, bool) {
	if n, err := strconv.ParseUint(s, 10, 8); err == nil {
		return int(n), n <= model.MaxDSCP
	}
	const (
		defaultMark   = 0
		lowerEffort   = 1
		voiceAdmitted = 44
		expedited     = 46
	)
	name := strings.ToUpper(s)
	switch name {
	case "DF", "BE":
		return defaultMark, true
	case "LE":
		return lowerEffort, true
	case "VA":
		return voiceAdmitted, true
	case "EF":
		return expedited, true
	}
	switch {
	case len(name) == 3 && strings.HasPrefix(name, "CS"):
		class, ok := digit(name[2], 0, 7)
		return 8 * class, ok
	case len(name) == 4 && strings.HasPrefix(name, "AF"):
		class, ok := digit(name[2], 1, 4)
		drop, fine := digit(name[3], 1, 3)
		return 8*class + 2*drop, ok && fine
	}
	return 0, false
}

func digit(c byte, least, most int) (int, bool) {
	n := int(c) - '0'
	return n, n >= least && n <= most
}

// algorithmValue is a flag for the name of a congestion control algorithm.
type algorithmValue struct{ value *string }

func (v algorithmValue) String() string {
	if v.value == nil {
		return ""
	}
	return *v.value
}
func (algorithmValue) Type() string { return "name" }

// Set implements pflag.Value. Which algorithms there are, only the systems of
// both computers know.
func (v algorithmValue) Set(s string) error {
	trial := model.DefaultSpec()
	trial.Congestion = strings.ToLower(s)
	if err := trial.Validate(); err != nil || s == "" {
		return fmt.Errorf("use a name like cubic or bbr")
	}
	*v.value = trial.Congestion
	return nil
}
