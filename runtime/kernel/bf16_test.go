package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"shapecheck/codegen/isa"
	"shapecheck/onnx/eval"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

// rounded is a tensor whose elements are rounded to bf16.
func rounded(x *tensor.Tensor) *tensor.Tensor {
	y := x.Clone()
	for i, v := range floats(x.Bytes()) {
		floats(y.Bytes())[i] = math.Float32frombits(uint32(tile.Rounded(v)) << 16)
	}
	return y
}

// bothBF16 are the entries in bf16 that take the processor's tiles where it has them, and those that take its vectors.
func bothBF16(t Tier) []*Entry {
	list := BF16(t)
	if tile.HasBlocks(t) {
		list = append(list, bf16(t, false)...)
	}
	return list
}

// waysOfBF16 runs a test for the entries that take tiles, where there are such, and for those that take vectors.
func waysOfBF16(t *testing.T, test func(t *testing.T, list []*Entry)) {
	if len(BF16(Best())) == 0 {
		t.Skip("the processor has no products of bf16")
	}
	t.Run("vectors", func(t *testing.T) { test(t, append(Entries(Best()), bf16(Best(), false)...)) })
	if tile.HasBlocks(Best()) {
		t.Run("tiles", func(t *testing.T) { test(t, append(Entries(Best()), bf16(Best(), true)...)) })
	}
}

// What is computed in bf16 is what f32 computes of rounded operands, but for the order of sums.
func TestBF16IsF32OfRoundedOperands(t *testing.T) { waysOfBF16(t, bf16IsF32OfRounded) }

func bf16IsF32OfRounded(t *testing.T, list []*Entry) {
	r := rand.New(rand.NewPCG(3, 3))
	check := func(name string, c testCase) {
		t.Helper()
		e, dims, got := executeOn(t, list, Best(), c, 1)
		if e == nil || !strings.Contains(e.Name, ".bf16.") {
			t.Fatalf("%s is computed by %v", name, e)
		}
		if _, _, again := executeOn(t, list, Best(), c, 3); !slices.Equal(got, again) {
			t.Errorf("%s: with more workers the bits differ", name)
		}
		c.in = append([]*tensor.Tensor{rounded(c.in[0]), rounded(c.in[1])}, c.in[2:]...)
		_, _, want := execute(t, Best(), c, 1)
		sum := 0.0
		for _, v := range want {
			sum += float64(v) * float64(v)
		}
		rms := math.Sqrt(sum / float64(max(len(want), 1)))
		for i := range want {
			if d := math.Abs(float64(got[i] - want[i])); !(d <= 1e-4*max(rms, 1e-3)) {
				t.Fatalf("%s %v: element %d is %v, not %v", name, dims, i, got[i], want[i])
			}
		}
	}
	for range 60 {
		m, k, n := int64(1+r.IntN(40)), int64(1+r.IntN(90)), int64(1+r.IntN(150))
		if r.IntN(10) == 0 {
			k = 4096 + int64(r.IntN(100)) // more than one part of the chain
		}
		tb := r.IntN(2)
		b := random(r, k, n)
		if tb == 1 {
			b = random(r, n, k)
		}
		in := []*tensor.Tensor{random(r, m, k), b}
		if r.IntN(2) == 0 {
			in = append(in, random(r, n), random(r, m, n))
		}
		check(fmt.Sprintf("matmul of %d×%d×%d, transposed %d", m, k, n, tb),
			testCase{isa.MatMul, []*isa.Attr{isa.StringAttrOf("act", "relu"), isa.IntAttrOf("tb", int64(tb))}, in, 1})
	}
	for range 80 {
		groups, ch, outs := int64(1+r.IntN(2)), int64(2+r.IntN(9)), int64(1+r.IntN(70))
		h, w := int64(3+r.IntN(20)), int64(3+r.IntN(20))
		if r.IntN(4) == 0 {
			ch = 20 + r.Int64N(80) // several steps of a tile
		}
		if r.IntN(6) == 0 {
			h, w = 2+r.Int64N(4), 30+r.Int64N(300) // several panels of a row
		}
		kernel, stride, dilation := int64(1+r.IntN(min(4, int(h)))), int64(1+r.IntN(2)), int64(1)
		if 2*kernel-1 <= min(h, w) {
			dilation += r.Int64N(2)
		}
		alone := r.IntN(5) == 0 // pixels are seen by one place of the kernel, in several panels
		if alone {
			h, w, kernel, stride, dilation, ch, outs = 18+r.Int64N(8), 20+r.Int64N(20), 1, 1, 1, 2+r.Int64N(70), 1+r.Int64N(600)
			if r.IntN(3) == 0 {
				outs = 1 + r.Int64N(6) // on vectors
			}
		}
		in := []*tensor.Tensor{random(r, int64(1+r.IntN(2)), ch*groups, h, w), random(r, outs*groups, ch, kernel, kernel), random(r, outs*groups)}
		pads := []int64{int64(r.IntN(2)), int64(r.IntN(2)), int64(r.IntN(2)), int64(r.IntN(2))}
		if r.IntN(5) == 0 && h > 10 && w > 10 {
			pads = []int64{r.Int64N(4) - 2, r.Int64N(4) - 2, r.Int64N(4) - 2, r.Int64N(4) - 2} // what is negative is cut off
		}
		if alone {
			pads = []int64{0, 0, 0, 0}
		}
		c := testCase{isa.Conv, []*isa.Attr{isa.IntAttrOf("groups", groups), isa.IntsAttrOf("pads", pads...),
			isa.IntsAttrOf("strides", stride, stride),
			isa.IntsAttrOf("dilations", dilation, dilation)}, in, 1}
		if r.IntN(2) == 0 {
			c.in = append(c.in, random(r, outputOf(t, c)...))
		}
		check(fmt.Sprintf("conv of %s by %s, stride %d", in[0].Type(), in[1].Type(), stride), c)
	}
}

// Transposed convolutions on tiles are those in f32 of rounded operands.
func TestTransposedConvolutionsInBF16(t *testing.T) {
	if len(BF16(Best())) == 0 || !tile.HasBlocks(Best()) {
		t.Skip("the processor has no tiles of bf16")
	}
	r := rand.New(rand.NewPCG(7, 7))
	for range 80 {
		groups, ch, outs := 1+r.Int64N(2), 8+r.Int64N(60), 1+r.Int64N(40)
		h, w, kernel, stride := 1+r.Int64N(12), 1+r.Int64N(40), 1+r.Int64N(6), 1+r.Int64N(3)
		if r.IntN(2) == 0 {
			kernel, stride = 2, 2
		}
		c := testCase{isa.Lookup("", "ConvTranspose"), []*isa.Attr{isa.IntAttrOf("group", groups), isa.IntsAttrOf("strides", stride, stride)},
			[]*tensor.Tensor{random(r, 1+r.Int64N(2), ch*groups, h, w), random(r, ch*groups, outs, kernel, kernel), nil}, 1}
		if r.IntN(2) == 0 {
			c.in[2] = random(r, outs*groups)
		}
		e, dims, got := executeOn(t, append(Entries(Best()), BF16(Best())...), Best(), c, 1)
		if e == nil || !strings.Contains(e.Name, ".bf16.") {
			t.Fatalf("it is computed by %v", e)
		}
		if _, _, again := executeOn(t, BF16(Best()), Best(), c, 3); !slices.Equal(got, again) {
			t.Fatal("with more workers the bits differ")
		}
		c.in = []*tensor.Tensor{rounded(c.in[0]), rounded(c.in[1]), c.in[2]}
		_, _, want := execute(t, Best(), c, 1)
		for i, v := range want {
			if d := math.Abs(float64(got[i] - v)); !(d <= 1e-3) {
				t.Fatalf("%s by %s to %v, stride %d: element %d is %v, not %v", c.in[0].Type(), c.in[1].Type(), dims, stride, i, got[i], v)
			}
		}
	}
}

// A row of a product has the same bits alone and among others.
func TestRowsInBF16DoNotDependOnTheirNeighbours(t *testing.T) { waysOfBF16(t, rowsInBF16) }

func rowsInBF16(t *testing.T, list []*Entry) {
	r := rand.New(rand.NewPCG(4, 4))
	a, b := random(r, 23, 77), random(r, 77, 65)
	_, _, all := executeOn(t, list, Best(), testCase{isa.MatMul, nil, []*tensor.Tensor{a, b}, 1}, 1)
	for i := range int64(23) {
		row := tensor.Of(floats(a.Bytes())[i*77:(i+1)*77], 1, 77)
		if _, _, one := executeOn(t, list, Best(), testCase{isa.MatMul, nil, []*tensor.Tensor{row, b}, 1}, 1); !slices.Equal(one,
			all[i*65:(i+1)*65]) {
			t.Fatalf("row %d differs", i)
		}
	}
}

// An image has the same bits alone and beside others, whatever is in these; an infinity stays in the windows that see it.
func TestImagesInBF16DoNotDependOnTheirNeighbours(t *testing.T) { waysOfBF16(t, imagesInBF16) }

func imagesInBF16(t *testing.T, list []*Entry) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, ch := range []int64{3, 17, 40} {
		w := random(r, 37, ch, 3, 3)
		run := func(x *tensor.Tensor) []float32 {
			attrs := []*isa.Attr{isa.IntsAttrOf("pads", 1, 1, 1, 1), isa.IntsAttrOf("strides", 2, 2)}
			_, _, y := executeOn(t, list, Best(), testCase{isa.Conv, attrs, []*tensor.Tensor{x, w}, 1}, 2)
			return y
		}
		const size, out = 21, 11
		x := random(r, 3, ch, size, size)
		one := tensor.Of(slices.Clone(floats(x.Bytes())[ch*size*size:2*ch*size*size]), 1, ch, size, size)
		want := run(one)
		for i := range int(ch) * size * size {
			x.SetFloat(i, math.NaN())
		}
		if got := run(x); !slices.Equal(got[37*out*out:2*37*out*out], want) {
			t.Fatalf("%d channels: an image differs in a batch", ch)
		}
		one.SetFloat(int(ch-1)*size*size+10*size+10, math.Inf(1)) // seen by the window at (5, 5) alone
		for i, v := range run(one) {
			if at := i % (out * out); at != 5*out+5 && v != want[i] {
				t.Fatalf("%d channels: an infinity at (10, 10) makes %v of element %d", ch, v, at)
			}
		}
	}
}

// Convolutions of pixels have the same bits in images of all sizes, also those of so few output channels that they are on vectors.
func TestPixelsInBF16DoNotDependOnSizes(t *testing.T) { waysOfBF16(t, pixelsInBF16) }

func pixelsInBF16(t *testing.T, list []*Entry) {
	r := rand.New(rand.NewPCG(7, 7))
	const many, few = 1600, 5
	for _, ch := range []int64{16, 34, 70} {
		for _, outs := range []int64{1, 2, 4, 6, 40} {
			w, x, part := random(r, outs, ch, 1, 1), random(r, 1, ch, 1, many), random(r, 1, ch, 1, few)
			for c := range int(ch) {
				copy(floats(part.Bytes())[c*few:][:few], floats(x.Bytes())[c*many:])
			}
			_, _, all := executeOn(t, list, Best(), testCase{isa.Conv, nil, []*tensor.Tensor{x, w}, 1}, 2)
			_, _, some := executeOn(t, list, Best(), testCase{isa.Conv, nil, []*tensor.Tensor{part, w}, 1}, 1)
			for o := range int(outs) {
				if !slices.Equal(all[o*many:][:few], some[o*few:][:few]) {
					t.Fatalf("%d channels to %d: pixels differ in a smaller image", ch, outs)
				}
			}
		}
	}
}

// Recurrent networks in bf16 are those in f32 of rounded inputs and weights, as far as states are rounded before each step: so the
// first step is nearly the same, and the others are near.
func TestRecurrentNetworksInBF16(t *testing.T) { waysOfBF16(t, recurrentInBF16) }

func recurrentInBF16(t *testing.T, list []*Entry) {
	r := rand.New(rand.NewPCG(5, 5))
	for n := range 60 {
		name := []string{"LSTM", "GRU", "RNN"}[n%3]
		gates := map[string]int64{"LSTM": 4, "GRU": 3, "RNN": 1}[name]
		steps, batch, features, hidden, dirs := 1+r.Int64N(5), 1+r.Int64N(9), 2+2*r.Int64N(30), 2+2*r.Int64N(40), 1+r.Int64N(2)
		if r.IntN(8) == 0 {
			batch = 30 + r.Int64N(10) // more rows than a tile has
		}
		direction := "bidirectional"
		if dirs == 1 {
			direction = pick(r, "forward", "reverse")
		}
		scaled := func(dims ...int64) *tensor.Tensor {
			x := random(r, dims...)
			for i := range floats(x.Bytes()) {
				floats(x.Bytes())[i] /= 8
			}
			return x
		}
		c := testCase{isa.Lookup("", name), []*isa.Attr{isa.StringAttrOf("direction", direction), isa.IntAttrOf("hidden_size", hidden)},
			[]*tensor.Tensor{random(r, steps, batch, features), scaled(dirs, gates*hidden, features), scaled(dirs, gates*hidden, hidden), nil, nil,
				nil}, 1}
		if name == "GRU" {
			c.attrs = append(c.attrs, isa.IntAttrOf("linear_before_reset", 1))
		}
		if r.IntN(2) == 0 {
			c.in[5] = scaled(dirs, batch, hidden)
		}
		compute := func(list []*Entry, in []*tensor.Tensor, workers int) (*Entry, []*tensor.Tensor) {
			s := sample{op: name, attrs: c.attrs, in: in, konst: []int{1, 2}, outs: 1}
			dims := []int64{steps, dirs, batch, hidden}
			return runSample(t, list, Best(), &s, []*eval.Tensor{{DType: tensor.Float32, Dims: dims}}, workers, -1)
		}
		e, got := compute(list, c.in, 1)
		if e == nil || !strings.Contains(e.Name, ".bf16.") {
			t.Fatalf("%s of %d units is computed by %v", name, hidden, e)
		}
		if _, again := compute(list, c.in, 3); string(again[0].Bytes()) != string(got[0].Bytes()) {
			t.Fatalf("%s of %d units: with more workers the bits differ", name, hidden)
		}
		in := slices.Clone(c.in)
		for _, i := range []int{0, 1, 2, 5} {
			if in[i] != nil && (i != 5 || name == "LSTM") { // other cells take from the state itself as well
				in[i] = rounded(in[i])
			}
		}
		_, want := compute(Entries(Best()), in, 1)
		for i := range want[0].Len() {
			tol := 4e-3
			if first := int64(i) < dirs*batch*hidden; steps == 1 || first && direction == "forward" {
				tol = 2e-5
				if name != "LSTM" && in[5] != nil {
					tol = 4e-3
				}
			}
			if d := math.Abs(got[0].Float(i) - want[0].Float(i)); !(d <= tol) {
				t.Fatalf("%s of %d units, %d steps, %s: element %d is %v, not %v", name, hidden, steps, direction, i, got[0].Float(i), want[0].Float(i))
			}
		}
	}
}
