package plot

import (
	"math"
	"strings"
	"time"

	"linkpace/engine/units"
)

// Step gives the smallest distance of 1, 2 or 5 times a power of ten that
// divides 0 to top into at most most parts. It is 1 where top is not positive.
func Step(top float64, most int) float64 {
	if !(top > 0) || math.IsInf(top, 0) || most < 1 {
		return 1
	}
	raw := top / float64(most)
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, factor := range []float64{1, 2, 5} {
		if power*factor >= raw*(1-1e-9) {
			return power * factor
		}
	}
	return power * 10
}

// scale rounds the largest value up to a whole number of steps and puts a tick
// at each of them.
func scale(largest float64, most int, text func(float64) string) (top float64, ticks []Tick) {
	if !(largest > 0) {
		return 1, []Tick{{Text: text(0)}}
	}
	step := Step(largest, most)
	parts := max(int(math.Ceil(largest/step-1e-9)), 1)
	top = step * float64(parts)
	for i := range parts + 1 {
		ticks = append(ticks, Tick{Part: float64(i) / float64(parts), Text: text(step * float64(i))})
	}
	return top, ticks
}

func rateText(v float64) string  { return short(units.BitRate(v).String()) }
func delayText(v float64) string { return short(units.Delay(time.Duration(v))) }
func loadText(v float64) string  { return short(units.Percent(v)) }

// short takes from a figure the zeros that say nothing on an axis: "1.00 x"
// becomes "1 x", and nothing at all is "0" in every unit.
func short(figure string) string {
	digits, unit, _ := strings.Cut(figure, " ")
	if strings.Contains(digits, ".") {
		digits = strings.TrimRight(strings.TrimRight(digits, "0"), ".")
	}
	if digits == "0" {
		return digits
	}
	return digits + " " + unit
}

// timeTicks marks whole seconds, or fractions in a short test.
func timeTicks(span time.Duration) []Tick {
	step := Step(span.Seconds(), 8)
	var ticks []Tick
	for i := 0; ; i++ {
		at := step * float64(i)
		if at > span.Seconds()*(1+1e-9) {
			return ticks
		}
		ticks = append(ticks, Tick{Part: at / span.Seconds(), Text: timeText(at)})
	}
}

func timeText(seconds float64) string {
	if seconds == 0 {
		return "0 s"
	}
	if minutes := seconds / 60; seconds >= 120 && minutes == math.Trunc(minutes) {
		return time.Duration(seconds * float64(time.Second)).Truncate(time.Minute).String()
	}
	return short(units.Delay(time.Duration(math.Round(seconds * float64(time.Second)))))
}
