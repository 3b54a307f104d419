package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"linkpace/engine/units"
)

// lengthValue is a flag for a length of time: "4s", "1m30s" or plain seconds.
type lengthValue struct {
	value    *time.Duration
	min, max time.Duration
}

func (v lengthValue) String() string {
	if v.value == nil || *v.value == 0 {
		return "0"
	}
	return v.value.String()
}
func (lengthValue) Type() string { return "time" }

// Set implements pflag.Value.
func (v lengthValue) Set(s string) error {
	d, err := time.ParseDuration(s)
	if seconds, plain := strconv.ParseFloat(s, 64); plain == nil {
		d, err = time.Duration(seconds*float64(time.Second)), nil
		if seconds > 1e9 || seconds < -1e9 {
			d = -1
		}
	}
	if err != nil || d < v.min || d > v.max {
		return fmt.Errorf("use a time from %v to %v, like 4s or 1m30s", v.min, v.max)
	}
	*v.value = d
	return nil
}

// countValue is a flag for a whole number within bounds.
type countValue struct {
	value    *int
	min, max int
}

func (v countValue) String() string {
	if v.value == nil || *v.value == 0 {
		return ""
	}
	return strconv.Itoa(*v.value)
}
func (countValue) Type() string { return "number" }

// Set implements pflag.Value.
func (v countValue) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < v.min || n > v.max {
		return fmt.Errorf("use a whole number from %d to %d", v.min, v.max)
	}
	*v.value = n
	return nil
}

// wordValue is a flag for one of a few words.
type wordValue struct {
	value *string
	words []string
}

func (v wordValue) String() string {
	if v.value == nil {
		return ""
	}
	return *v.value
}
func (v wordValue) Type() string { return strings.Join(v.words, "|") }

// Set implements pflag.Value.
func (v wordValue) Set(s string) error {
	for _, w := range v.words {
		if s == w {
			*v.value = s
			return nil
		}
	}
	return fmt.Errorf("use %s or %s", strings.Join(v.words[:len(v.words)-1], ", "), v.words[len(v.words)-1])
}

// rateValue is a flag for a bit rate.
type rateValue struct{ value *units.BitRate }

func (v rateValue) String() string {
	if v.value == nil || *v.value == 0 {
		return "0"
	}
	return v.value.String()
}
func (rateValue) Type() string { return "rate" }

// Set implements pflag.Value.
func (v rateValue) Set(s string) (err error) {
	*v.value, err = units.ParseRate(s)
	return err
}

// sizeValue is a flag for a size in bytes within bounds.
type sizeValue struct {
	value    *units.Bytes
	min, max units.Bytes
}

func (v sizeValue) String() string {
	if v.value == nil || *v.value == 0 {
		return ""
	}
	return v.value.Buffer()
}
func (sizeValue) Type() string { return "size" }

// Set implements pflag.Value.
func (v sizeValue) Set(s string) error {
	n, err := units.ParseBytes(s)
	if err != nil {
		return err
	}
	if n < v.min || n > v.max {
		return fmt.Errorf("use a size from %s to %s, like 128K", v.min.Buffer(), v.max.Buffer())
	}
	*v.value = n
	return nil
}
