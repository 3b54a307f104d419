package plot

import (
	"math"
	"slices"
	"testing"
	"time"
)

func TestStep(t *testing.T) {
	for _, c := range []struct {
		top  float64
		most int
		want float64
	}{
		{1, 2, 0.5}, {941e6, 5, 200e6}, {1e9, 5, 200e6}, {94e6, 5, 20e6}, {7, 7, 1}, {7.1, 7, 2}, {0.3, 3, 0.1},
		{0, 5, 1}, {-3, 5, 1}, {math.NaN(), 5, 1}, {math.Inf(1), 5, 1}, {10, 0, 1},
	} {
		if got := Step(c.top, c.most); math.Abs(got-c.want) > c.want*1e-9 {
			t.Errorf("Step(%v, %d) = %v, want %v", c.top, c.most, got, c.want)
		}
	}
}

func texts(ticks []Tick) (words []string) {
	for _, t := range ticks {
		words = append(words, t.Text)
	}
	return words
}

func TestAxisTexts(t *testing.T) {
	_, rates := scale(960e6, 5, rateText)
	_, delays := scale(float64(1900*time.Microsecond), 2, delayText)
	_, loads := scale(1, 2, loadText)
	for _, c := range []struct{ got, want []string }{
		{texts(rates), []string{"0", "200 Mb/s", "400 Mb/s", "600 Mb/s", "800 Mb/s", "1 Gb/s"}},
		{texts(delays), []string{"0", "1 ms", "2 ms"}},
		{texts(loads), []string{"0", "50 %", "100 %"}},
		{texts(timeTicks(12500 * time.Millisecond)), []string{"0 s", "2 s", "4 s", "6 s", "8 s", "10 s", "12 s"}},
		{texts(timeTicks(800 * time.Millisecond)), []string{"0 s", "100 ms", "200 ms", "300 ms", "400 ms", "500 ms", "600 ms", "700 ms", "800 ms"}},
		{texts(timeTicks(time.Minute)), []string{"0 s", "10 s", "20 s", "30 s", "40 s", "50 s", "60 s"}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestLabelsKeepApart(t *testing.T) {
	at := []Point{{0, 10}}
	pane := Pane{Top: 100, Lines: []Line{
		{Text: "a", Points: at}, {Text: "b", Points: []Point{{0, 11}, {1, math.NaN()}}}, {Text: "none"}, {Text: "top", Points: []Point{{0, 100}}},
	}}
	labels := pane.Labels(100, 16)
	if len(labels) != 3 || labels[0].Text != "top" || labels[1].Text != "b" || labels[2].Text != "a" {
		t.Fatalf("got %+v", labels)
	}
	for i, l := range labels {
		if l.Y < 8 || l.Y > 92 || i > 0 && l.Y-labels[i-1].Y < 16 {
			t.Errorf("label %d of %+v is outside or covers its neighbour", i, labels)
		}
	}
}

func TestPeaksSurviveDecimation(t *testing.T) {
	points := make([]Point, 10000)
	for i := range points {
		points[i] = Point{At: time.Duration(i), Value: 10}
	}
	points[4321].Value = 90
	points[4322].Value = 0
	out := make([]column, 50)
	columns(out, points, 10000, 100, 200)
	c := out[4321*50/10000]
	if c.high != 20 || c.low != 200 {
		t.Errorf("the column reaches from %v to %v, want from 20 (the peak) to 200 (the drop)", c.high, c.low)
	}
	if calm := out[3]; calm.high != 180 || calm.low != 180 {
		t.Errorf("a calm column reaches from %v to %v", calm.high, calm.low)
	}
}

func TestColumnsBetweenFarPointsAreJoined(t *testing.T) {
	out := make([]column, 100)
	columns(out, []Point{{0, 0}, {99, 99}, {100, math.NaN()}, {200, 5}}, 200, 100, 100)
	for x := range 50 {
		if out[x].empty() {
			t.Fatalf("column %d of a line is empty", x)
		}
	}
	for x := 51; x < 99; x++ {
		if !out[x].empty() {
			t.Fatalf("column %d of a gap is not empty", x)
		}
	}
}
