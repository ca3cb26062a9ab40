package differential

// This file makes nodes that move elements: views, parts, joins, indices, and those whose
// sizes are computed from the sizes of others.

import (
	"shapecheck/onnx"
	"shapecheck/onnx/eval"
)

var moveMakers = []maker{
	{8, reshape}, {6, transpose}, {6, axesViews}, {8, slice}, {6, concat}, {5, split}, {4, pad}, {3, tile}, {3, expand}, {5, gather},
	{3, gatherElements}, {3, gatherND},
	{3, scatter}, {2, triangle}, {2, dataSized}, {2, oneHot}, {1, reversed},
}

func reshape(b *builder) {
	x := b.pick(anyTensor)
	if x == nil {
		return
	}
	n, dims := int64(x.tensor().Len()), x.dims()
	var to []int64
	switch b.IntN(5) {
	case 0:
		b.add("Flatten", []*val{x}, onnx.IntAttr("axis", int64(b.IntN(len(dims)+1))))
		return
	case 1:
		to = []int64{-1}
	case 2: // 0 keeps an axis
		for i := range dims {
			if i < 2 {
				to = append(to, 0)
			}
		}
		to = append(to, -1)
	case 3: // one axis as two
		for i, d := range dims {
			if b.IntN(2) == 0 && d%2 == 0 {
				to = append(append(to, 2, d/2), dims[i+1:]...)
				break
			}
			to = append(to, d)
		}
	default:
		for k := int64(2); k <= 4; k++ {
			if n%k == 0 {
				to = []int64{k, -1, 1}
			}
		}
	}
	if len(to) > 0 {
		b.add("Reshape", []*val{x, b.ints(to...)})
	}
}

func transpose(b *builder) {
	x := b.pick(rankAtLeast(2, anyTensor))
	if x == nil {
		return
	}
	for range 1 + b.IntN(2) {
		var attrs []*onnx.Attr
		if b.IntN(4) > 0 {
			a := onnx.IntsAttr("perm")
			for _, i := range b.Perm(len(x.dims())) {
				a.Ints = append(a.Ints, int64(i))
			}
			attrs = append(attrs, a)
		}
		if x = b.add("Transpose", []*val{x}, attrs...); x == nil {
			return
		}
	}
}

func axesViews(b *builder) {
	x := b.pick(anyTensor)
	if x == nil {
		return
	}
	if b.IntN(2) == 0 {
		b.add("Unsqueeze", []*val{x, b.ints([][]int64{{0}, {-1}, {0, 2}, {1}}[b.IntN(4)]...)})
		return
	}
	for i, d := range x.dims() {
		if d == 1 && b.IntN(2) == 0 {
			b.add("Squeeze", []*val{x, b.ints(int64(i))})
			return
		}
	}
}

func slice(b *builder) {
	x := b.pick(rankAtLeast(1, anyTensor))
	if x == nil {
		return
	}
	for range 1 + b.IntN(2) {
		var starts, ends, axes, steps []int64
		for i, d := range x.dims() {
			if b.IntN(2) == 0 {
				continue
			}
			lo, hi, step := b.Int64N(d+1)-d*int64(b.IntN(2)), []int64{d, -1, 1 << 40, d + 1, max(1, d-1)}[b.IntN(5)], int64(1)
			switch b.IntN(6) {
			case 0:
				step = 2
			case 1:
				lo, hi, step = -1, -1<<40, -1
			}
			starts, ends, axes, steps = append(starts, lo), append(ends, hi), append(axes, int64(i)), append(steps, step)
		}
		if len(axes) == 0 {
			return
		}
		if x = b.add("Slice", []*val{x, b.ints(starts...), b.ints(ends...), b.ints(axes...), b.ints(steps...)}); x == nil {
			return
		}
	}
}

func concat(b *builder) {
	x := b.pick(rankAtLeast(1, anyTensor))
	if x == nil {
		return
	}
	axis := int(b.axis(x)+int64(len(x.dims()))) % len(x.dims())
	ins := []*val{x}
	for range b.IntN(4) {
		y := b.pick(func(v *val) bool {
			if v.dtype() != x.dtype() || len(v.dims()) != len(x.dims()) {
				return false
			}
			for i, d := range v.dims() {
				if i != axis && d != x.dims()[i] {
					return false
				}
			}
			return true
		})
		if y != nil {
			ins = append(ins, y)
		}
	}
	b.add("Concat", ins, onnx.IntAttr("axis", int64(axis-b.IntN(2)*len(x.dims()))))
}

func split(b *builder) {
	x := b.pick(rankAtLeast(1, anyTensor))
	if x == nil {
		return
	}
	axis := b.axis(x)
	d := x.dims()[(int(axis)+len(x.dims()))%len(x.dims())]
	var list []*val
	if k := b.Int64N(d + 1); b.IntN(2) == 0 {
		list = b.addN("Split", []*val{x, b.ints(k, d-k)}, 2, onnx.IntAttr("axis", axis))
	} else if d > 1 {
		list = b.addN("Split", []*val{x}, 2, onnx.IntAttr("axis", axis), onnx.IntAttr("num_outputs", 2))
	}
	if list != nil && b.IntN(3) == 0 {
		b.add("Concat", b.swapped(list[0], list[1]), onnx.IntAttr("axis", axis))
	}
}

func pad(b *builder) {
	x := b.pick(rankAtLeast(1, anyTensor))
	if x == nil {
		return
	}
	pads := make([]int64, 2*len(x.dims()))
	for i := range pads {
		pads[i] = int64(b.IntN(3))
		if b.IntN(8) == 0 {
			pads[i] = -1
		}
	}
	mode := []string{"constant", "constant", "reflect", "edge", "wrap"}[b.IntN(5)]
	ins := []*val{x, b.ints(pads...)}
	if mode == "constant" && b.IntN(2) == 0 {
		ins = append(ins, b.number(x.dtype(), float64(b.IntN(2))))
	}
	b.add("Pad", ins, onnx.StringAttr("mode", mode))
}

func tile(b *builder) {
	x := b.pick(rankAtLeast(1, anyTensor))
	if x == nil {
		return
	}
	var n []int64
	for range x.dims() {
		n = append(n, int64(1+b.IntN(2)))
	}
	b.add("Tile", []*val{x, b.ints(n...)})
}

func expand(b *builder) {
	x := b.pick(anyTensor)
	if x == nil {
		return
	}
	if y := b.pick(func(v *val) bool { return anyTensor(v) && broadcasts(v.dims(), x.dims()) }); y != nil && b.IntN(2) == 0 {
		if s := b.add("Shape", []*val{y}); s != nil {
			b.add("Expand", []*val{x, s})
		}
		return
	}
	var to []int64
	for _, d := range x.dims() {
		if d == 1 {
			d = int64(1 + b.IntN(3))
		}
		to = append(to, d)
	}
	b.add("Expand", []*val{x, b.ints(append([]int64{int64(1 + b.IntN(2))}, to...)...)})
}

// indices draws indices into an axis of that size.
func (b *builder) indices(size int64, dims ...int64) *val {
	t := drawn(b.Rand, onnx.Int64, dims, false)
	for i := range t.I {
		t.I[i] = b.Int64N(size) - size*int64(b.IntN(2))
	}
	return b.constant(t)
}

func gather(b *builder) {
	x := b.pick(filled(rankAtLeast(1, anyTensor)))
	if x == nil {
		return
	}
	axis := b.axis(x)
	d := x.dims()[(int(axis)+len(x.dims()))%len(x.dims())]
	idx := b.indices(d, [][]int64{{}, {1}, {3}, {2, 2}}[b.IntN(4)]...)
	if y := b.pick(func(v *val) bool { return v.dtype() == onnx.Int64 || v.dtype() == onnx.Int32 }); y != nil && b.IntN(2) == 0 {
		if y = b.add("Clip", []*val{y, b.number(y.dtype(), 0), b.number(y.dtype(), float64(d-1))}); y == nil {
			return
		}
		idx = y
	}
	b.add("Gather", []*val{x, idx}, onnx.IntAttr("axis", axis))
}

func gatherElements(b *builder) {
	x := b.pick(filled(rankAtLeast(1, anyTensor)))
	if x == nil {
		return
	}
	axis := b.axis(x)
	d := x.dims()[(int(axis)+len(x.dims()))%len(x.dims())]
	b.add("GatherElements", []*val{x, b.indices(d, x.dims()...)}, onnx.IntAttr("axis", axis))
}

func gatherND(b *builder) {
	x := b.pick(filled(rankAtLeast(2, anyTensor)))
	if x == nil {
		return
	}
	b.add("GatherND", []*val{x, b.indices(min(x.dims()[0], x.dims()[1]), 3, 2)})
}

func scatter(b *builder) {
	x := b.pick(filled(rankAtLeast(1, aNumber)))
	if x == nil {
		return
	}
	how := []string{"none", "add", "mul", "max", "min"}[b.IntN(5)]
	n := x.dims()[0]
	if b.IntN(2) == 0 {
		idx := eval.Ints([]int64{min(n, 2), 1}, 0, n-1)
		idx.I = idx.I[:min(n, 2)]
		b.add("ScatterND", []*val{x, b.constant(idx), b.drawnConst(x.dtype(), append([]int64{min(n, 2)}, x.dims()[1:]...)...)},
			onnx.StringAttr("reduction", how))
		return
	}
	dims := append([]int64{1}, x.dims()[1:]...) // along the first axis each place is met once
	b.add("ScatterElements", []*val{x, b.indices(n, dims...), b.drawnConst(x.dtype(), dims...)}, onnx.StringAttr("reduction", how))
}

func triangle(b *builder) {
	if x := b.pick(rankAtLeast(2, anyTensor)); x != nil {
		ins := []*val{x}
		if b.IntN(2) == 0 {
			ins = append(ins, b.scalar(int64(b.IntN(3)-1)))
		}
		b.add("Trilu", ins, onnx.IntAttr("upper", int64(b.IntN(2))))
	}
}

// dataSized makes results whose sizes the elements decide.
func dataSized(b *builder) {
	x := b.pick(rankAtLeast(1, anyTensor))
	if x == nil {
		return
	}
	switch b.IntN(3) {
	case 0:
		b.add("NonZero", []*val{x})
	case 1:
		c := b.pick(rankIs(1, aBool))
		if c == nil {
			c = b.drawnConst(onnx.Bool, x.dims()[0])
		}
		b.add("Compress", []*val{x, c}, onnx.IntAttr("axis", 0))
	default:
		if aNumber(x) {
			b.addN("Unique", []*val{x}, 1+b.IntN(4), onnx.IntAttr("sorted", 1))
		}
	}
}

func oneHot(b *builder) {
	x := b.pick(rankAtLeast(1, func(v *val) bool { return v.dtype() == onnx.Int64 || v.dtype() == onnx.Int32 }))
	if x != nil {
		b.add("OneHot", []*val{x, b.scalar(4), b.constant(drawn(b.Rand, onnx.Float, []int64{2}, false))},
			onnx.IntAttr("axis", int64(b.IntN(2)-1)))
	}
}

func reversed(b *builder) {
	x := b.pick(filled(rankAtLeast(2, anyTensor)))
	if x == nil {
		return
	}
	d := x.dims()
	n := drawn(b.Rand, onnx.Int64, []int64{d[1]}, false)
	for i := range n.I {
		n.I[i] = 1 + b.Int64N(d[0])
	}
	b.add("ReverseSequence", []*val{x, b.constant(n)}, onnx.IntAttr("time_axis", 0), onnx.IntAttr("batch_axis", 1))
}

var sizeMakers = []maker{{6, computedReshape}, {3, computedSlice}, {3, computedFill}, {2, sizeNodes}, {2, computedTile}}

// sizeOf gives the nodes that compute one size, as exporters write it: a vector of one element.
func (b *builder) sizeOf(x *val, axis int) *val {
	s := b.add("Shape", []*val{x})
	if s == nil {
		return nil
	}
	switch b.IntN(3) {
	case 0:
		return b.add("Gather", []*val{s, b.ints(int64(axis))})
	case 1:
		if g := b.add("Gather", []*val{s, b.scalar(int64(axis))}, onnx.IntAttr("axis", 0)); g != nil {
			return b.add("Unsqueeze", []*val{g, b.ints(0)})
		}
		return nil
	}
	return b.add("Slice", []*val{s, b.ints(int64(axis)), b.ints(int64(axis + 1)), b.ints(0)})
}

// computedReshape joins two neighbouring axes, or cuts one, by sizes that nodes compute.
func computedReshape(b *builder) {
	x := b.pick(filled(rankAtLeast(2, anyTensor)))
	if x == nil {
		return
	}
	rank := len(x.dims())
	k := b.IntN(rank - 1)
	var parts []*val
	for i := 0; i < rank; i++ {
		s := b.sizeOf(x, i)
		if s == nil {
			return
		}
		if i == k {
			t := b.sizeOf(x, i+1)
			if t == nil {
				return
			}
			if s = b.add("Mul", []*val{s, t}); s == nil {
				return
			}
			i++
		}
		parts = append(parts, s)
	}
	if b.IntN(3) == 0 {
		parts[b.IntN(len(parts))] = b.ints(-1)
	}
	if to := b.add("Concat", parts, onnx.IntAttr("axis", 0)); to != nil {
		b.add("Reshape", []*val{x, to})
	}
}

func computedSlice(b *builder) {
	x := b.pick(rankAtLeast(1, anyTensor))
	if x == nil {
		return
	}
	axis := b.IntN(len(x.dims()))
	s := b.sizeOf(x, axis)
	if s == nil {
		return
	}
	half := b.add([]string{"Div", "Sub"}[b.IntN(2)], []*val{s, b.ints(2)})
	if half == nil {
		return
	}
	lo, hi := b.ints(0), half
	if b.IntN(2) == 0 {
		lo, hi = half, s
	}
	b.add("Slice", []*val{x, lo, hi, b.ints(int64(axis))})
}

func computedFill(b *builder) {
	x := b.pick(rankAtLeast(1, anyTensor))
	if x == nil {
		return
	}
	if b.IntN(2) == 0 {
		if s := b.add("Shape", []*val{x}); s != nil {
			raw, _ := drawn(b.Rand, onnx.Float, []int64{1}, false).AppendRaw(nil, 0, 1)
			b.add("ConstantOfShape", []*val{s}, onnx.TensorAttr("value", &onnx.Tensor{DType: onnx.Float, Dims: []int64{1}, Raw: raw, HasRaw: true}))
		}
		return
	}
	s := b.sizeOf(x, b.IntN(len(x.dims())))
	if s == nil {
		return
	}
	if s = b.add("Squeeze", []*val{s, b.ints(0)}); s != nil {
		b.add("Range", []*val{b.scalar(0), s, b.scalar(int64(1 + b.IntN(2)))})
	}
}

func sizeNodes(b *builder) {
	x := b.pick(anyTensor)
	if x == nil {
		return
	}
	switch b.IntN(3) {
	case 0:
		b.add("Size", []*val{x})
	case 1:
		b.add("Shape", []*val{x}, onnx.IntAttr("start", int64(b.IntN(3)-1)), onnx.IntAttr("end", int64(b.IntN(4)-1)))
	default:
		if len(x.dims()) == 2 {
			b.add("EyeLike", []*val{x}, onnx.IntAttr("k", int64(b.IntN(3)-1)))
		}
	}
}

func computedTile(b *builder) {
	x := b.pick(rankIs(2, anyTensor))
	y := b.pick(rankAtLeast(2, anyTensor))
	if x == nil || y == nil {
		return
	}
	if s := b.sizeOf(y, 1); s != nil {
		if n := b.add("Concat", []*val{b.ints(1), s}, onnx.IntAttr("axis", 0)); n != nil {
			b.add("Tile", []*val{x, n})
		}
	}
}
