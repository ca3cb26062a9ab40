package vm

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"shapecheck/codegen/isa"
	"shapecheck/internal/cputime"
	"shapecheck/runtime/kernel"
	"shapecheck/runtime/tensor"
)

const product = `program "p" format 1.0
sym N 1..
sym K 1..
sym M 1..
input "a" f32[N,K]
input "b" f32[K,M]
output "y" f32[N,M]
in %0 = {port=0} -> f32[N,K]
in %1 = {port=1} -> f32[K,M]
matmul %2 = %0, %1 -> f32[N,M] ; at "net.py":3 "fc"
free %0
free %1
out %2 {port=0}
free %2
`

const convolution = `program "c" format 1.0
sym N 1..
sym H 3..
input "x" f32[N,256,H,H]
output "y" f32[N,256,H,H]
segment 0 "data" at 0 length 2359296
const @0 "w" f32[256,256,3,3] = segment 0 at 0
in %0 = {port=0} -> f32[N,256,H,H]
conv %1 = %0, @0 {pads=[1,1,1,1]} -> f32[N,256,H,H]
free %0
out %1 {port=0}
free %1
`

// zerosOf makes a tensor of f32 zeros.
func zerosOf(t testing.TB, dims ...int64) *tensor.Tensor {
	t.Helper()
	x, err := tensor.New(tensor.Float32, dims...)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// A kernel that is wrong at one element is found, with the instruction's operands; one that is right
// is not.
func TestKernelsAreComparedWithTheReference(t *testing.T) {
	p := parse(t, product)
	m := mustLoad(t, p, Config{Threads: 1, CheckReference: &Tolerance{Rel: 1e-5}})
	a, b := zerosOf(t, 5, 7), zerosOf(t, 7, 3)
	for i := range a.Len() {
		a.SetFloat(i, float64(i%5)-2)
	}
	for i := range b.Len() {
		b.SetFloat(i, float64(i%4)-1.5)
	}
	in := Inputs{"a": a, "b": b}
	if _, err := m.Run(context.Background(), in); err != nil {
		t.Fatal(err)
	}
	var bad []*kernel.Entry
	for _, e := range kernel.Entries(kernel.Best()) {
		x := *e
		x.Run = func(c *kernel.Call, worker, tile int) {
			e.Run(c, worker, tile)
			c.Out[0][len(c.Out[0])-1] ^= 0x40 // the last element's exponent
		}
		bad = append(bad, &x)
	}
	m.findKernels(bad)
	_, err := m.Run(context.Background(), in)
	var e *Error
	if !errors.As(err, &e) || e.Code != CodeDiffers || e.PC != 2 || e.Place != "net.py:3" ||
		strings.Join(e.Operands, " ") != "f32[5,7] f32[7,3]" ||
		!strings.Contains(e.Reason, "1 of 15 elements differ") {
		t.Errorf("%+v", err)
	}
	m.cfg.CheckReference = nil
	if _, err := m.Run(context.Background(), in); err != nil {
		t.Errorf("compared although it was not asked for: %v", err)
	}
}

func TestDifferences(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	f := func(x ...float32) tensor.Value { return tensor.Of(x) }
	for _, c := range []struct {
		got, want tensor.Value
		same      bool
	}{
		{f(1, 100), f(1.0005, 100), true}, {f(1, 100), f(1.002, 100), false}, {f(nan, 1), f(nan, 1), true}, {f(nan, 1), f(1, 1), false},
		{f(1, 1), f(nan, 1), false},
		{f(inf, 1), f(inf, 1), true}, {f(inf, 1), f(-inf, 1), false}, {f(3e38, 1), f(inf, 1), false}, {f(1), f(1, 1), false},
		{tensor.Of([]int64{1, 2}), tensor.Of([]int64{1, 2}), true}, {tensor.Of([]int64{1, 2}), tensor.Of([]int64{1, 3}), false},
		{tensor.NewSequence(f(1)), tensor.NewSequence(f(1)), true}, {tensor.NewSequence(f(1)), tensor.NewSequence(f(2)), false},
		{tensor.NewSequence(f(1)), f(1), false},
	} {
		if why := Differ(c.got, c.want, Tolerance{Rel: 1e-5}); (why == "") != c.same {
			t.Errorf("%v and %v: %q", c.got, c.want, why)
		}
	}
}

// A program that lies about the sizes of a result is refused when it runs.
func TestTypesOfResultsAreCompared(t *testing.T) {
	text := strings.Replace(product, "matmul %2 = %0, %1 -> f32[N,M]", "matmul %2 = %0, %1 -> f32[M,N]", 1)
	text = strings.Replace(text, `output "y" f32[N,M]`, `output "y" f32[M,N]`, 1)
	in := Inputs{"a": zerosOf(t, 2, 4), "b": zerosOf(t, 4, 3)}
	for _, cfg := range []Config{{Engine: Reference}, {Threads: 1}} {
		_, err := mustLoad(t, parse(t, text), cfg).Run(context.Background(), in)
		if err == nil || !strings.Contains(err.Error(), "f32[2,3]: the program says f32[3,2]") {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
	// Without the comparison the lie is seen where the value leaves.
	_, err := mustLoad(t, parse(t, text), Config{Engine: Reference, SkipTypeCheck: true}).Run(context.Background(), in)
	if err == nil || !strings.Contains(err.Error(), `the output "y" is f32[2,3]`) {
		t.Error(err)
	}
}

// onTiles replaces the entries of an instruction by ones that call f before each tile.
func onTiles(m *Model, op isa.Op, f func()) {
	for pc, i := range m.p.Code {
		if isa.Op(i.Op) != op {
			continue
		}
		k := &kernels{values: m.kernels[pc].values}
		for _, e := range m.kernels[pc].entries {
			own := *e
			own.Run = func(c *kernel.Call, worker, tile int) {
				f()
				e.Run(c, worker, tile)
			}
			k.entries = append(k.entries, &own)
		}
		m.kernels[pc] = k
	}
}

// tileMost bounds the products of a tile, as the direct form counts them: 0.1 ms at 266 GFLOP/s are 13 million.
const tileMost = 16 << 20

// Behind the end of the context no thread begins another tile of an instruction that would take long, and no tile
// takes long; the model can be used afterwards. What it takes by the clock is BenchmarkCancel's.
func TestCancelEndsALongInstruction(t *testing.T) {
	for name, c := range map[string]struct {
		text      string
		op        isa.Op
		products  int64
		long, few Inputs
	}{
		"matmul": {product, isa.MatMul, 2000 * 2000 * 2000, Inputs{"a": zerosOf(t, 2000, 2000), "b": zerosOf(t, 2000, 2000)},
			Inputs{"a": zerosOf(t, 2, 3), "b": zerosOf(t, 3, 2)}},
		"conv": {convolution, isa.Conv, 256 * 112 * 112 * 256 * 9, Inputs{"x": zerosOf(t, 1, 256, 112, 112)},
			Inputs{"x": zerosOf(t, 1, 256, 4, 4)}},
	} {
		for tier := kernel.Portable; tier <= kernel.Best(); tier++ {
			for _, threads := range []int{1, 2, 5} {
				m, err := LoadSegments(parse(t, c.text), bytes.NewReader(make([]byte, 2359296)), Config{Tier: tier.String(), Threads: threads})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(m.Close)
				ctx, cancel := context.WithCancel(context.Background())
				const end = 3
				var tiles, late atomic.Int64
				onTiles(m, c.op, func() {
					if ctx.Err() != nil {
						late.Add(1)
					}
					if tiles.Add(1) == end {
						cancel()
					}
				})
				_, err = m.Run(ctx, c.long)
				var e *Error
				if !errors.As(err, &e) || e.Code != CodeCancelled || e.Op != c.op || !errors.Is(err, context.Canceled) {
					t.Fatalf("%s: %v", name, err)
				}
				if n := late.Load(); tiles.Load() < end || n > int64(threads-1) { // who has looked before the end begins one more
					t.Errorf("%s, %s, %d threads: %d tiles begin behind the end", name, tier, threads, n)
				}
				grid := (*m.kernels[e.PC].known.Load())[0].grid
				if n := int64(grid.Tiles * max(grid.Phases, 1)); c.products/n > tileMost {
					t.Errorf("%s, %s: %d tiles for %d products", name, tier, n, c.products)
				}
				if _, err := m.Run(context.Background(), c.few); err != nil {
					t.Errorf("%s: after cancelling: %v", name, err)
				}
			}
		}
	}
}

// A countingContext counts who looks whether it has ended, and ends at the look of a number; 0: at none.
type countingContext struct {
	context.Context
	looks, end int64
}

func (c *countingContext) Err() error {
	if c.looks++; c.end > 0 && c.looks >= c.end {
		return context.Canceled
	}
	return nil
}

// The reference looks at the context within an instruction, at least once in a million products.
func TestCancelEndsTheReference(t *testing.T) {
	m := mustLoad(t, parse(t, product), Config{Engine: Reference})
	in := Inputs{"a": zerosOf(t, 200, 200), "b": zerosOf(t, 200, 200)}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	all := &countingContext{Context: ctx}
	if _, err := m.Run(all, in); err != nil || all.looks < 8 {
		t.Fatalf("%d looks, %v", all.looks, err)
	}
	half := &countingContext{Context: ctx, end: all.looks / 2}
	_, err := m.Run(half, in)
	var e *Error
	if !errors.As(err, &e) || e.Code != CodeCancelled || e.Op != isa.MatMul || !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if more := half.looks - half.end; more > 2 { // for the error's cause
		t.Errorf("%d looks behind the end", more)
	}
}

// A kernel looks at the context within a tile, between the parts of a long row.
func TestCancelEndsALongRow(t *testing.T) {
	const text = `program "p" format 1.0
sym N 1..
input "x" f32[1,N]
output "y" f32[1,N]
in %0 = {port=0} -> f32[1,N]
Softmax %1 = %0 -> f32[1,N]
free %0
out %1 {port=0}
free %1
`
	m := mustLoad(t, parse(t, text), Config{Threads: 1})
	in := Inputs{"x": zerosOf(t, 1, 4<<20)}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	all := &countingContext{Context: ctx}
	if _, err := m.Run(all, in); err != nil || all.looks < 12 {
		t.Fatalf("%d looks, %v", all.looks, err)
	}
	half := &countingContext{Context: ctx, end: all.looks / 2}
	_, err := m.Run(half, in)
	var e *Error
	if !errors.As(err, &e) || e.Code != CodeCancelled || !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if more := half.looks - half.end; more > 4 { // of passes over the row that are not begun, and for the error's cause
		t.Errorf("%d looks behind the end", more)
	}
}

// The time of a run is bounded by its context, also within an instruction.
func TestADeadlineEndsARun(t *testing.T) {
	m := mustLoad(t, parse(t, product), Config{Threads: 1})
	in := Inputs{"a": zerosOf(t, 600, 600), "b": zerosOf(t, 600, 600)}
	limit := time.Now().Add(60 * time.Millisecond)
	ctx, cancel := context.WithDeadline(context.Background(), limit)
	defer cancel()
	tiles := 0
	onTiles(m, isa.MatMul, func() {
		tiles++
		time.Sleep(time.Until(limit) + time.Millisecond)
	})
	_, err := m.Run(ctx, in)
	var e *Error
	if !errors.As(err, &e) || e.Code != CodeCancelled || !errors.Is(err, context.DeadlineExceeded) || tiles > 1 {
		t.Errorf("%d tiles, %v", tiles, err)
	}
}

func TestAnIdleProcessUsesNoProcessor(t *testing.T) {
	m := mustLoad(t, parse(t, product), Config{Threads: 3})
	if _, err := m.Run(context.Background(), Inputs{"a": zerosOf(t, 300, 300), "b": zerosOf(t, 300, 300)}); err != nil {
		t.Fatal(err)
	}
	before := cputime.Used()
	if before == 0 {
		t.Skip("the system does not say what a process used")
	}
	least := time.Hour
	for range 5 { // the garbage collector may work in one of them
		time.Sleep(20 * time.Millisecond) // workers park
		before = cputime.Used()
		time.Sleep(100 * time.Millisecond)
		least = min(least, cputime.Used()-before)
	}
	if least > 5*time.Millisecond {
		t.Errorf("%v of processor time in 100 ms", least)
	}
}

// Values of other kinds, types and ranks, and none, are errors of the input.
func TestHostileInputsAreErrors(t *testing.T) {
	ok := zerosOf(t, 2, 2)
	var none *tensor.Tensor
	for _, engine := range []Engine{Fast, Reference} {
		m := mustLoad(t, parse(t, product), Config{Engine: engine, Threads: 1})
		for name, in := range map[string]Inputs{
			"nil": nil, "one": {"a": ok}, "no value": {"a": ok, "b": nil}, "nil tensor": {"a": ok, "b": none},
			"sequence": {"a": ok, "b": tensor.NewSequence(ok)},
			"optional": {"a": ok, "b": &tensor.Optional{}}, "rank": {"a": ok, "b": zerosOf(t, 2)},
			"scalar": {"a": ok, "b": tensor.Scalar(float32(1))},
			"type":   {"a": ok, "b": tensor.Of([]int64{1, 2, 3, 4}, 2, 2)}, "sizes": {"a": ok, "b": zerosOf(t, 3, 2)},
			"empty":   {"a": zerosOf(t, 0, 2), "b": ok},
			"unknown": {"a": ok, "b": ok, "c": ok},
		} {
			_, err := m.Run(context.Background(), in)
			var e *Error
			if !errors.As(err, &e) || e.Code != CodeInput && e.Code != CodeContract {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// A lateContext has a deadline that is over, and a timer that nobody has run yet.
type lateContext struct{ context.Context }

func (lateContext) Deadline() (time.Time, bool) { return time.Now().Add(-time.Second), true }

func TestDeadlinesAreComparedWithTheClock(t *testing.T) {
	for _, engine := range []Engine{Fast, Reference} {
		m, err := Load(parse(t, product), Config{Engine: engine})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		_, err = m.Run(lateContext{context.Background()}, Inputs{"a": zerosOf(t, 2, 3), "b": zerosOf(t, 3, 2)})
		var e *Error
		if !errors.As(err, &e) || e.Code != CodeCancelled || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("engine %d: %v", engine, err)
		}
	}
}
