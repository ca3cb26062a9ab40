package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"shapecheck/codegen/isa"
	"shapecheck/onnx/eval"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

// inBF16 is a tensor in bf16.
func inBF16(t *testing.T, x *tensor.Tensor) *tensor.Tensor {
	t.Helper()
	y, err := tensor.New(tensor.BFloat16, x.Dims()...)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range floats(x.Bytes()) {
		halves(y.Bytes())[i] = tile.Rounded(v)
	}
	return y
}

// What Narrow lists is computed in bf16 by kernels of its own, of which the results are those of f32, rounded, to the bit.
func TestNarrowImages(t *testing.T) {
	if !Narrows(Best()) {
		t.Skip("the processor has no tiles of bf16")
	}
	list := append(Entries(Best()), BF16(Best())...)
	list = append(list, Halves(Best(), list)...)
	r := rand.New(rand.NewPCG(8, 8))
	seen := map[string]int{}
	for range 400 {
		op := pick(r, "Conv", "Conv", "Conv", "depthwise", "MaxPool", "ConvTranspose", "Concat")
		h, w := 5+r.Int64N(20), 5+r.Int64N(60)
		batch, ch, outs := 1+r.Int64N(2), 2+r.Int64N(40), 1+r.Int64N(70)
		s := sample{op: op, in: []*tensor.Tensor{random(r, batch, ch, h, w)}, konst: []int{1, 2}, outs: 1}
		k, stride := 1+r.Int64N(4), 1+r.Int64N(2)
		switch op {
		case "Conv":
			s.attrs = []*isa.Attr{isa.IntsAttrOf("pads", r.Int64N(2), r.Int64N(2), r.Int64N(2), r.Int64N(2)),
				isa.IntsAttrOf("strides", stride, stride)}
			s.in = append(s.in, random(r, outs, ch, k, k), random(r, outs))
			if r.IntN(2) == 0 {
				s.in = append(s.in, random(r, outputOf(t, testCase{isa.Lookup("", "Conv"), s.attrs, s.in, 1})...))
			}
		case "depthwise":
			s.op, k = "Conv", 3+2*r.Int64N(2)
			s.attrs = []*isa.Attr{isa.IntAttrOf("group", ch), isa.IntsAttrOf("pads", 1, 1, 1, 1), isa.IntsAttrOf("strides", stride, stride)}
			s.in = append(s.in, random(r, ch, 1, k, k), random(r, ch))
		case "MaxPool":
			s.attrs = []*isa.Attr{isa.IntsAttrOf("kernel_shape", k, k), isa.IntsAttrOf("strides", stride, stride)}
		case "ConvTranspose":
			s.attrs = []*isa.Attr{isa.IntsAttrOf("strides", 2, 2)}
			s.in = append(s.in, random(r, ch, outs, 2, 2), random(r, outs))
		case "Concat":
			s.attrs = []*isa.Attr{isa.IntAttrOf("axis", 1)}
			s.in = append(s.in, random(r, batch, outs, h, w))
			s.konst = nil
		}
		i := &isa.Instruction{Op: uint32(isa.Lookup("", s.op)), Attr: s.attrs, Out: []*isa.Result{{}}}
		for n := range s.in {
			i.In = append(i.In, int32(n))
		}
		var weights []int64
		if slices.Contains(s.konst, 1) && len(s.in) > 1 {
			weights = s.in[1].Dims()
		}
		n := Narrow(i, weights)
		all := r.IntN(2) == 0
		some := func(operand int) bool {
			return all && slices.Contains(n.Same, operand) || r.IntN(2) == 0 && slices.Contains(n.Any, operand)
		}
		narrow, wide := s, s
		narrow.in, wide.in = slices.Clone(s.in), slices.Clone(s.in)
		for at, x := range s.in {
			if !slices.Contains(s.konst, at) {
				wide.in[at] = rounded(x)
			}
			if some(at) {
				narrow.in[at] = inBF16(t, x)
			} else {
				narrow.in[at] = wide.in[at]
			}
		}
		result := tensor.Float32
		if some(NarrowResult) {
			result = tensor.BFloat16
		}
		what := fmt.Sprintf("%s %v of %v, result %s", op, s.attrs, narrow.in, result)
		_, want := runSample(t, list, Best(), &wide, []*eval.Tensor{{DType: tensor.Float32}}, 1, -1)
		e, got := runSample(t, list, Best(), &narrow, []*eval.Tensor{{DType: result}}, 1, -1)
		if e == nil || strings.HasSuffix(e.Name, ".halves") {
			t.Fatalf("%s is computed by %v", what, e)
		}
		if result == tensor.BFloat16 {
			want[0] = inBF16(t, want[0])
			seen[op]++
		}
		if string(got[0].Bytes()) != string(want[0].Bytes()) {
			t.Fatalf("%s, by %s: it is not what f32 gives, rounded", what, e.Name)
		}
		if _, again := runSample(t, list, Best(), &narrow, []*eval.Tensor{{DType: result}}, 3,
			-1); string(got[0].Bytes()) != string(again[0].Bytes()) {
			t.Fatalf("%s: with more workers the bits differ", what)
		}
	}
	if len(seen) != 5 {
		t.Errorf("results of bf16: %v", seen)
	}
}
