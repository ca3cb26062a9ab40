package kernel

// This file holds every entry against the reference evaluator: random shapes, among them those with 0 and 1, attributes,
// special values, all tiers, one and three workers. Each entry must be met.

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"shapecheck/codegen/isa"
	"shapecheck/onnx"
	"shapecheck/onnx/eval"
	"shapecheck/runtime/memory/fence"
	"shapecheck/runtime/tensor"
)

// A sample is a call of an operator of ONNX.
type sample struct {
	op    string
	attrs []*isa.Attr
	in    []*tensor.Tensor // nil: absent
	konst []int            // operands that are constants
	outs  int
	// tol is the tolerance relative to the result's root mean square, besides 1e-6 of it; 0: bits are equal.
	tol float64
	// abs is an absolute tolerance: of functions that subtract.
	abs float64
}

// A generator makes samples of an operator.
type generator struct {
	ops  string // separated by spaces
	make func(r *rand.Rand, op string) sample
}

func dimsOf(r *rand.Rand, rank, most int) []int64 {
	d := make([]int64, rank)
	for i := range d {
		d[i] = int64(1 + r.IntN(most))
	}
	if rank > 0 && r.IntN(12) == 0 {
		d[r.IntN(rank)] = 0
	}
	return d
}

// filled makes a tensor of a type; floats are normal, some special.
func filled(r *rand.Rand, d tensor.DType, special bool, dims ...int64) *tensor.Tensor {
	t, err := tensor.New(d, dims...)
	if err != nil {
		panic(err)
	}
	for i := range t.Len() {
		switch {
		case !tensor.IsFloat(d):
			n := r.Int64N(21) - 10
			switch d {
			case tensor.Bool:
				n &= 1
			case tensor.Uint8, tensor.Uint16, tensor.Uint32, tensor.Uint64:
				n += 10
			}
			t.SetInt(i, n)
		case special && r.IntN(9) == 0:
			t.SetFloat(i, []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0, 1e-40, -3e-39, 88.8, -104, 3e38}[r.IntN(10)])
		default:
			t.SetFloat(i, r.NormFloat64()*3)
		}
	}
	return t
}

// remote multiplies elements, in some of the samples, so that sums or squares of them are outside of f32; it gives
// the factor.
func remote(r *rand.Rand, t *tensor.Tensor, most float64) float64 {
	by := pick(r, 1, 1, 1, 1, most, 1/most)
	for i := range t.Len() {
		t.SetFloat(i, t.Float(i)*by)
	}
	return by
}

var numberTypes = []tensor.DType{tensor.Float32, tensor.Float32, tensor.Float32, tensor.Float64, tensor.Int64, tensor.Int32, tensor.Int16,
	tensor.Int8, tensor.Uint64, tensor.Uint32, tensor.Uint16, tensor.Uint8}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// stretchable gives two shapes that can be broadcast.
func stretchable(r *rand.Rand) (a, b []int64) {
	rank := r.IntN(5)
	most := 7
	if r.IntN(4) == 0 {
		rank, most = 1+r.IntN(2), 300
	}
	a = dimsOf(r, rank, most)
	b = append([]int64{}, a...)
	for i := range a {
		switch r.IntN(6) {
		case 0:
			a[i] = 1
		case 1:
			b[i] = 1
		}
	}
	if r.IntN(3) == 0 && rank > 0 {
		b = b[r.IntN(rank):]
	}
	if r.IntN(2) == 0 {
		return b, a
	}
	return a, b
}

func intsTensor(list ...int64) *tensor.Tensor { return tensor.Of(list, int64(len(list))) }

// foldedTypes are the types of operands, beside f32, that entries reduce.
var foldedTypes = func() map[string][]tensor.DType {
	numbers := []tensor.DType{tensor.Float64, tensor.Int64, tensor.Int32, tensor.Uint64, tensor.Uint32}
	extremes := append([]tensor.DType{tensor.Uint8, tensor.Int8, tensor.Bool}, numbers...)
	float := []tensor.DType{tensor.Float64}
	return map[string][]tensor.DType{"ReduceSum": numbers, "ReduceProd": append([]tensor.DType{tensor.Float32}, numbers...),
		"ReduceSumSquare": numbers, "ReduceL1": numbers, "ReduceMax": extremes, "ReduceMin": extremes,
		"ReduceMean": float, "ReduceL2": float, "ReduceLogSum": float, "ReduceLogSumExp": float}
}()

// positive makes the elements of floats at least 0.5.
func positive(t *tensor.Tensor) *tensor.Tensor {
	for i := range t.Len() {
		t.SetFloat(i, math.Abs(t.Float(i))+0.5)
	}
	return t
}

var generators = []generator{
	{"Add Sub Mul Div Max Min Mod Equal Less LessOrEqual Greater GreaterOrEqual", func(r *rand.Rand, op string) sample {
		d := pick(r, numberTypes...)
		a, b := stretchable(r)
		return sample{op: op, in: []*tensor.Tensor{filled(r, d, op != "Mod", a...), filled(r, d, op != "Mod", b...)}}
	}},
	{"BitwiseAnd BitwiseOr BitwiseXor", func(r *rand.Rand, op string) sample {
		d := pick(r, numberTypes[4:]...)
		a, b := stretchable(r)
		return sample{op: op, in: []*tensor.Tensor{filled(r, d, false, a...), filled(r, d, false, b...)}}
	}},
	{"And Or Xor", func(r *rand.Rand, op string) sample {
		a, b := stretchable(r)
		return sample{op: op, in: []*tensor.Tensor{filled(r, tensor.Bool, false, a...), filled(r, tensor.Bool, false, b...)}}
	}},
	{"Pow", func(r *rand.Rand, op string) sample {
		a, b := stretchable(r)
		d := pick(r, tensor.Float32, tensor.Float64)
		return sample{op: op, in: []*tensor.Tensor{filled(r, d, true, a...), filled(r, d, true, b...)}}
	}},
	{"PRelu", func(r *rand.Rand, op string) sample {
		d := dimsOf(r, 1+r.IntN(3), 9)
		s := append([]int64{}, d[r.IntN(len(d)):]...)
		s[0] = 1
		return sample{op: op, in: []*tensor.Tensor{filled(r, tensor.Float32, true, d...), filled(r, tensor.Float32, false, s...)}}
	}},
	{"Exp Tanh Erf Sigmoid Softplus Softsign Mish Gelu HardSwish HardSigmoid Swish LeakyRelu Log Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Reciprocal Sqrt", func(r *rand.Rand, op string) sample {
		d := tensor.Float32
		if r.IntN(2) == 0 && !slices.Contains([]string{"Gelu", "HardSwish", "HardSigmoid", "Swish", "LeakyRelu"}, op) {
			d = tensor.Float64
		}
		s := sample{op: op, in: []*tensor.Tensor{filled(r, d, true, dimsOf(r, r.IntN(4), 20)...)}, tol: 2e-6}
		if op == "Gelu" { // x/2·(1 + erf) loses digits far below zero
			s.abs = 1e-6
		}
		switch {
		case op == "Gelu" && r.IntN(2) == 0:
			s.attrs = []*isa.Attr{isa.StringAttrOf("approximate", "tanh")}
		case op == "HardSigmoid":
			s.attrs = []*isa.Attr{isa.FloatAttrOf("alpha", 0.25), isa.FloatAttrOf("beta", 0.4)}
		case op == "LeakyRelu" && r.IntN(2) == 0:
			s.attrs = []*isa.Attr{isa.FloatAttrOf("alpha", 0.125)}
		}
		return s
	}},
	{"GridSample", func(r *rand.Rand, op string) sample {
		x, g := dimsOf(r, 4, 9), dimsOf(r, 4, 9)
		x[2], x[3], g[0], g[3] = max(x[2], 1), max(x[3], 1), x[0], 2
		grid := filled(r, tensor.Float32, r.IntN(3) == 0, g...)
		for i := range grid.Len() {
			grid.SetFloat(i, grid.Float(i)/3)
		}
		return sample{op: op, in: []*tensor.Tensor{filled(r, tensor.Float32, false, x...), grid}, tol: 2e-6,
			attrs: []*isa.Attr{isa.IntAttrOf("align_corners", int64(r.IntN(2))),
				isa.StringAttrOf("mode", pick(r, "linear", "nearest")), isa.StringAttrOf("padding_mode", pick(r, "zeros", "border", "reflection"))}}
	}},
	{"Elu Celu Selu", func(r *rand.Rand, op string) sample { // exp(x) - 1 loses digits near zero
		s := sample{op: op, in: []*tensor.Tensor{filled(r, tensor.Float32, true, dimsOf(r, r.IntN(4), 20)...)}, tol: 2e-6, abs: 5e-7}
		if r.IntN(2) == 0 {
			s.attrs = []*isa.Attr{isa.FloatAttrOf("alpha", pick(r, 0.25, 3))}
		}
		return s
	}},
	{"Relu Abs Neg Sign", func(r *rand.Rand, op string) sample {
		d := pick(r, tensor.Float32, tensor.Float64, tensor.Int64, tensor.Int32, tensor.Int8)
		return sample{op: op, in: []*tensor.Tensor{filled(r, d, true, dimsOf(r, r.IntN(4), 30)...)}}
	}},
	{"Floor Ceil Round IsNaN", func(r *rand.Rand, op string) sample {
		return sample{op: op, in: []*tensor.Tensor{filled(r, pick(r, tensor.Float32, tensor.Float64), true, dimsOf(r, r.IntN(4), 30)...)}}
	}},
	{"Not", func(r *rand.Rand, op string) sample {
		return sample{op: op, in: []*tensor.Tensor{filled(r, tensor.Bool, true, dimsOf(r, r.IntN(4), 30)...)}}
	}},
	{"BitwiseNot", func(r *rand.Rand, op string) sample {
		return sample{op: op, in: []*tensor.Tensor{filled(r, pick(r, numberTypes[4:]...), true, dimsOf(r, r.IntN(4), 30)...)}}
	}},
	{"Clip", func(r *rand.Rand, op string) sample {
		s := sample{op: op, in: []*tensor.Tensor{filled(r, tensor.Float32, true, dimsOf(r, r.IntN(4), 30)...),
			tensor.Scalar(float32(r.NormFloat64())), tensor.Scalar(float32(r.NormFloat64()))}}
		if r.IntN(3) == 0 {
			s.in[1+r.IntN(2)] = nil
		}
		return s
	}},
	{"Where", func(r *rand.Rand, op string) sample {
		a, b := stretchable(r)
		d := pick(r, append(numberTypes, tensor.Bool)...)
		m := append([]int64{}, a...)
		if len(m) > 0 {
			m[r.IntN(len(m))] = 1
		}
		return sample{op: op, in: []*tensor.Tensor{filled(r, tensor.Bool, false, m...), filled(r, d, true, a...), filled(r, d, true, b...)}}
	}},
	{"Cast", func(r *rand.Rand, op string) sample {
		list := []tensor.DType{tensor.Float32, tensor.Float64, tensor.Int64, tensor.Int32, tensor.Uint8, tensor.Int8, tensor.Bool}
		x := filled(r, pick(r, list...), true, dimsOf(r, r.IntN(4), 30)...)
		return sample{op: op, in: []*tensor.Tensor{x}, attrs: []*isa.Attr{isa.IntAttrOf("to", int64(pick(r, list...)))}}
	}},
	{"Transpose", func(r *rand.Rand, op string) sample {
		rank := r.IntN(6)
		most := 9
		if rank == 2 {
			most = 200
		}
		perm := make([]int64, rank)
		for i, p := range r.Perm(rank) {
			perm[i] = int64(p)
		}
		s := sample{op: op, in: []*tensor.Tensor{filled(r, pick(r, append(numberTypes, tensor.Bool, tensor.Complex128)...), false,
			dimsOf(r, rank, most)...)}}
		if r.IntN(4) > 0 {
			s.attrs = []*isa.Attr{isa.IntsAttrOf("perm", perm...)}
		}
		return s
	}},
	{"Expand", func(r *rand.Rand, op string) sample {
		a, b := stretchable(r)
		return sample{op: op, in: []*tensor.Tensor{filled(r, pick(r, numberTypes...), false, a...), intsTensor(b...)}}
	}},
	{"Slice", func(r *rand.Rand, op string) sample {
		d := dimsOf(r, 1+r.IntN(4), 9)
		n := 1 + r.IntN(len(d))
		var starts, ends, axes, by []int64
		for _, a := range r.Perm(len(d))[:n] {
			starts, ends = append(starts, r.Int64N(24)-12), append(ends, r.Int64N(24)-12)
			axes, by = append(axes, int64(a)-int64(r.IntN(2)*len(d))), append(by, pick[int64](r, 1, 1, 2, 3, -1, -2))
		}
		return sample{op: op, in: []*tensor.Tensor{filled(r, pick(r, append(numberTypes, tensor.Complex64)...), false, d...),
			intsTensor(starts...), intsTensor(ends...), intsTensor(axes...), intsTensor(by...)}}
	}},
	{"Concat", func(r *rand.Rand, op string) sample {
		d := dimsOf(r, 1+r.IntN(4), 9)
		axis := r.IntN(len(d))
		dt := pick(r, numberTypes...)
		s := sample{op: op, attrs: []*isa.Attr{isa.IntAttrOf("axis", int64(axis))}}
		for range 1 + r.IntN(4) {
			e := append([]int64{}, d...)
			e[axis] = r.Int64N(9)
			s.in = append(s.in, filled(r, dt, false, e...))
		}
		return s
	}},
	{"Split", func(r *rand.Rand, op string) sample {
		d := dimsOf(r, 1+r.IntN(4), 9)
		axis, n := r.IntN(len(d)), int64(1+r.IntN(4))
		s := sample{op: op, outs: int(n), attrs: []*isa.Attr{isa.IntAttrOf("axis", int64(axis))}}
		if r.IntN(2) == 0 {
			s.in = []*tensor.Tensor{filled(r, pick(r, numberTypes...), false, d...)}
			s.attrs = append(s.attrs, isa.IntAttrOf("num_outputs", n))
			return s
		}
		sizes := make([]int64, n)
		d[axis] = 0
		for i := range sizes {
			sizes[i] = r.Int64N(6)
			d[axis] += sizes[i]
		}
		s.in = []*tensor.Tensor{filled(r, pick(r, numberTypes...), false, d...), intsTensor(sizes...)}
		return s
	}},
	{"Gather", func(r *rand.Rand, op string) sample {
		d := dimsOf(r, 1+r.IntN(3), 9)
		axis := r.IntN(len(d))
		idx := filled(r, pick(r, tensor.Int64, tensor.Int32), false, dimsOf(r, r.IntN(3), 5)...)
		for i := range idx.Len() {
			idx.SetInt(i, r.Int64N(2*max(d[axis], 1))-max(d[axis], 1))
		}
		if d[axis] == 0 {
			d[axis] = 1
			for i := range idx.Len() {
				idx.SetInt(i, 0)
			}
		}
		return sample{op: op, attrs: []*isa.Attr{isa.IntAttrOf("axis", int64(axis))},
			in: []*tensor.Tensor{filled(r, pick(r, numberTypes...), false, d...), idx}}
	}},
	{"Pad", func(r *rand.Rand, op string) sample {
		d := dimsOf(r, 1+r.IntN(4), 7)
		mode := pick(r, "constant", "edge", "reflect", "wrap")
		pads := make([]int64, 2*len(d))
		for i, n := range d {
			if n == 0 {
				d[i] = 1
			}
			pads[i], pads[len(d)+i] = r.Int64N(7)-2, r.Int64N(7)-2
			if d[i]+pads[i]+pads[len(d)+i] < 0 {
				pads[i], pads[len(d)+i] = 0, 0
			}
		}
		dt := pick(r, numberTypes...)
		s := sample{op: op, attrs: []*isa.Attr{isa.StringAttrOf("mode", mode)},
			in: []*tensor.Tensor{filled(r, dt, false, d...), intsTensor(pads...)}}
		if mode == "constant" && r.IntN(2) == 0 {
			s.in = append(s.in, filled(r, dt, false))
		}
		return s
	}},
	{"Tile", func(r *rand.Rand, op string) sample {
		d := dimsOf(r, r.IntN(4), 5)
		by := make([]int64, len(d))
		for i := range by {
			by[i] = r.Int64N(4)
		}
		return sample{op: op, in: []*tensor.Tensor{filled(r, pick(r, numberTypes...), false, d...), intsTensor(by...)}}
	}},
	{"Trilu", func(r *rand.Rand, op string) sample {
		return sample{op: op, attrs: []*isa.Attr{isa.IntAttrOf("upper", int64(r.IntN(2)))},
			in: []*tensor.Tensor{filled(r, pick(r, numberTypes...), false, dimsOf(r, 2+r.IntN(2), 12)...), tensor.Scalar(r.Int64N(30) - 15)}}
	}},
	{"DepthToSpace SpaceToDepth", func(r *rand.Rand, op string) sample {
		b := int64(1 + r.IntN(3))
		d := dimsOf(r, 4, 4)
		s := sample{op: op, attrs: []*isa.Attr{isa.IntAttrOf("blocksize", b)}}
		if op == "DepthToSpace" {
			d[1] *= b * b
			s.attrs = append(s.attrs, isa.StringAttrOf("mode", pick(r, "DCR", "CRD")))
		} else {
			d[2], d[3] = d[2]*b, d[3]*b
		}
		s.in = []*tensor.Tensor{filled(r, pick(r, numberTypes...), false, d...)}
		return s
	}},
	{"ReduceSum ReduceMean ReduceMax ReduceMin ReduceSumSquare ReduceL1 ReduceL2 ReduceProd ReduceLogSum ReduceLogSumExp",
		func(r *rand.Rand, op string) sample {
			rank := r.IntN(5)
			most := 8
			if r.IntN(3) == 0 {
				rank, most = 2, 700
			}
			d := dimsOf(r, rank, most)
			for i := range d {
				d[i] = max(d[i], 1)
			}
			s := sample{op: op, attrs: []*isa.Attr{isa.IntAttrOf("keepdims", int64(r.IntN(2)))},
				in: []*tensor.Tensor{filled(r, tensor.Float32, strings.Contains("ReduceMax ReduceMin", op), d...)}, tol: 2e-6}
			if r.IntN(2) == 0 {
				if of := foldedTypes[op]; of != nil {
					s.in[0] = filled(r, pick(r, of...), true, d...)
					s.abs = 1e-300 // joined in the order of the reference
				}
			}
			switch op { // sums of terms that cancel
			case "ReduceSum":
				s.abs = 1e-7 * float64(s.in[0].Len())
			case "ReduceMean":
				s.abs = 1e-6 * remote(r, s.in[0], 2e37)
			case "ReduceL2":
				remote(r, s.in[0], 1e30)
			case "ReduceLogSum":
				positive(s.in[0])
			case "ReduceLogSumExp":
				if s.in[0].DType() == tensor.Float32 {
					if r.IntN(2) == 0 {
						s.in[0] = filled(r, tensor.Float32, true, d...)
					}
					s.abs = 1e-6 // the logarithm and the largest element may cancel
				}
			}
			if rank > 0 && r.IntN(5) > 0 {
				var axes []int64
				for _, a := range r.Perm(rank)[:r.IntN(rank)+1] {
					axes = append(axes, int64(a-r.IntN(2)*rank))
				}
				s.in = append(s.in, intsTensor(axes...))
			} else if r.IntN(2) == 0 {
				s.attrs = append(s.attrs, isa.IntAttrOf("noop_with_empty_axes", 1))
			}
			return s
		}},
	{"GlobalAveragePool GlobalMaxPool", func(r *rand.Rand, op string) sample {
		d := dimsOf(r, 3+r.IntN(2), 9)
		for i := range d {
			d[i] = max(d[i], 1)
		}
		return sample{op: op, in: []*tensor.Tensor{filled(r, tensor.Float32, false, d...)}, tol: 2e-6, abs: 1e-6}
	}},
	{"MaxPool AveragePool", func(r *rand.Rand, op string) sample {
		n := 1 + r.IntN(3)
		most := int64([]int{40, 40, 9}[n-1])
		d := dimsOf(r, 2, 4)
		var kernel, strides, dilations, before, after []int64
		for range n {
			k, dil := int64(1+r.IntN(4)), int64(1+r.IntN(2))
			b, a := min(r.Int64N(3), k-1), min(r.Int64N(3), k-1)
			kernel, strides, dilations = append(kernel, k), append(strides, int64(1+r.IntN(3))), append(dilations, dil)
			before, after = append(before, b), append(after, a)
			d = append(d, max((k-1)*dil+1-a-b, 1)+r.Int64N(most))
		}
		s := sample{op: op, in: []*tensor.Tensor{filled(r, tensor.Float32, op == "MaxPool", d...)}, tol: 2e-6}
		s.attrs = []*isa.Attr{isa.IntAttrOf("ceil_mode", int64(r.IntN(2))), isa.IntsAttrOf("dilations", dilations...),
			isa.IntsAttrOf("kernel_shape", kernel...)}
		if r.IntN(3) == 0 {
			s.attrs = append(s.attrs, isa.StringAttrOf("auto_pad", pick(r, "SAME_UPPER", "SAME_LOWER")))
		} else {
			s.attrs = append(s.attrs, isa.IntsAttrOf("pads", append(before, after...)...))
		}
		s.attrs = append(s.attrs, isa.IntsAttrOf("strides", strides...))
		if op == "AveragePool" {
			s.attrs = append(s.attrs, isa.IntAttrOf("count_include_pad", int64(r.IntN(2))))
		}
		return s
	}},
	{"Conv", func(r *rand.Rand, op string) sample {
		n, groups, ch, outs := pick(r, 1, 2, 2, 3), pick[int64](r, 1, 1, 2, 5), int64(1+r.IntN(5)), int64(1+r.IntN(9))
		most := int64([]int{40, 40, 9}[n-1])
		square := n < 3 && r.IntN(4) == 0 // and depthwise, as most are
		if square || r.IntN(3) == 0 {
			groups, ch, outs = int64(1+r.IntN(9)), 1, int64(1+r.IntN(2))
		}
		d, w := []int64{int64(r.IntN(3)), ch * groups}, []int64{outs * groups, ch}
		var strides, dilations, before, after []int64
		same, step := pick[int64](r, 3, 5), 1+r.Int64N(2)
		for range n {
			k, dil, stride := int64(1+r.IntN(4)), int64(1+r.IntN(2)), int64(1+r.IntN(3))
			if square {
				k, dil, stride = same, 1, step
			}
			b, a := r.Int64N(4), r.Int64N(4)
			w, strides, dilations, before, after = append(w, k), append(strides, stride), append(dilations, dil), append(before, b), append(after, a)
			d = append(d, max((k-1)*dil+1-a-b, 1)+r.Int64N(most))
		}
		return sample{op: op, tol: 2e-5, konst: []int{1}, in: []*tensor.Tensor{filled(r, tensor.Float32, false, d...),
			filled(r, tensor.Float32, false, w...), filled(r, tensor.Float32, false, w[0])},
			attrs: []*isa.Attr{isa.IntsAttrOf("dilations", dilations...), isa.IntAttrOf("group", groups),
				isa.IntsAttrOf("pads", append(before, after...)...), isa.IntsAttrOf("strides", strides...)}}
	}},
	{"ConvTranspose", func(r *rand.Rand, op string) sample {
		n, groups, ch, outs := 1+r.IntN(3), pick[int64](r, 1, 1, 2), int64(1+r.IntN(5)), int64(1+r.IntN(9))
		most := int64([]int{40, 40, 9}[n-1])
		d, w := []int64{int64(r.IntN(3)), ch * groups}, []int64{ch * groups, outs}
		var strides, dilations, before, after, more []int64
		apart := r.IntN(3) == 0 // each place of the result has one tap
		for range n {
			k, dil, s := int64(1+r.IntN(4)), int64(1+r.IntN(2)), int64(1+r.IntN(3))
			if apart {
				w, strides, dilations, before, after, more = append(w, 2), append(strides, 2), append(dilations, 1), append(before, 0),
					append(after, 0), append(more, 0)
				d = append(d, 1+r.Int64N(most))
				continue
			}
			w, strides, dilations = append(w, k), append(strides, s), append(dilations, dil)
			b, a := r.Int64N(2), r.Int64N(2)
			before, after, more = append(before, b), append(after, a), append(more, r.Int64N(max(s, dil)))
			d = append(d, 2+r.Int64N(most))
		}
		s := sample{op: op, tol: 2e-5, konst: []int{1}, in: []*tensor.Tensor{filled(r, tensor.Float32, false, d...),
			filled(r, tensor.Float32, false, w...)},
			attrs: []*isa.Attr{isa.IntsAttrOf("dilations", dilations...), isa.IntAttrOf("group", groups),
				isa.IntsAttrOf("output_padding", more...), isa.IntsAttrOf("pads", append(before, after...)...), isa.IntsAttrOf("strides", strides...)}}
		if r.IntN(2) == 0 {
			s.in = append(s.in, filled(r, tensor.Float32, false, outs*groups))
		}
		return s
	}},
	{"LSTM GRU RNN", func(r *rand.Rand, op string) sample {
		gates := map[string]int64{"LSTM": 4, "GRU": 3, "RNN": 1}[op]
		t, b, i, h, dirs := int64(1+r.IntN(5)), int64(1+r.IntN(9)), int64(1+r.IntN(20)), int64(1+r.IntN(50)), int64(1)
		if r.IntN(8) == 0 {
			t, b = 200, 4
		}
		direction := pick(r, "forward", "reverse", "bidirectional")
		if direction == "bidirectional" {
			dirs = 2
		}
		scaled := func(dims ...int64) *tensor.Tensor {
			x := filled(r, tensor.Float32, false, dims...)
			for k := range x.Len() {
				x.SetFloat(k, x.Float(k)/24)
			}
			return x
		}
		s := sample{op: op, tol: 1e-5, abs: 1e-6, konst: []int{1, 2, 3}, outs: 2,
			attrs: []*isa.Attr{isa.StringAttrOf("direction", direction), isa.IntAttrOf("hidden_size", h)},
			in:    []*tensor.Tensor{scaled(t, b, i), scaled(dirs, gates*h, i), scaled(dirs, gates*h, h), nil, nil, nil}}
		if r.IntN(3) > 0 {
			s.in[3] = scaled(dirs, 2*gates*h)
		}
		if r.IntN(2) == 0 {
			s.in[5] = scaled(dirs, b, h)
		}
		if op == "LSTM" {
			s.outs = 3
			if r.IntN(2) == 0 {
				s.in = append(s.in, scaled(dirs, b, h))
			}
		}
		if op == "GRU" {
			s.attrs = append(s.attrs, isa.IntAttrOf("linear_before_reset", 1))
		}
		return s
	}},
	{"Softmax LogSoftmax", func(r *rand.Rand, op string) sample {
		d := dimsOf(r, 1+r.IntN(3), 40)
		return sample{op: op, tol: 2e-6, in: []*tensor.Tensor{filled(r, tensor.Float32, false, d...)},
			attrs: []*isa.Attr{isa.IntAttrOf("axis", int64(r.IntN(2*len(d))-len(d)))}}
	}},
	{"BatchNormalization", func(r *rand.Rand, op string) sample {
		d := dimsOf(r, 2+r.IntN(3), 9)
		v := func() *tensor.Tensor { return filled(r, tensor.Float32, false, d[1]) }
		return sample{op: op, tol: 1e-5, in: []*tensor.Tensor{filled(r, tensor.Float32, false, d...), v(), v(), v(), positive(v())}}
	}},
	{"InstanceNormalization GroupNormalization", func(r *rand.Rand, op string) sample {
		d := dimsOf(r, 3+r.IntN(2), 9)
		s := sample{op: op, tol: 2e-5, attrs: []*isa.Attr{isa.FloatAttrOf("epsilon", pick(r, 1e-5, 0))}}
		d[1], d[2] = max(d[1], 1), max(d[2], 3)
		if op == "GroupNormalization" {
			g := int64(1 + r.IntN(3))
			d[1] *= g
			s.attrs = []*isa.Attr{isa.IntAttrOf("num_groups", g)}
		}
		s.in = []*tensor.Tensor{filled(r, tensor.Float32, false, d...), filled(r, tensor.Float32, false, d[1]),
			filled(r, tensor.Float32, false, d[1])}
		remote(r, s.in[0], 1e30)
		return s
	}},
	{"LayerNormalization RMSNormalization", func(r *rand.Rand, op string) sample {
		d := dimsOf(r, 1+r.IntN(3), 9)
		d[len(d)-1] = int64(3 + r.IntN(300))
		axis := r.IntN(len(d))
		s := sample{op: op, tol: 2e-5, attrs: []*isa.Attr{isa.IntAttrOf("axis", int64(axis-len(d))),
			isa.FloatAttrOf("epsilon", pick(r, 1e-5, 0))},
			in: []*tensor.Tensor{filled(r, tensor.Float32, false, d...), filled(r, tensor.Float32, false, d[axis:]...)}}
		remote(r, s.in[0], 1e30)
		if op == "LayerNormalization" && r.IntN(2) == 0 {
			s.in = append(s.in, filled(r, tensor.Float32, false, d[axis:]...))
		}
		return s
	}},
}

// toEval gives a tensor as the evaluator has it.
func toEval(t *tensor.Tensor) eval.Value {
	x := &eval.Tensor{DType: t.DType(), Dims: t.Dims()}
	for i := range t.Len() {
		switch {
		case tensor.IsComplex(t.DType()):
			x.C = append(x.C, complex(t.Float(i), t.Imag(i)))
		case tensor.IsFloat(t.DType()):
			x.F = append(x.F, t.Float(i))
		default:
			x.I = append(x.I, t.Int(i))
		}
	}
	if t.Len() == 0 {
		x.F, x.I = []float64{}, nil
		if !tensor.IsFloat(t.DType()) {
			x.F, x.I = nil, []int64{}
		}
		if tensor.IsComplex(t.DType()) {
			x.I, x.C = nil, []complex128{}
		}
	}
	return x
}

// reference evaluates a sample.
func (s *sample) reference(t *testing.T) []*eval.Tensor {
	g := &onnx.Graph{}
	n := &onnx.Node{Op: s.op}
	values := map[string]eval.Value{}
	for i, x := range s.in {
		name := ""
		if x != nil {
			name = fmt.Sprintf("i%d", i)
			values[name] = toEval(x)
			g.Inputs = append(g.Inputs, &onnx.ValueInfo{Name: name})
		}
		n.Inputs = append(n.Inputs, name)
	}
	for i := range max(s.outs, 1) {
		n.Outputs = append(n.Outputs, fmt.Sprintf("o%d", i))
		g.Outputs = append(g.Outputs, &onnx.ValueInfo{Name: n.Outputs[i]})
	}
	for _, a := range s.attrs {
		n.Attrs = append(n.Attrs, a.ONNX())
	}
	g.Nodes = []*onnx.Node{n}
	list, err := eval.Model(&onnx.Model{Graph: g}, values, eval.Config{})
	if err != nil {
		t.Fatalf("%s: the reference: %v", s, err)
	}
	var out []*eval.Tensor
	for _, v := range list {
		out = append(out, v.(*eval.Tensor))
	}
	return out
}

func (s *sample) String() string {
	text := s.op
	for _, x := range s.in {
		if x == nil {
			text += " ~"
		} else {
			text += " " + x.Type()
		}
	}
	for _, a := range s.attrs {
		text += " " + a.Name
	}
	return text
}

// runSample runs an entry on a signature, in memory of which all bits are set and that lies against fences: behind it with
// one worker, before it with more; nil: no entry matches.
func runSample(t *testing.T, list []*Entry, tier Tier, s *sample, want []*eval.Tensor, workers, inPlace int) (*Entry, []*tensor.Tensor) {
	op := isa.Lookup("", s.op)
	sig := &Sig{Inst: &isa.Instruction{Op: uint32(op), Attr: s.attrs}}
	call := &Call{Sig: sig}
	var entries []*Entry
	values := map[int]bool{}
	for _, e := range list {
		if e.Op == op {
			entries = append(entries, e)
			for _, v := range e.Values {
				values[v] = true
			}
		}
	}
	for i, x := range s.in {
		if x == nil {
			sig.In, call.In = append(sig.In, Operand{Absent: true}), append(call.In, nil)
			continue
		}
		o := Operand{DType: x.DType(), Dims: x.Dims()}
		for _, k := range s.konst {
			if k == i {
				o.Const = x.Bytes()
			}
		}
		if values[i] {
			o.Elems = x.Bytes()
		}
		sig.In, call.In = append(sig.In, o), append(call.In, x.Bytes())
	}
	for range max(s.outs, 1) {
		sig.Inst.Out = append(sig.Inst.Out, &isa.Result{})
	}
	shapes, err := entries[0].Shape(sig)
	if err != nil {
		return nil, nil
	}
	for i := range max(s.outs, 1) {
		sig.Out = append(sig.Out, Operand{DType: want[i].DType, Dims: shapes[i]})
	}
	e := Choose(entries, sig)
	if e == nil {
		return nil, nil
	}
	memory := fence.New(t, fence.Side(workers > 1)) // callers take one, and more
	defer memory.Free()
	for i, b := range call.In {
		if b != nil {
			call.In[i] = memory.Bytes(len(b))
			copy(call.In[i], b)
		}
	}
	for _, p := range e.Packs {
		var b []byte
		if p.Operand < len(sig.In) && sig.In[p.Operand].Const != nil {
			b = memory.Bytes(int(p.Size(sig)))
			for part := range p.Count(sig) {
				p.Write(sig, sig.In[p.Operand].Const, b, part)
			}
			if p.Read != nil && len(b) > 0 {
				back := make([]byte, len(sig.In[p.Operand].Const))
				if p.Read(sig, b, back); !bytes.Equal(back, sig.In[p.Operand].Const) {
					t.Fatalf("%s: the form has other elements", e.Name)
				}
				call.In[p.Operand] = nil // the form is all that there is
			}
		}
		call.Packed = append(call.Packed, b)
	}
	if e.Prepare != nil {
		call.State = e.Prepare(sig)
	}
	for range workers {
		n := int64(0)
		if e.Scratch != nil {
			n = e.Scratch(sig)
		}
		call.Scratch = append(call.Scratch, memory.Bytes(int(n)))
	}
	if e.Shared != nil {
		call.Shared = memory.Bytes(int(e.Shared(sig)))
	}
	var outs []*tensor.Tensor
	for i := range sig.Out {
		o := &sig.Out[i]
		b := memory.Bytes(int(o.Len()) * o.DType.Bits() / 8)
		if i == 0 && inPlace >= 0 {
			copy(b, call.In[inPlace])
			call.In[inPlace] = b
		}
		call.Out = append(call.Out, b)
	}
	if e.Check != nil {
		if err := e.Check(call); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	g := e.Split(sig)
	for i := range g.Tiles * max(g.Phases, 1) {
		e.Run(call, i%workers, i)
	}
	if !memory.Whole() {
		t.Fatalf("%s on %s: %s writes outside", s, tier, e.Name)
	}
	for i := range sig.Out {
		x, err := tensor.Wrap(sig.Out[i].DType, sig.Out[i].Dims, slices.Clone(call.Out[i]))
		if err != nil {
			t.Fatal(err)
		}
		outs = append(outs, x)
	}
	return e, outs
}

func TestEntriesAgreeWithTheReference(t *testing.T) {
	met := map[string]bool{}
	lists := map[Tier][]*Entry{}
	for _, tier := range tiers() {
		lists[tier] = Entries(tier)
	}
	for _, g := range slices.Concat(generators, integerGenerators) {
		for _, op := range strings.Fields(g.ops) {
			r := rand.New(rand.NewPCG(uint64(len(op)), 7))
			missed := 0
			rounds := 30
			if op == "Conv" || strings.HasPrefix(op, "Reduce") { // for which there are the most entries
				rounds = 80
			}
			for n := range rounds {
				s := g.make(r, op)
				want := s.reference(t)
				for _, tier := range tiers() {
					e, outs := runSample(t, lists[tier], tier, &s, want, 1, -1)
					if e == nil {
						missed++
						if testing.Verbose() && tier == Portable && missed < 3 {
							t.Logf("no entry for %s", &s) // empty results are the reference's
						}
						continue
					}
					met[e.Name] = true
					_, again := runSample(t, lists[tier], tier, &s, want, 3, -1)
					for i := range outs {
						if why := differ(outs[i], want[i], s.tol, s.abs); why != "" {
							t.Fatalf("%d: %s on %s, by %s: result %d: %s", n, &s, tier, e.Name, i, why)
						}
						if string(outs[i].Bytes()) != string(again[i].Bytes()) {
							t.Fatalf("%d: %s on %s: three workers give other bits", n, &s, tier)
						}
					}
					for _, at := range isa.InPlaceOf("", op) {
						if e.InPlace == nil || at >= len(s.in) || s.in[at] == nil || s.in[at].Type() != outs[0].Type() {
							continue
						}
						if _, over := runSample(t, lists[tier], tier, &s, want, 2, at); string(over[0].Bytes()) != string(outs[0].Bytes()) {
							t.Fatalf("%d: %s on %s: in the place of operand %d it gives other bits", n, &s, tier, at)
						}
					}
				}
			}
			if missed > rounds*len(tiers())/2 {
				t.Errorf("%s: %d of %d calls have no entry", op, missed, rounds*len(tiers()))
			}
		}
	}
	for _, tier := range tiers() {
		for _, e := range Entries(tier) {
			if e.Op.Info().Domain == "" && !met[e.Name] && !strings.HasPrefix(e.Name, "Gemm") && !strings.HasPrefix(e.Name, "MatMul") {
				t.Errorf("%s on %s is met by no call", e.Name, tier)
			}
		}
	}
}

// differ says how a result is not the reference's.
func differ(got *tensor.Tensor, want *eval.Tensor, tol, abs float64) string {
	if fmt.Sprint(got.Dims()) != fmt.Sprint(want.Dims) {
		return fmt.Sprintf("it has the sizes %v, not %v", got.Dims(), want.Dims)
	}
	rms, n := 0.0, 0
	for _, v := range want.F {
		if v == v && math.Abs(v) < 1e30 {
			rms += v * v
			n++
		}
	}
	rms = math.Sqrt(rms / float64(max(n, 1)))
	for i := range got.Len() {
		switch {
		case want.C != nil:
			if complex(got.Float(i), got.Imag(i)) != want.C[i] {
				return fmt.Sprintf("element %d is another one", i)
			}
		case want.F == nil:
			if got.Int(i) != want.I[i] {
				return fmt.Sprintf("element %d is %d, not %d", i, got.Int(i), want.I[i])
			}
		default:
			g, w := got.Float(i), want.F[i]
			if g == w || g != g && w != w {
				continue
			}
			limit := tol*math.Abs(w) + tol*rms + abs
			if tol > 0 {
				limit += 1e-37
			}
			if !(math.Abs(g-w) <= limit) {
				return fmt.Sprintf("element %d is %v, not %v", i, g, w)
			}
		}
	}
	return ""
}
