package vm

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel"
	"shapecheck/runtime/tensor"
)

// images is a network of images: %1 to %5 are read by kernels that take bf16 alone, %6 by an addition too, %8 and %9 are joined with the
// input.
const images = `program "images" format 1.0
sym N 1..
input "x" f32[N,32,12,14]
output "y" f32[N,48,1,1]
output "z" f32[N,80,6,7]
const @0 f32[48,32,3,3] = WEIGHTS0
const @1 f32[48,1,3,3] = WEIGHTS1
const @2 f32[48,48,1,1] = WEIGHTS2
const @3 f32[48] = WEIGHTS3
const @4 i64[2] = 0x02000000000000000300000000000000
in %0 = {port=0} -> f32[N,32,12,14]
conv %1 = %0, @0, @3 {act="relu" pads=[1,1,1,1]} -> f32[N,48,12,14]
conv %2 = %1, @1, @3 {act="clip" groups=48 hi=6.0 lo=0.0 pads=[1,1,1,1]} -> f32[N,48,12,14]
free %1
MaxPool %3 = %2 {kernel_shape=[2,2] strides=[2,2]} -> f32[N,48,6,7]
free %2
conv %4 = %3, @2, @3 {act="relu"} -> f32[N,48,6,7]
conv %5 = %4, @2, @3, %3 {act="relu"} -> f32[N,48,6,7]
free %4
ReduceMean %7 = %5, @4 -> f32[N,48,1,1]
out %7 {port=0}
conv %6 = %5, @2 -> f32[N,48,6,7]
Add %8 = %6, %6 -> f32[N,48,6,7]
MaxPool %9 = %0 {kernel_shape=[2,2] strides=[2,2]} -> f32[N,32,6,7]
Concat %10 = %8, %9 {axis=1} -> f32[N,80,6,7]
out %10 {port=1}
free %0
free %3
free %5
free %6
free %7
free %8
free %9
free %10
`

func imagesProgram(t *testing.T) *isa.Program {
	text := images
	for i, n := range []int{48 * 32 * 9, 48 * 9, 48 * 48, 48} {
		var b strings.Builder
		for k := range n {
			u := math.Float32bits(float32((k*k+i*7)%29-14) / 120)
			fmt.Fprintf(&b, "%02x%02x%02x%02x", byte(u), byte(u>>8), byte(u>>16), byte(u>>24))
		}
		text = strings.Replace(text, fmt.Sprintf("WEIGHTS%d", i), "0x"+b.String(), 1)
	}
	return parse(t, text)
}

// Values of bf16 are those that only kernels of bf16 make and read; the program that was given does not change.
func TestNarrowValues(t *testing.T) {
	p := imagesProgram(t)
	before, err := isa.Text(p)
	if err != nil {
		t.Fatal(err)
	}
	q, touched := narrow(p)
	var values []int32
	for pc, i := range q.Code {
		for k, r := range i.Out {
			if tensor.DType(r.Type.Elem) == tensor.BFloat16 {
				values = append(values, r.Value)
			}
			if same := r.Type.Elem == p.Code[pc].Out[k].Type.Elem; !same && !touched[pc] {
				t.Errorf("instruction %d has another type, and nobody is told", pc)
			}
		}
	}
	slices.Sort(values)
	if want := []int32{1, 2, 3, 4, 5}; !slices.Equal(values, want) {
		t.Errorf("values of bf16 are %v, not %v", values, want)
	}
	if after, err := isa.Text(p); err != nil || after != before {
		t.Error("the program has changed", err)
	}
	if err := isa.Verify(p); err != nil {
		t.Error(err)
	}
}

// Images of bf16 give the same bits with all numbers of threads and beside other images, nearly what f32 gives, and
// what the reference gives instruction by instruction.
func TestNarrowRuns(t *testing.T) {
	if !kernel.Narrows(kernel.Best()) {
		t.Skip("the processor has no tiles of bf16")
	}
	const size = 32 * 12 * 14
	x := make([]float32, 3*size)
	for i := range x {
		x[i] = float32((i*i)%61-30) / 20
	}
	run := func(p *isa.Program, n int, cfg Config) Outputs {
		t.Helper()
		cfg.Tier, cfg.Poison = kernel.Best().String(), true
		y, err := mustLoad(t, p, cfg).Run(context.Background(), Inputs{"x": tensor.Of(x[:n*size], int64(n), 32, 12, 14)})
		if err != nil {
			t.Fatal(err)
		}
		return y
	}
	p := imagesProgram(t)
	var kernels []string
	one := run(p, 3, Config{Precision: "bf16", Threads: 1, Hooks: &Hooks{Kernel: func(_ int,
		name string) {
		kernels = append(kernels, name)
	}}})
	for _, name := range kernels {
		if strings.HasSuffix(name, ".halves") && !strings.HasPrefix(name, "ReduceMean") || name == ReferenceKernel {
			t.Errorf("a kernel is %s", name)
		}
	}
	exact := run(p, 3, Config{Threads: 1})
	alone := run(p, 1, Config{Precision: "bf16", Threads: 1})
	checked := run(p, 3, Config{Precision: "bf16", Threads: 1, CheckReference: &Tolerance{Rel: 2e-2}})
	for name := range one {
		for _, threads := range []int{2, 8} {
			if !tensor.Equal(one[name], run(p, 3, Config{Precision: "bf16", Threads: threads})[name]) {
				t.Errorf("%s differs with %d threads", name, threads)
			}
		}
		if !tensor.Equal(one[name], checked[name]) {
			t.Errorf("%s differs beside the reference", name)
		}
		first := alone[name].(*tensor.Tensor).Bytes()
		if string(first) != string(one[name].(*tensor.Tensor).Bytes()[:len(first)]) {
			t.Errorf("%s of an image differs beside others", name)
		}
		if why := Differ(one[name], exact[name], Tolerance{Rel: 2e-2}); why != "" {
			t.Errorf("%s: %s", name, why)
		}
		if tensor.Equal(one[name], exact[name]) {
			t.Errorf("%s is that of f32", name)
		}
	}
}
