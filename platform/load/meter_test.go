package load

import (
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/shirou/gopsutil/v3/cpu"
)

// spinner makes this test binary a program that works for as long as burn asks
// it to, once for each byte that it is sent, and answers when it is done.
const spinner = "LINKPACE_TEST_SPIN"

func TestMain(m *testing.M) {
	if os.Getenv(spinner) != "" {
		spinOnRequest()
		return
	}
	os.Exit(m.Run())
}

func spinOnRequest() {
	s, one := openSource(), make([]byte, 1)
	for {
		if _, err := os.Stdin.Read(one); err != nil {
			return
		}
		if err := burn(&s, 200*time.Millisecond); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return
		}
		if _, err := os.Stdout.Write(one); err != nil {
			return
		}
	}
}

// burn works until this process has used so much more processor time.
func burn(s *source, amount time.Duration) error {
	began, err := s.own()
	for x, now := 1.0, began; err == nil && now-began < amount; now, err = s.own() {
		for range 10_000 {
			x = math.Sqrt(x + 1)
		}
		if x <= 0 {
			return fmt.Errorf("the square root is %v", x)
		}
	}
	return err
}

// bounds holds a reading against another clock and another count of this
// process's time. Both are read on either side of each reading of the meter, so
// that no pause of the test in between makes a difference.
type bounds struct {
	t     *testing.T
	start time.Time
	outer [2]point // around everything
	inner [2]point // between the readings
}

type point struct{ wall, own time.Duration }

func (b *bounds) point() point {
	own, err := independentOwn()
	if err != nil {
		b.t.Fatal(err)
	}
	return point{time.Since(b.start), own}
}

// measure reads the load of what do does.
func (b *bounds) measure(do func()) Reading {
	counters := Open()
	b.outer[0] = b.point()
	m := counters.Meter()
	b.inner[0] = b.point()
	do()
	b.inner[1] = b.point()
	r, err := m.Read()
	b.outer[1] = b.point()
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// check wants Own within 5 % of what the other count leaves possible.
func (b *bounds) check(r Reading) {
	b.t.Helper()
	least := (b.inner[1].own - b.inner[0].own - independentStep).Seconds() / (b.outer[1].wall - b.outer[0].wall).Seconds()
	most := (b.outer[1].own - b.outer[0].own + independentStep).Seconds() / (b.inner[1].wall - b.inner[0].wall).Seconds()
	if r.Own < 0.95*least || r.Own > 1.05*most {
		b.t.Errorf("own is %v cores, the system's count says %v to %v", r.Own, least, most)
	}
}

func TestOwnIsWhatTheSystemCharges(t *testing.T) {
	b, s := &bounds{t: t, start: time.Now()}, openSource()
	r := b.measure(func() {
		if err := burn(&s, 300*time.Millisecond); err != nil {
			t.Error(err)
		}
	})
	b.check(r)
	if r.Own <= 0 {
		t.Errorf("300 ms of work show as %v cores", r.Own)
	}
	if len(r.Cores) == 0 {
		t.Error("no cores")
	}
	if r.Interrupts != nil && len(r.Interrupts) != len(r.Cores) {
		t.Errorf("%d cores, and interrupts of %d", len(r.Cores), len(r.Interrupts))
	}
	for i, share := range r.Cores {
		if share < 0 || share > 1 {
			t.Errorf("core %d is %v busy", i, share)
		}
	}
	for i, share := range r.Interrupts {
		if share < 0 || share > r.Cores[i] {
			t.Errorf("core %d is %v in interrupts and %v busy", i, share, r.Cores[i])
		}
	}
}

// Another program that keeps a core busy all the while is in Cores, not in Own.
func TestOwnLeavesOutOtherPrograms(t *testing.T) {
	other := startSpinner(t)
	b := &bounds{t: t, start: time.Now()}
	r := b.measure(other.spin)
	b.check(r)
	// The other program used 200 ms, so that much time passed at the least on one
	// core; this one only waited.
	if most := (b.outer[1].own - b.outer[0].own + independentStep).Seconds() / 0.2; r.Own > 1.05*most || r.Own > 0.5 {
		t.Errorf("own is %v cores while another program works", r.Own)
	}
	var busy float64
	for _, share := range r.Cores {
		busy += share
	}
	if busy < r.Own {
		t.Errorf("all cores together are %v busy, this program alone %v", busy, r.Own)
	}
}

type process struct {
	t   *testing.T
	in  io.Writer
	out io.Reader
}

func startSpinner(t *testing.T) process {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), spinner+"=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
	})
	return process{t, in, out}
}

// spin has the other program work, and returns when it has.
func (p process) spin() {
	one := make([]byte, 1)
	if _, err := p.in.Write(one); err != nil {
		p.t.Fatal(err)
	}
	if _, err := io.ReadFull(p.out, one); err != nil {
		p.t.Fatal(err)
	}
}

func TestCPU(t *testing.T) {
	if model, cores := CPU(); model == "" || cores < 1 || tidy(model) != model {
		t.Errorf("CPU gave %q, %d", model, cores)
	}
}

func BenchmarkRead(b *testing.B) {
	m := Open().Meter()
	for b.Loop() {
		if _, err := m.Read(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpenEachTime is what BenchmarkRead would cost with the library that
// opens what it reads each time, without the time of this process.
func BenchmarkOpenEachTime(b *testing.B) {
	for b.Loop() {
		if _, err := cpu.Times(true); err != nil {
			b.Fatal(err)
		}
	}
}
