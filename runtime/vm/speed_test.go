package vm

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"shapecheck/codegen/isa"
	"shapecheck/internal/cputime"
	"shapecheck/runtime/tensor"
)

// trips has a loop with three small nodes.
const trips = `program "trips" format 1.0
input "n" i64[]
input "x" f32[4]
output "y" f32[4]
const @0 f32[] = 0x0000803f
in %0 = {port=0} -> i64[]
in %1 = {port=1} -> f32[4]
loop.begin %2, %3, %4 = %0, ~, %1 r0 -> i64[], bool[], f32[4]
jmpf %3 r0
Add %5 = %4, @0 -> f32[4]
Mul %6 = %5, @0 -> f32[4]
free %5
Sub %7 = %6, @0 -> f32[4]
free %6
loop.next %2, %3, %4 = %2, %0, ~, %7 r0 -> i64[], bool[], f32[4]
jmpt %3 r0
loop.end %2, %3 r0
out %4 {port=0}
free %4
free %1
free %0
`

func BenchmarkTrip(b *testing.B) {
	m := mustLoad(b, parse(b, trips), Config{Threads: 1})
	const n = 1000
	in := Inputs{"n": tensor.Scalar(int64(n)), "x": zeros(4)}
	b.ReportAllocs()
	begin := cputime.Used()
	for b.Loop() {
		if _, err := m.Run(context.Background(), in); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64((cputime.Used()-begin).Nanoseconds())/float64(b.N)/n, "cpu-ns/trip")
}

// steps has a loop as a Scan makes it: each step takes a row, computes two functions of 4,096 elements, and keeps a row of the result.
const steps = `program "steps" format 1.0
input "x" f32[64,4096]
input "s" f32[4096]
output "y" f32[64,4096]
const @0 i64[] = 0x4000000000000000
const @1 i64[1] = 0x0000000000000000
in %0 = {port=0} -> f32[64,4096]
in %1 = {port=1} -> f32[4096]
SequenceEmpty %2 = {dtype=1} -> seq(f32[4096])
loop.begin %3, %4, %5, %6 = @0, ~, %1, %2 r0 -> i64[], bool[], f32[4096], seq(f32[4096])
jmpf %4 r0
Gather %7 = %0, %3 {axis=0} -> f32[4096]
Mul %8 = %5, %7 -> f32[4096]
free %7
Add %9 = %8, %1 -> f32[4096]
free %8
SequenceInsert %10 = %6, %9 -> seq(f32[4096])
loop.next %3, %4, %5, %6 = %3, @0, ~, %9, %10 r0 -> i64[], bool[], f32[4096], seq(f32[4096])
jmpt %4 r0
loop.end %3, %4 r0
seq.stack %11 = %6 -> f32[64,4096]
out %11 {port=0}
free %11
free %6
free %5
free %2
free %1
free %0
`

// BenchmarkScanStep runs the steps in the memory of a runner, and with a result that is the caller's each time.
func BenchmarkScanStep(b *testing.B) {
	m := mustLoad(b, parse(b, steps), Config{Threads: 1})
	in := Inputs{"x": zeros(64, 4096), "s": zeros(4096)}
	r := m.NewRunner()
	defer r.Close()
	for port, name := range []string{"x", "s"} {
		if err := r.SetInput(port, in[name]); err != nil {
			b.Fatal(err)
		}
	}
	for name, run := range map[string]func() error{
		"runner": func() error { return r.Run(context.Background()) },
		"run":    func() error { _, err := m.Run(context.Background(), in); return err },
	} {
		b.Run(name, func(b *testing.B) {
			begin := cputime.Used()
			b.ReportAllocs()
			for b.Loop() {
				if err := run(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((cputime.Used()-begin).Nanoseconds())/float64(b.N)/64, "cpu-ns/step")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/64, "ns/step")
		})
	}
}

const uniques = `program "uniques" format 1.0
sym D 0..
input "x" i64[100000]
output "y" i64[D]
in %0 = {port=0} -> i64[100000]
Unique %1 = %0 -> i64[D] binds D
free %0
out %1 {port=0}
free %1
`

const suppression = `program "boxes" format 1.0
sym D 0..
input "b" f32[1,1000,4]
input "s" f32[1,1,1000]
input "n" i64[]
input "o" f32[]
output "y" i64[D,3]
in %0 = {port=0} -> f32[1,1000,4]
in %1 = {port=1} -> f32[1,1,1000]
in %2 = {port=2} -> i64[]
in %3 = {port=3} -> f32[]
NonMaxSuppression %4 = %0, %1, %2, %3 -> i64[D,3] binds D
free %0
free %1
free %2
free %3
out %4 {port=0}
free %4
`

const response = `program "response" format 1.0
input "x" f32[1,96,27,27]
output "y" f32[1,96,27,27]
in %0 = {port=0} -> f32[1,96,27,27]
LRN %1 = %0 {size=5} -> f32[1,96,27,27]
free %0
out %1 {port=0}
free %1
`

const rotary = `program "rotary" format 1.0
input "x" f32[1,12,128,64]
input "c" f32[1,128,32]
output "y" f32[1,12,128,64]
in %0 = {port=0} -> f32[1,12,128,64]
in %1 = {port=1} -> f32[1,128,32]
RotaryEmbedding %2 = %0, %1, %1 -> f32[1,12,128,64]
free %0
free %1
out %2 {port=0}
free %2
`

const spectrum = `program "spectrum" format 1.0
input "x" f32[1,16000,1]
output "y" f32[1,98,201,2]
const @0 i64[] = 0xa000000000000000
const @1 i64[] = 0x9001000000000000
in %0 = {port=0} -> f32[1,16000,1]
STFT %1 = %0, @0, ~, @1 -> f32[1,98,201,2]
free %0
out %1 {port=0}
free %1
`

// BenchmarkBeside measures kernels beside the reference.
func BenchmarkBeside(b *testing.B) {
	numbers, err := tensor.New(tensor.Int64, 100000)
	if err != nil {
		b.Fatal(err)
	}
	boxes, scores, r := zeros(1, 1000, 4), zeros(1, 1, 1000), rand.New(rand.NewPCG(1, 2))
	for i := range numbers.Len() {
		numbers.SetInt(i, r.Int64N(50000))
	}
	for i := range scores.Len() {
		y, x := r.Float64()*500, r.Float64()*500
		for k, v := range []float64{y, x, y + 10 + 50*r.Float64(), x + 10 + 50*r.Float64()} {
			boxes.SetFloat(4*i+k, v)
		}
		scores.SetFloat(i, r.Float64())
	}
	for name, c := range map[string]struct {
		text string
		in   Inputs
	}{
		"unique": {uniques, Inputs{"x": numbers}},
		"boxes":  {suppression, Inputs{"b": boxes, "s": scores, "n": tensor.Scalar(int64(1000)), "o": tensor.Scalar(float32(0.5))}},
		"stft":   {spectrum, Inputs{"x": zeros(1, 16000, 1)}},
		"lrn":    {response, Inputs{"x": zeros(1, 96, 27, 27)}},
		"rotary": {rotary, Inputs{"x": zeros(1, 12, 128, 64), "c": zeros(1, 128, 32)}},
	} {
		for engine, cfg := range map[string]Config{"fast": {Threads: 1}, "reference": {Engine: Reference}} {
			b.Run(name+"/"+engine, func(b *testing.B) {
				m := mustLoad(b, parse(b, c.text), cfg)
				begin := cputime.Used()
				for b.Loop() {
					if _, err := m.Run(context.Background(), c.in); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64((cputime.Used()-begin).Microseconds())/float64(b.N), "cpu-µs/run")
			})
		}
	}
}

// BenchmarkCancel measures what lies between the end of the context and that of a run within a long instruction: the mean, and the
// longest time.
func BenchmarkCancel(b *testing.B) {
	in := Inputs{"a": zerosOf(b, 3000, 3000), "b": zerosOf(b, 3000, 3000)}
	for name, cfg := range map[string]Config{"fast": {Threads: 1}, "two": {Threads: 2}, "portable": {Tier: "portable", Threads: 1},
		"reference": {Engine: Reference}} {
		b.Run(name, func(b *testing.B) {
			m := mustLoad(b, parse(b, product), cfg)
			var sum, most time.Duration
			for b.Loop() {
				ctx, cancel := context.WithCancel(context.Background())
				at := make(chan time.Time, 1)
				time.AfterFunc(20*time.Millisecond, func() { at <- time.Now(); cancel() })
				if _, err := m.Run(ctx, in); err == nil {
					b.Fatal("it ended before it was cancelled")
				}
				took := time.Since(<-at)
				sum, most = sum+took, max(most, took)
			}
			b.ReportMetric(float64(sum.Microseconds())/float64(b.N), "µs/end")
			b.ReportMetric(float64(most.Microseconds()), "µs-most")
		})
	}
}

// inserts has a loop that appends to a sequence.
const inserts = `program "inserts" format 1.0
input "n" i64[]
input "x" f32[4]
output "s" seq(f32[4])
in %0 = {port=0} -> i64[]
in %1 = {port=1} -> f32[4]
SequenceEmpty %2 = {dtype=1} -> seq(f32[4])
loop.begin %3, %4, %5 = %0, ~, %2 r0 -> i64[], bool[], seq(f32[4])
jmpf %4 r0
SequenceInsert %6 = %5, %1 -> seq(f32[4])
loop.next %3, %4, %5 = %3, %0, ~, %6 r0 -> i64[], bool[], seq(f32[4])
jmpt %4 r0
loop.end %3, %4 r0
out %5 {port=0}
free %5
free %2
free %1
free %0
`

// BenchmarkInsert shows that an insert does not copy what is there.
func BenchmarkInsert(b *testing.B) {
	m := mustLoad(b, parse(b, inserts), Config{Threads: 1})
	for _, n := range []int64{500, 4000} {
		b.Run(strconv.FormatInt(n, 10), func(b *testing.B) {
			in := Inputs{"n": tensor.Scalar(n), "x": zeros(4)}
			begin := cputime.Used()
			for b.Loop() {
				if _, err := m.Run(context.Background(), in); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((cputime.Used()-begin).Nanoseconds())/float64(b.N)/float64(n), "cpu-ns/insert")
		})
	}
}

// A trip makes no garbage: values take the memory of the last trip's.
func TestTripsAllocateNothing(t *testing.T) {
	m := mustLoad(t, parse(t, trips), Config{Threads: 1})
	count := func(n int64) float64 {
		in := Inputs{"n": tensor.Scalar(n), "x": zeros(4)}
		return testing.AllocsPerRun(5, func() {
			y, err := m.Run(context.Background(), in)
			if err != nil || f32s(t, y["y"])[0] != 0 {
				t.Fatal(err, y)
			}
		})
	}
	if few, many := count(2), count(2000); many > few+8 {
		t.Errorf("%v allocations with 2 trips, %v with 2000", few, many)
	}
}

// layers has a product with a residual in place, moves, a view, a softmax and a fill.
const layers = `program "layers" format 1.0
input "x" f32[N,8]
output "y" f32[N,8]
output "z" f32[8,N]
sym N 1..
const @0 f32[8,8] = zeros
const @1 i64[1] = 0x0100000000000000
const @2 f32[] = 0x0000003f
in %0 = {port=0} -> f32[N,8]
matmul %1 = %0, @0, ~, %0 {act="relu"} -> f32[N,8]
Transpose %2 = %1 {perm=[1,0]} -> f32[8,N]
fill %3 = @2 -> f32[8,N]
Add %4 = %2, %3 -> f32[8,N]
free %2
free %3
Softmax %5 = %1 {axis=1} -> f32[N,8]
free %1
Exp %6 = %5 -> f32[N,8]
free %5
out %6 {port=0}
out %4 {port=1}
free %6
free %4
free %0
`

func TestRunnersRunAsRunDoesAndAllocateNothing(t *testing.T) {
	for _, threads := range []int{1, 2} {
		t.Run(strconv.Itoa(threads), func(t *testing.T) { runnersAllocateNothing(t, threads) })
	}
}

func runnersAllocateNothing(t *testing.T, threads int) {
	text := strings.Replace(layers, "zeros", "0x"+strings.Repeat("0000803f0000004000000000000080bf0000803e000000bf0000404000008040", 8), 1)
	text = strings.Replace(text, "input \"x\" f32[N,8]\noutput \"y\" f32[N,8]\noutput \"z\" f32[8,N]\nsym N 1..\n",
		"sym N 1..\ninput \"x\" f32[N,8]\noutput \"y\" f32[N,8]\noutput \"z\" f32[8,N]\n", 1)
	m := mustLoad(t, parse(t, text), Config{Threads: threads})
	r := m.NewRunner()
	defer r.Close()
	ctx := context.Background()
	check := func(n int64, add float64) *tensor.Tensor {
		x := zeros(n, 8)
		for i := range x.Len() {
			x.SetFloat(i, math.Sin(float64(i)+add))
		}
		want, err := m.Run(ctx, Inputs{"x": x})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.SetInput(0, x); err != nil {
			t.Fatal(err)
		}
		if err := r.Run(ctx); err != nil {
			t.Fatal(err)
		}
		for k, name := range []string{"y", "z"} {
			if !tensor.Equal(r.Output(k), want[name]) {
				t.Errorf("%d rows: %s is another one", n, name)
			}
		}
		return x
	}
	for k, n := range []int64{3, 3, 70, 1, 70, 500} {
		check(n, float64(k))
	}
	if allocs := testing.AllocsPerRun(20, func() {
		if err := r.Run(ctx); err != nil {
			t.Fatal(err)
		}
	}); allocs > 0 {
		t.Errorf("a run allocates %v times", allocs)
	}
	own := zeros(500, 8)
	if err := r.SetOutput(0, own); err != nil {
		t.Fatal(err)
	}
	check(500, 9)
	if r.Output(0) != tensor.Value(own) || own.Float(0) == 0 {
		t.Error("the output is not in the caller's memory")
	}
	if err := r.SetInput(0, zeros(4, 8)); err != nil {
		t.Fatal(err)
	}
	if err := r.Run(ctx); err == nil || !strings.Contains(err.Error(), "the memory that is given for it") {
		t.Errorf("an output of other sizes: %v", err)
	}
	if err := r.SetOutput(0, nil); err != nil {
		t.Fatal(err)
	}
	check(4, 2)
	if r.SetInput(1, nil) == nil || r.SetOutput(2, nil) == nil {
		t.Error("ports that are not there")
	}
}

// Hooks that borrow values see them in the memory that a run without hooks would use again; others may keep them.
func TestHooksThatBorrowLetMemoryBeUsedAgain(t *testing.T) {
	for _, borrow := range []bool{false, true} {
		var seen []*tensor.Tensor
		sums := map[*byte]bool{}
		h := &Hooks{Borrow: borrow, After: func(_ int, _ *isa.Instruction, _, out []tensor.Value) {
			if len(out) == 1 {
				x := out[0].(*tensor.Tensor)
				seen = append(seen, x)
				sums[&x.Bytes()[0]] = true
			}
		}}
		m := mustLoad(t, parse(t, `program "chain" format 1.0
input "x" f32[4000,100]
output "y" f32[4000,100]
in %0 = {port=0} -> f32[4000,100]
Exp %1 = %0 -> f32[4000,100]
Neg %2 = %1 -> f32[4000,100]
free %1
Exp %3 = %2 -> f32[4000,100]
free %2
Neg %4 = %3 -> f32[4000,100]
free %3
Exp %5 = %4 -> f32[4000,100]
free %4
out %5 {port=0}
free %5
free %0
`), Config{Threads: 1, Hooks: h})
		if _, err := m.Run(context.Background(), Inputs{"x": zeros(4000, 100)}); err != nil {
			t.Fatal(err)
		}
		if reused := len(sums) < len(seen); reused != borrow {
			t.Errorf("borrow %v: %d values in %d places", borrow, len(seen), len(sums))
		}
	}
}
